"""squall-studies is installed beside squall, of the same version, with its data."""

from importlib import metadata

from squall import versions
from squall_studies.reproduce import curves, item


def test_it_asks_for_squall_of_its_own_version():
    version = metadata.version("squall-studies")
    assert version == metadata.version("squall")
    assert metadata.requires("squall-studies") == [f"squall[all]=={version}"]
    assert version in versions.line()


def test_every_study_has_its_published_numbers_and_its_curves():
    for study in curves._STUDIES:
        assert item.study(study).citation
        assert curves._tables(study)
