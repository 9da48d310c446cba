"""The forms of a wheel's model for several types of processors."""

from pathlib import Path

import pytest

from squall import doctor, forms, locate, mpi
from squall.errors import UserError

STEPS = "libsquall_steps.so.0.1"


@pytest.fixture
def model(tmp_path):
    """A model with two forms, as a wheel installs it."""
    program = tmp_path / "bin" / "squall-model"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for processor in ("x86-64-v4", "x86-64-v3"):
        folder = tmp_path / "lib" / "glibc-hwcaps" / processor
        folder.mkdir(parents=True)
        (folder / STEPS).touch()
    return program


def loads(monkeypatch, where):
    monkeypatch.setattr(mpi, "libraries", lambda program: {"libc.so.6": Path("/lib/libc.so.6"), STEPS: where})


def test_the_form_taken_is_the_one_that_the_loader_finds(monkeypatch, model):
    taken = model.parents[1] / "lib" / "glibc-hwcaps" / "x86-64-v3" / STEPS
    loads(monkeypatch, taken)
    assert forms.of(model) == forms.Forms(["x86-64-v3", "x86-64-v4"], "x86-64-v3")
    forms.require(model)
    monkeypatch.setattr(locate, "model_binary", lambda: model)
    told = {finding.what: finding for finding in doctor.examine()}["compiled for"]
    assert (told.state, told.found) == ("ok", "x86-64-v3, of x86-64-v3, x86-64-v4 in the wheel")


def test_a_processor_that_no_form_fits_is_refused(monkeypatch, model):
    loads(monkeypatch, None)
    with pytest.raises(UserError, match=r"needs a processor with AVX2 and FMA \(x86-64-v3, since 2013\)"):
        forms.require(model)
    monkeypatch.setattr(locate, "model_binary", lambda: model)
    findings = doctor.examine()
    told = {finding.what: finding for finding in findings}["compiled for"]
    assert (told.state, told.found) == ("missing", f"{forms.NEEDED}, which this one is not")
    assert "Build the model on this machine: make build, in Squall's checkout" in doctor.advice(findings)


def test_a_model_that_was_compiled_for_one_type_has_no_forms(model):
    for form in model.parents[1].glob("lib/glibc-hwcaps/*/*"):
        form.unlink()
    assert forms.of(model) is None
    forms.require(model)
