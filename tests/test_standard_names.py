"""Standard names of the model's fields, against CF's own table."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def names_of_cf() -> dict[str, str]:
    """CF's standard names, with their units."""
    checker = pytest.importorskip("compliance_checker", reason="CF's table comes with the compliance checker")
    table = Path(checker.__file__).parent / "data" / "cf-standard-name-table.xml"
    entries = ET.parse(table).getroot().iter("entry")
    return {entry.attrib["id"]: entry.findtext("canonical_units") or "1" for entry in entries}


def named_fields() -> list[tuple[str, str, str]]:
    """Of the reference page: field, units, standard name."""
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in (ROOT / "docs/reference/fields.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    return [(row[0].strip("`"), row[2] or "1", row[3]) for row in rows if row[3]]


def test_standard_names_are_in_cfs_table_with_units_that_convert():
    units = pytest.importorskip("cf_units", reason="comes with the compliance checker")
    cf = names_of_cf()
    found = named_fields()
    assert len(found) > 80
    assert [name for name, _, standard in found if standard not in cf] == []
    wrong = [f for f in found if not units.Unit(f[1]).is_convertible(cf[f[2]])]
    assert wrong == []


@pytest.mark.parametrize(
    ("field", "standard"),
    [
        ("T2", "air_temperature"),
        ("Q2", "humidity_mixing_ratio"),
        ("U10", "x_wind"),
        ("V10", "y_wind"),
        ("PSFC", "surface_air_pressure"),
        ("SFROFF", "surface_runoff_amount"),
    ],
)
def test_what_forecasts_are_read_for_has_a_standard_name(field, standard):
    assert {s for name, _, s in named_fields() if name == field} == {standard}
