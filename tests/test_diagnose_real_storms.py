"""Derived fields of WRF's own storms (supercells of three microphysics) and weather (a winter's and a
summer's forecast), against implementations of their formulas that are not Squall's (independent_fields.py).
Each prints by how much they differ (pytest -s)."""

import numpy as np
import pytest

import independent_fields as independent
from real_columns import difference, real, storm
from squall import diagnose


@pytest.fixture(scope="module", params=["summer", "winter"])
def weather(request):
    """Every other cell, six hours into the forecast."""
    frame = real(f"physics/columns_{request.param}.nc").isel(Time=0)
    wanted = ["T", "P", "PB", "PH", "PHB", "QVAPOR", "QRAIN", "QSNOW", "QGRAUP"]
    return frame[wanted].load().isel(south_north=slice(None, None, 2), west_east=slice(None, None, 2))


@pytest.fixture(scope="module", params=["kessler", "wsm6", "thompson"])
def supercell(request):
    return request.param, storm(request.param)


def echoes(scheme, frame):
    if scheme == "thompson":
        return independent.echoes_of_thompson(frame)
    return independent.echoes_of_exponentials(frame, scheme)


def test_freezing_level_is_where_metpy_finds_the_profile_to_fall_through_zero(weather):
    ours, theirs = diagnose.field(weather, "FZLEV").values, independent.freezing_level(weather)
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
    there = np.isfinite(theirs)
    assert there.mean() > 0.5
    difference("freezing level, MetPy", ours[there], theirs[there], "m", rms=0.5, most=1.0)


def test_echoes_of_weather_are_those_of_stoelingas_power_laws(weather):
    ours, theirs = diagnose.field(weather, "REFL_10CM").values, echoes("wsm6", weather)
    seen = theirs > -34
    assert seen.sum() > 50
    difference("echoes of wsm6 in weather, Stoelinga", ours[seen], theirs[seen], "dBZ", rms=2e-3, most=5e-3)
    assert (ours[~seen] < -33).all()


def test_echoes_of_storms_are_those_of_distributions_added_up_otherwise(supercell):
    """Thompson's snow has the fourth moment that Field et al. fitted, and here that of their distribution
    itself, which they fitted too: 0.2 dB apart in the mean, 2 at most, where there is little beside snow."""
    scheme, frame = supercell
    ours, theirs = diagnose.field(frame, "REFL_10CM").values, echoes(scheme, frame)
    seen = theirs > -34
    assert seen.sum() > 3000
    rms, most = (0.25, 2.0) if scheme == "thompson" else (2e-3, 5e-3)
    difference(f"echoes of {scheme}", ours[seen], theirs[seen], "dBZ", rms=rms, most=most)
    assert (ours[~seen] < -33).all()
    highest = diagnose.field(frame, "REFD_COM").values
    difference(f"highest echoes of {scheme}", highest, theirs.max(0), "dBZ", rms=rms, most=most)


def test_echo_tops_of_storms_are_where_metpy_finds_the_profile_to_fall_through_18_dbz(supercell):
    scheme, frame = supercell
    ours = diagnose.field(frame, "ECHOTOP").values
    z, seen = independent.height(frame), echoes(scheme, frame)
    theirs = independent.highest_fall_through(seen, z, 18.0)
    np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
    there = np.isfinite(theirs)
    assert there.sum() > 200
    most = 30.0 if scheme == "thompson" else 5.0
    difference(f"echo top of {scheme}, MetPy", ours[there], theirs[there], "m", rms=most / 5, most=most)


def test_echoes_at_1_km_and_minus_10_degrees_are_numpys_of_the_column(supercell):
    scheme, frame = supercell
    z = independent.height(frame) - frame["HGT"].values
    seen, warm = echoes(scheme, frame), independent.temperature(frame)
    columns = list(np.ndindex(z.shape[1:]))
    at_1_km = [np.interp(1000.0, z[:, j, i], seen[:, j, i]) for j, i in columns]
    high = independent.highest_fall_through(warm, z, 263.15).ravel()
    aloft = [np.interp(h, z[:, j, i], seen[:, j, i]) for h, (j, i) in zip(high, columns, strict=True)]
    rms = 2e-3  # rain and graupel alone are there
    ours = diagnose.field(frame, "reflectivity_1km").values.ravel()
    difference(f"echoes of {scheme} at 1 km", ours, at_1_km, "dBZ", rms=rms)
    ours = diagnose.field(frame, "reflectivity_minus10").values.ravel()
    difference(f"echoes of {scheme} at -10 degrees", ours, aloft, "dBZ", rms=rms)


def test_updraught_helicity_of_storms_is_metpys_vorticity_added_up_every_10_m(supercell):
    """Squall takes layers whole, with their middle's value."""
    scheme, frame = supercell
    inner = (slice(1, -1), slice(1, -1))  # at the sides MetPy's differences are of second order
    ours, theirs = diagnose.field(frame, "UH").values[inner], independent.updraught_helicity(frame)[inner]
    assert theirs.max() > 300
    difference(f"updraught helicity of {scheme}, MetPy", ours, theirs, "m2 s-2", rms=0.15, most=2.0)


def test_frozen_precipitation_of_a_step_is_the_share_that_wrf_says():
    """WRF's SR: snow, ice and graupel of a step over all that fell in it."""
    before, after = (real("physics/columns_winter.nc").isel(Time=n) for n in (0, 1))
    parts = [
        diagnose.field(after, name).values - diagnose.field(before, name).values
        for name in ("rain", "snow", "graupel")
    ]
    fallen = after["RAINNC"].values - before["RAINNC"].values
    wet = fallen > 0.05
    assert wet.sum() > 30
    frozen, share = (parts[1] + parts[2])[wet] / fallen[wet], after["SR"].values[wet]
    assert share.max() > 0.9 > 0.1 > share.min()
    difference("frozen share of precipitation, WRF's SR", frozen, share, "", rms=1e-5)
    rain = after["RAINCV"].values[wet] + fallen[wet] * (1 - share)
    difference("rain of a step, WRF's SR", parts[0][wet], rain, "mm", rms=1e-5)
