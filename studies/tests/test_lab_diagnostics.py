"""What `squall lab diagnostics` says of steps that it has measured."""

import json
import re
from dataclasses import asdict, replace

import pytest
from rich.console import Console

from squall import locate
from squall.errors import UserError
from squall.fetch import tables
from squall.lab.workspace import Workspace
from squall_studies.diagnostics import (
    count,
    measure_runs,
    values_of_zonal_means,
    what_a_frame_costs,
    what_threads_take,
)
from squall_studies.diagnostics_found import COUNTED_RANKS, PUBLISHED, Cost, Count, Found, Setup, SumCost
from squall_studies.diagnostics_steps import EVERY, FORECAST, STEPS, STORM, WAYS


def test_a_frame_costs_what_its_step_and_the_next_take_more_than_two_others():
    steps = [1.0, 1.0, 1.0, 1.25] + [1.125, 1.0, 1.0, 1.25] * 4
    steps[5] = 40  # something else had the machine
    assert EVERY == 4
    normal, writing, more = what_a_frame_costs(steps)
    assert (normal, writing) == (1.0, 1.25)
    assert more == pytest.approx(0.375)


def test_a_step_that_calls_the_radiation_is_none_to_compare_with():
    steps = [9.0 if n % 8 == 0 else 1.25 if n % EVERY == EVERY - 1 else 1.0 for n in range(17)]
    assert what_a_frame_costs(steps, replace(FORECAST, radiation=8)) == (1.0, 1.25, 0.25)
    assert what_a_frame_costs(steps, STORM)[2] > 4


def test_a_frame_takes_of_each_thread_what_it_does_until_the_next_one():
    """Output in the step that writes, and in later ones of what other ranks have had; not the first, nor what
    other threads take in every step."""
    steps = {"stepping": [], "output": [], "others": []}
    for n in range(18):
        first, frame, after = n < 7, n % EVERY == EVERY - 1, n % EVERY == 0
        steps["output"].append((0.5 if first else 0.04) if frame else 0.01 if n > 3 and n % EVERY == 1 else 0)
        steps["stepping"].append(4.0 + steps["output"][-1])
        steps["others"].append(0.3 + ((9.0 if n == 3 else 0.02) if frame else 0.06 if after and n > 4 else 0))
    assert what_threads_take(steps, STORM) == pytest.approx((0.05 / 4, 0.08 / 4), rel=2e-3)


def test_steps_of_a_forecast_are_measured_whose_input_is_made_first(tmp_path, monkeypatch):
    """Two frames each; those of a storm are measured in test_lab_reproduced_here.py."""
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("the model is not built (make build)")
    if not (tables.cache() / "rrtmgp-gas-lw-g128.nc").is_file():
        pytest.skip("the tables of the radiation are not there (squall fetch radiation)")
    monkeypatch.setattr("squall.machine.cores", lambda: 1)
    workspace, setup = Workspace(tmp_path), Setup((12, 12, 16), 9, 1)
    cost, gathered = measure_runs(setup, workspace, Console(quiet=True), ["zonal means"], FORECAST)
    assert (cost.step, cost.ranks, cost.way, gathered.way) == ("forecast", 1, "in place", "gathered")
    assert cost.normal > 0
    assert len(cost.threads) == 1
    assert all(0 < share < 1 for share in cost.threads[0])
    assert values_of_zonal_means(workspace, setup) > 12 * 12 * 16 * 7


def measured(more, **other):
    """What one round writes as JSON: every frame costs `more` of a step."""
    runs = [
        Cost(ranks, what, way, 1.0, 1.25, more, more, 0, step, ((more / 2, more / 4),) * ranks)
        for step in STEPS
        for ranks in (1, 2)
        for what in PUBLISHED
        for way in WAYS
    ]
    counts = [Count(ranks, what, 9, 10, 3, 4, 5) for what in PUBLISHED for ranks in COUNTED_RANKS]
    sums = [SumCost(row, 0.5, 0.6, 0.4) for row in (200, 100000)]
    found = Found(
        "a processor", 2, Setup((200, 200, 40), 24, 1), runs, counts, sums, {"forecast": 16_000_000}
    )
    return asdict(found) | other


def test_rounds_measured_in_pieces_are_one_measurement(squall, tmp_path):
    files = []
    for n, more in enumerate((0.005, 0.008, 0.3)):
        files.append(tmp_path / f"{n}.json")
        files[-1].write_text(json.dumps(measured(more)))
    said = squall("lab", "diagnostics", *map(str, files), "--results", "all.json", "-o", "pictures")
    assert said.returncode == 0, said.stderr
    found = json.loads((tmp_path / "all.json").read_text())
    assert found["setup"]["repeats"] == 3
    assert len(found["runs"]) == 48
    assert {cost["more"] for cost in found["costs"]} == {0.008}  # the medians
    assert (
        "stations in place cost 0.6% of a forecast's step on 2 ranks by the processor's time of"
        in said.stdout
    )
    assert re.search(r"forecast +stations +2 +1 +0\.40% +0\.20% +0\.60%", said.stdout)
    assert "reading them takes 6.4 ms, 0.6% of it" in said.stdout
    assert (tmp_path / "pictures" / "diagnostics.png").stat().st_size > 3000
    files[1].write_text(json.dumps(measured(0.1, cores=4)))
    said = squall("lab", "diagnostics", *map(str, files))
    assert said.returncode == 2
    assert "no runs of one measurement" in said.stderr


def test_messages_and_bytes_on_80_and_400_ranks_are_counted_and_are_those_of_the_page():
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("the runtime's programs are not built (make build)")
    stations, zonal = (count(what) for what in ("stations", "zonal means"))
    for counts in (stations, zonal):
        assert [found.ranks for found in counts] == list(COUNTED_RANKS)
        for found in counts:
            assert found.messages == found.ranks - 1  # up a tree
            assert found.largest <= found.heard < found.gathered / 100
            assert found.bytes < found.gathered / 5
        assert counts[1].heard <= counts[0].heard  # no more where there are more ranks
    page = (locate.CHECKOUT / "docs" / "how-to" / "diagnostics.md").read_text().replace("\n", " ")
    said = re.search(
        r"stations send ([\d.]+) MB in (\d+) messages, .* no rank hears more than ([\d.]+) MB, zonal means "
        r"([\d.]+) MB and ([\d.]+) MB; gathered, rank 0 hears ([\d.]+) MB",
        page,
    )
    made = stations[1], zonal[1]
    assert [float(number) for number in said.groups()] == [
        round(made[0].bytes / 1e6, 1), made[0].messages, round(made[0].heard / 1e6, 1),
        round(made[1].bytes / 1e6), round(made[1].heard / 1e6, 1), made[0].gathered / 1e6,
    ]  # fmt: skip
