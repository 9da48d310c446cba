"""What a machine of today comes to first, from 1,000 to 100,000 ranks."""

import pytest

from squall import locate
from squall.errors import UserError
from squall_studies import numbers as pages
from squall_studies import planning
from squall_studies.reproduce import runner
from squall_studies.reproduce import simulated_scale as scale

[ITEM] = scale.ITEMS
NODES = {"cores": 4, "memory": 8e9}


def answer(ranks=8, servers=0, computing=0.9, drain=1.0, cost=1.01):
    stream = {
        "perceived": drain, "drain": drain, "between_frames": 50.0,
        "busy": {"network": 0.1, "metadata": 0.2},
    }  # fmt: skip
    return {
        "machine": "a machine", "method": "simgrid", "ranks": ranks, "threads": 1, "servers": servers,
        "step": {"seconds": 1.0, "computing": computing}, "streams": [stream],
        "memory": {"rank": 1e9, "server": 2e9}, "run": {"cost": cost}, "wall": 3.0,
    }  # fmt: skip


def uses(**changes):
    return {limit.name: limit.use(answer(**changes), NODES) for limit in scale.LIMITS}


def test_a_limit_is_used_up_where_a_run_takes_all_of_it():
    assert uses()["a node's memory"] == 0.5
    assert uses(servers=2)["a node's memory"] == 0.75  # a node's four ranks, and a server's frame
    assert uses(ranks=2)["a node's memory"] == 0.25  # the node is not full
    assert uses(computing=0.5)["half of a step"] == 1
    assert uses(drain=50.0)["a frame's interval"] == 1
    assert uses(cost=1.02)["2 % for output"] == pytest.approx(1)


def test_what_breaks_first_is_the_limit_used_most_with_the_part_that_is_busiest():
    seen = scale._seen(answer(drain=100.0, cost=1.01), NODES)
    assert scale.first(seen) == "a frame's interval (metadata)"
    assert scale.first(seen | {"busiest": "codec"}) == "a frame's interval (serialising and compressing)"
    assert scale.first(scale._seen(answer(computing=0.2), NODES)) == "half of a step"
    assert scale.first(scale._seen(answer(), NODES)).startswith("none; nearest ")


def test_every_way_is_asked_for_at_every_number_of_ranks_and_a_refusal_is_told(monkeypatch, context):
    asked = []

    def ask(question):
        asked.append(question)
        if any("pnetcdf" in setting for setting in question.settings):
            raise UserError("too many ranks")
        return answer(question.ranks)

    monkeypatch.setattr(planning, "ask", ask)
    found = ITEM.measure(context)
    assert {question.ranks for question in asked} == {1_000, 10_000, 100_000}
    assert "output.servers=782" in asked[-2].settings  # one for each node of 128 cores
    times, used, _, simulation = ITEM.tables(found)
    assert [row[1] for row in used.rows] == ["1000", "1000", "10000", "10000", "100000", "100000"]
    assert [row[:3] for row in times.rows[-1:]] == [["pnetcdf, none, inline", "100000", "too many ranks"]]
    assert simulation.rows[0][:2] == ["100000", "3"]
    runner.figure(ITEM, {"found": found})


def test_ranks_that_cannot_be_laid_over_the_domain_lose_one_more_to_the_servers(monkeypatch, context):
    asked = []

    def ask(question):
        asked.append(question)
        if "output.servers=79" in question.settings:
            raise UserError("9921 ranks cannot be split")
        return answer(question.ranks)

    monkeypatch.setattr(planning, "ask", ask)
    monkeypatch.setattr(scale, "_RANKS", (10_000,))
    monkeypatch.setattr(scale, "_WAYS", scale._WAYS[1:2])
    found = ITEM.measure(context)
    assert found["refused"] == []
    assert "output.servers=80" in asked[-1].settings


def test_where_no_run_can_be_simulated_the_first_refusal_is_the_reason(monkeypatch, context):
    def ask(question):
        raise UserError("squall-planner is missing")

    monkeypatch.setattr(planning, "ask", ask)
    with pytest.raises(UserError, match="squall-planner is missing"):
        ITEM.measure(context)


@pytest.mark.parametrize("method", [None, "closed-form"], ids=["default", "closed forms"])
def test_a_hundred_thousand_ranks_are_planned_for_within_the_limits_that_are_promised(
    method, monkeypatch, context
):
    monkeypatch.setattr(scale, "_RANKS", (100_000,))
    monkeypatch.setattr(scale, "_WAYS", scale._WAYS[:1])
    found = scale.measure(context, method)
    [run] = found["runs"]
    assert found["method"] in ({method} if method else {"simgrid", "closed-form"})
    assert 0 < run["step"] < 1
    assert all(use > 0 for use in run["uses"].values())
    assert run["wall"] < 600
    assert found["peak"] < 20e9
    if found["method"] == "simgrid":
        [row] = pages.limits(found)
        assert f"| {' | '.join(row)} |" in (locate.CHECKOUT / "planner" / "NUMBERS.md").read_text(), (
            "python -m squall_studies.numbers > planner/NUMBERS.md"
        )
