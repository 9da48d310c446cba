"""`squall lab simulate`: times that `squall plan` does not tell, and numbers of servers."""

import json

import pytest

from made_machines import on_a_cluster
from squall_studies import planning


@pytest.fixture
def question(tmp_path):
    return planning.Question(**vars(on_a_cluster(tmp_path)))


def test_servers_are_recommended_where_they_shorten_the_run(question):
    answer = planning.ask(question)
    variants = planning.with_servers(question, answer)
    assert {variant.servers for variant in variants} >= {0, 1, 4}
    best = planning.recommended(variants)
    assert best.seconds <= min(variant.seconds for variant in variants) / 0.99
    slow = [planning.Variant(0, {"run": {"seconds": 9.0}}), planning.Variant(2, {"run": {"seconds": 5.0}})]
    assert planning.recommended(slow).servers == 2
    assert planning.recommended([*slow, planning.Variant(1, {"run": {"seconds": 5.02}})]).servers == 1


def test_the_command_prints_all_times_and_servers_and_says_how(squall, question, tmp_path):
    words = ["--machine", question.machine, "-n", "16", question.run_file, "--method", "closed-form"]
    done = squall("lab", "simulate", *words, "--results", "simulated.json")
    assert done.returncode == 0, done.stderr
    for word in ("closed forms", "16 ranks x 1 threads on 8 nodes", "shortest with", "per rank", "history"):
        assert word in done.stdout, word
    kept = json.loads((tmp_path / "simulated.json").read_text())
    assert kept["by_servers"]["0"] == kept["run"]["seconds"]
    refused = squall("lab", "simulate", *words[:2], "-n", "1000", question.run_file)
    assert refused.returncode == 2
    assert "need 500 nodes" in refused.stderr
