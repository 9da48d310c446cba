"""Standard names of the model's fields, against CF's own table."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from squall.diagnose.table import TABLE

ROOT = Path(__file__).parent.parent


def names_of_cf() -> dict[str, str]:
    """CF's standard names, with their units."""
    checker = pytest.importorskip("compliance_checker", reason="CF's table comes with the compliance checker")
    table = Path(checker.__file__).parent / "data" / "cf-standard-name-table.xml"
    entries = ET.parse(table).getroot().iter("entry")
    return {entry.attrib["id"]: entry.findtext("canonical_units") or "1" for entry in entries}


# What CF has no name for, by why. A field that is added needs a name or a place here.
NAMELESS = {
    "parts, or of moist air": "T THM P PB PH PHB MU MUB AL ALB",
    "mixing ratios of what falls": "QRAIN QSNOW QGRAUP",
    "of schemes": "QKE H_DIABATIC RTHRATEN SWNORM COSZEN DUSFCG DVSFCG DTAUX3D DTAUY3D MOL DTW SH2O "
    "CLDFRA_BL QC_BL QI_BL",
    "of leaves, and of layers of snow": "TG EAH CANLIQ CANICE ALBOLD ISNOW SNICE SNLIQ DZSNO",
    "of an aquifer": "WA WT",
    "of fires": """FXLONG FXLAT NFUEL_CAT LFN TIGN_G FUEL_FRAC FIRE_AREA ROS ROS_FRONT FGRNHFX FGRNQFX
        GRNHFX GRNQFX FLAME_LENGTH FMC_G UF VF AVG_FUEL_FRAC BURNT_AREA_DT""",
    "of the ocean's mixed layer": "T0ML HUML HVML",
    "a mixing ratio, though WRF calls it specific humidity": "QSFC",
    "of the grid": """MAPFAC_M MAPFAC_U MAPFAC_V MAPFAC_MX MAPFAC_MY MAPFAC_UX MAPFAC_UY MAPFAC_VX MAPFAC_VY
        E SINALPHA COSALPHA RDX RDY ZNU ZNW DNW RDNW DN RDN FNM FNP CF1 CF2 CF3 CFN CFN1
        C1H C2H C3H C4H C1F C2F C3F C4F T_BASE Z_BASE""",
    "of falling graupel": "GRAUPELNC graupel",
    "of storms": """ECHOTOP UH bulk_shear_1km bulk_shear_6km helicity_1km helicity_3km cape_mixed_layer
        cin_mixed_layer lcl_mixed_layer lfc_mixed_layer W_UP_MAX W_DN_MAX UP_HELI_MAX""",
}


def rows_of_page(begin: str = "", end: str = "\0") -> list[list[str]]:
    """Of the tables of the reference page between two headings: the cells of each row."""
    text = (ROOT / "docs/reference/fields.md").read_text()
    part = text[text.index(begin) :].split(end)[0]
    return [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in part.splitlines()
        if line.startswith("| `")
    ]


def named_fields() -> list[tuple[str, str, str]]:
    """Of the reference page: field, units, standard name."""
    return [(row[0].strip("`"), row[2] or "1", row[3]) for row in rows_of_page() if row[3]]


def test_a_field_without_a_standard_name_is_one_for_which_cf_has_none():
    nameless = {row[0].strip("`") for row in rows_of_page() if not row[3]}
    assert nameless == {name for names in NAMELESS.values() for name in names.split()}


def test_the_model_and_python_say_the_same_of_derived_fields():
    """Of those that both make; `T2` and the like stand in a history, too, under WRF's descriptions."""
    model = {row[0].strip("`"): row[1:4] for row in rows_of_page("## Derived fields", "## Since the last")}
    python = {r.name: [r.long_name, r.units, r.standard_name] for r in TABLE.values()}
    both = model.keys() & python.keys()
    assert len(both) > 50
    assert {name: model[name] for name in both} == {name: python[name] for name in both}
    assert "thompson" in TABLE["REFL_10CM"].source


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
