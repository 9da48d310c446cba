"""TOMCAT's winds on squall-transport: what is counted is what the program counts, and the ways differ as they
should."""

from dataclasses import replace

from squall_studies.reproduce import globe_winds, runner

(WINDS,) = globe_winds.ITEMS


def test_rows_read_by_their_first_ranks_need_no_message_between_two_of_them(context):
    found = WINDS.measure(replace(context, quick=True))
    told = {(run["ranks"], run["way"]): run for run in found["runs"]}
    assert {run["records"] for run in told.values()} == {3}
    assert told[1, "rows"]["messages"] == told[1, "one"]["messages"] == told[2, "rows"]["messages"] == 0
    # 15 fields of each of 3 records, with half of the values of 48 x 24 x 12 cells
    assert told[2, "one"]["messages"] == 45
    assert told[2, "one"]["bytes"] == 3 * 8 * (4 * 12 + 11) * 48 * 24 / 2
    measured, counted = WINDS.tables(found)
    assert len(measured.rows) == 4
    whole, one, rows = (row for row in counted.rows if row[0] == "400")
    assert int(rows[2]) == 80 * 4 * 15 < int(one[2]) == 399 * 15 < int(whole[2])
    assert float(rows[4]) < float(one[4]) < float(whole[4])
    runner.figure(WINDS, {"found": found})
