"""Choices of output at the scale of the studies: what is asked of the planner, and what is made of it."""

import tomllib

import pytest

from squall.errors import UserError
from squall_studies import planning
from squall_studies.reproduce import catalogue, runner
from squall_studies.reproduce.simulated import Run


@pytest.fixture
def asked(monkeypatch):
    """Questions; a frame takes 6 s, or 12 where the last ranks serve."""
    questions = []

    def ask(question):
        questions.append(question)
        seconds = 12.0 if question.servers_last else 6.0
        stream = {"perceived": seconds, "drain": seconds, "busy": {"targets": 1.0}}
        return {
            "streams": [stream], "machine": "a machine", "method": "closed-form", "calibrated": "here",
            "step": {"seconds": 0.5},
        }  # fmt: skip

    monkeypatch.setattr(planning, "ask", ask)
    return questions


def measured(name, context):
    [item] = catalogue.chosen([name])
    found = item.measure(context)
    runner.figure(item, {"found": found})
    return item.tables(found)[0].rows


def test_groups_take_frames_in_turn_and_servers_on_the_last_nodes_are_asked_for(asked, context):
    rows = measured("hector-simulated-placement", context)
    assert rows[0][:5] == ["1", "nodes apart", "consecutive", "6", "6"]
    assert rows[-1][:5] == ["12", "the last nodes", "consecutive", "12", "1"]
    assert {row[2] for row in rows} == {"consecutive", "round-robin"}
    assert "output.groups=12" in asked[-1].settings
    assert asked[-1].servers_last


def test_files_are_striped_over_one_to_all_targets(asked, context):
    assert len(measured("hector-simulated-stripes", context)) == 6
    assert asked[0].storage == {"stripe_count": 1, "stripe_size": 1 << 20}
    assert asked[-1].storage == {"stripe_count": 48, "stripe_size": 16 << 20}


def test_one_to_all_ranks_of_a_node_write(asked, context):
    assert [row[0] for row in measured("adios2-simulated-aggregators", context)] == [
        *("1", "2", "4", "9", "18", "36")
    ]
    assert (asked[0].aggregators, asked[-1].aggregators, asked[-1].ranks) == (1, 36, 288)


def test_a_machines_storage_is_changed_key_by_key_and_an_unknown_one_is_refused():
    machine = planning.machine_file("hector-xt4")
    changed = {"stripe_count": 48, "stripe_size": 16 << 20}
    was = tomllib.loads(machine.read_text())
    assert tomllib.loads(planning.with_storage(machine, changed)) == was | {
        "storage": was["storage"] | changed
    }
    with pytest.raises(UserError, match=r"hector-xt4\.toml has no key storage\.stripes"):
        planning.with_storage(machine, {"stripes": 1})


def test_a_shared_file_is_faster_on_more_targets_and_servers_on_few_nodes_are_not_faster():
    def seconds(**changes):
        run = Run("hector-xt4", (400, 400, 30), 64, "pnetcdf", way="collective", method="closed-form")
        return planning.ask(Run(**(vars(run) | changes)).question())["streams"][0]["drain"]

    assert seconds(storage={"stripe_count": 1}) > 1.5 * seconds(storage={"stripe_count": 8})
    quilt = {"way": "quilt", "engine": "netcdf", "placement": "servers", "servers": 8}
    assert seconds(**quilt, servers_last=True) >= seconds(**quilt)


def test_keys_of_other_tables_are_not_the_storages(tmp_path):
    machine = tmp_path / "m.toml"
    machine.write_text("[storage]\nlock = 1\n[local]\nbandwidth = 2\n")
    with pytest.raises(UserError, match=r"no key storage\.bandwidth"):
        planning.with_storage(machine, {"bandwidth": 3})
