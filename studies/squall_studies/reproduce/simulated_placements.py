"""Servers' groups, and the nodes that they are on, at the scale of a study."""

from matplotlib.figure import Figure

from squall_studies import planning
from squall_studies.reproduce import charts, curves
from squall_studies.reproduce.item import Context, Found, Published, Table
from squall_studies.reproduce.simulated import busiest, drain

_ITEM = "hector-simulated-placement"

#: Of a table's row: groups, whether the last ranks serve, assignment.
_LAYOUTS = tuple(
    (groups, last, assignment)
    for groups in curves.table(_ITEM)["groups"]
    for last in (False, True)
    for assignment in ("consecutive", "round-robin")
    if groups == 1 or assignment == "consecutive"
)


def measure_placements(context: Context) -> Found:
    """Frames of ranks of which some serve, in groups that take them in turn."""
    rows = []
    for groups, last, assignment in _LAYOUTS[:5] if context.quick else _LAYOUTS:
        run = curves.run(_ITEM, groups=groups, servers_last=last, assignment=assignment)
        with context.status(f"{groups} groups, {assignment} ..."):
            answer = planning.ask(run.question())
        rows.append(
            {
                "groups": groups, "last": last, "assignment": assignment, "drain": drain(answer),
                "busiest": busiest(answer),
            }
        )  # fmt: skip
    return {"machine": answer["machine"], "method": answer["method"], "rows": rows}


def placement_tables(found: Found) -> list[Table]:
    rows = [
        [
            *(str(row["groups"]), _where(row), row["assignment"], f"{row['drain']:.3g}"),
            *(f"{row['drain'] / row['groups']:.3g}", row["busiest"]),
        ]
        for row in found["rows"]
    ]
    how = "SimGrid" if found["method"] == "simgrid" else "closed forms"
    columns = ["groups", "servers on", "slabs", "stored after, s", "a frame every, s", "busiest"]
    ranks, servers = (curves.table(_ITEM)["run"][key] for key in ("ranks", "servers"))
    title = f"{found['machine']}, {ranks} ranks, {servers} of them servers; simulated by {how}"
    return [Table(title, columns, rows)]


def _where(row: Found) -> str:
    return "the last nodes" if row["last"] else "nodes apart"


def draw_placements(found: Found, published: Published | None) -> Figure:
    figure, _, right = charts.beside(None)
    for last in (False, True):
        of = [r for r in found["rows"] if r["last"] == last and r["assignment"] == "consecutive"]
        groups = [row["groups"] for row in of]
        [line] = right.plot(groups, [r["drain"] for r in of], "o-", label=f"stored after, {_where(of[0])}")
        every = [row["drain"] / row["groups"] for row in of]
        right.plot(groups, every, "s--", color=line.get_color(), label=f"a frame every, {_where(of[0])}")
    if published is not None:
        right.axhline(float(published.rows[-1][-1]), color="k", ls=":", label="published best")
    right.set_xticks(sorted({row["groups"] for row in found["rows"]}))
    right.set(xlabel=f"groups of {curves.run(_ITEM).servers} servers", ylabel="time (s)", ylim=(0, None))
    right.legend(fontsize=7)
    return figure


ITEMS = (curves.item(_ITEM, measure_placements, placement_tables, draw_placements),)
