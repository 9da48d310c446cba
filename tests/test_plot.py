"""Pictures of runs."""

import numpy as np
import pytest

from pictures import assert_drawn
from squall.errors import UserError
from squall.plot import Choice, PictureFile, choice, pictures, style
from squall.reader.dataset import open_run


@pytest.mark.parametrize("case", ["density_current", "channel", "mountain"])
def test_every_kind_of_run_has_a_picture_without_options(case, request, tmp_path):
    assert_drawn(
        PictureFile(request.getfixturevalue(case), Choice(), tmp_path / "folder" / "picture.png").draw()
    )


@pytest.mark.parametrize(
    "chosen",
    [
        Choice(field="wind_speed", level="5 km", time="2 d"),
        Choice(field="theta", level="500 hPa", time="0"),
        Choice(field="surface_pressure"),
        Choice(field="U", section="y=4000 km", time="last"),
        Choice(field="W", section="x=3"),
    ],
)
def test_field_level_time_and_section_can_be_chosen(channel, tmp_path, chosen):
    assert_drawn(PictureFile(channel, chosen, tmp_path / "picture.png").draw())


def test_fields_of_a_row_are_drawn_as_section_or_line(mountain, tmp_path):
    for name, colours in (("theta", 0.005), ("surface_pressure", 0)):  # a section; a line, which is black
        assert_drawn(PictureFile(mountain, Choice(field=name), tmp_path / "picture.png").draw(), colours)


def test_the_picture_lies_in_the_run_directory_unless_told_otherwise(mountain):
    assert PictureFile(mountain, Choice(field="W")).draw() == mountain / "W.png"


def test_the_front_is_where_the_lowest_level_passes_minus_one_kelvin(density_current):
    frame = open_run(density_current).isel(Time=2)
    from squall.diagnose import air
    from squall.plot import panels

    lowest = air.theta_pert(frame).isel(south_north=0, bottom_top=0).values
    front = pictures.front_position(panels.distance(frame, "west_east", centre=True), lowest)
    assert front == pytest.approx(0.9 * 11.0, abs=0.01)  # -10 K (1 - x / 11 km) = -1 K


def test_theta_pert_is_the_departure_from_the_initial_profile_at_the_same_height(density_current):
    from squall.diagnose import air

    frame = open_run(density_current).isel(Time=0)
    np.testing.assert_allclose(air.theta_pert(frame).values, frame["T"].values, atol=1e-4)


def test_the_nearest_frame_to_a_model_time_is_taken(channel):
    history = open_run(channel)
    assert [choice.time_index(history, text) for text in (None, "last", "-2", "50 h", "3 d")] == [
        5,
        5,
        4,
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (Choice(field="W", section="z=3"), "x=WHERE"),
        (Choice(field="W", section="y=9000 km"), "8000 km wide"),
        (Choice(field="W", level="12"), "0 to 7"),
        (Choice(field="W", level="5 furlongs"), "km"),
        (Choice(field="W", level="40 km"), "between 1 and 15 km"),
        (Choice(field="W", time="6"), "0 to 5"),
        (Choice(field="MU", section="y=1"), "no levels"),
        (Choice(level="1"), "--level needs --field"),
        (Choice(level="1", barbs=True), "--level and --barbs need --field"),
        (Choice(field="W", level="500"), r'0 to 7. A height or pressure needs a unit: "500 m", "500 hPa"'),
        (Choice(field="W", time="9 d"), "0 s to 5 d of the run"),
        (Choice(field="W", time="soon"), 'expected "last"'),
        (Choice(field="W", section="y=3", level="1"), "exclude each other"),
        (Choice(field="W", section="y=3", barbs=True), "leave out --section"),
        (Choice(field="W", section="lat=40"), "this run has no map projection"),
        (Choice(field="W", limits="3,1"), "LOW,HIGH"),
        (Choice(field="W", colours="rainbowish"), "no such colour map"),
    ],
)
def test_what_cannot_be_drawn_is_told(channel, tmp_path, chosen, message):
    with pytest.raises(UserError, match=message):
        PictureFile(channel, chosen, tmp_path / "picture.png").draw()


def test_ticks_are_the_same_on_either_side_of_zero_though_steps_of_a_tenth_are_not():
    scale = style.scale_for_most(np.array([-0.9, 0.9]), 1.0, bins=22)
    np.testing.assert_allclose(scale.ticks, [-0.8, -0.6, -0.4, -0.2, 0.2, 0.4, 0.6, 0.8])


@pytest.mark.parametrize(
    ("values", "cmap"), [([-5, 0.01], "Blues_r"), ([-0.01, 2], "Reds"), ([-1, 2], "RdBu_r")]
)
def test_colours_follow_the_sign_of_a_perturbation(values, cmap):
    assert style.scale("theta_pert", np.array(values)).cmap == cmap
