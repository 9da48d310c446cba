"""WRF by the HPC Advisory Council: messages by size, affinity, huge pages, energy."""

import ctypes
import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from squall import locate, machine
from squall.errors import UserError
from squall.lab.workspace import Layout
from squall.profile import messages
from squall.runs import launch
from squall_studies.reproduce import charts, rapl, stepping, watched
from squall_studies.reproduce.item import Context, Found, Item, Published, Table

STUDY = "council"
_DISABLE_HUGE_PAGES = 41  # PR_SET_THP_DISABLE of Linux's prctl, inherited by what is executed


def measure_messages(context: Context) -> Found:
    """A domain as large as the study's on more and more ranks. What is sent does not depend on how many cores
    there are."""
    steps = 2
    domain = stepping.Domain(80, 60, 20, steps) if context.quick else stepping.Domain(425, 300, 35, steps)
    run_file = stepping.without_output(context)
    found = []
    for ranks in (2, 4, 8, 16) if context.quick else (4, 8, 16, 32):
        with context.status(f"{ranks} ranks ..."):
            seen = watched.run(context, run_file, Layout(ranks, 1), domain.settings())
        sizes = [
            {"below": below, "number": number / steps, "bytes": amount / steps}
            for below, (number, amount) in messages.by_size(seen.messages, ("sent",)).items()
        ]
        found.append({"ranks": ranks, "sizes": sizes})
    return {"domain": str(domain), "runs": found}


def message_tables(found: Found) -> list[Table]:
    sizes = sorted({size["below"] for run in found["runs"] for size in run["sizes"]})
    columns = ["size", *(f"{run['ranks']} ranks" for run in found["runs"])]
    tables = []
    for key, title, scale in (("number", "Messages", 1.0), ("bytes", "MB", 1e-6)):
        rows = []
        for below in sizes:
            cells = (next((s[key] for s in run["sizes"] if s["below"] == below), 0) for run in found["runs"])
            rows.append([messages.size(below), *(f"{scale * cell:.6g}" for cell in cells)])
        sums = (scale * sum(s[key] for s in run["sizes"]) for run in found["runs"])
        rows.append(["all", *(f"{value:.6g}" for value in sums)])
        tables.append(Table(f"{title} a step, {found['domain']} cells", columns, rows))
    return tables


def draw_messages(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    sizes = sorted({size["below"] for run in found["runs"] for size in run["sizes"]})
    series = {
        f"{run['ranks']} ranks": [
            next((s["number"] for s in run["sizes"] if s["below"] == below), float("nan")) for below in sizes
        ]
        for run in found["runs"]
    }
    charts.bars(right, [messages.size(below) for below in sizes], series, form="")
    right.set_xticks(right.get_xticks(), [messages.size(below) for below in sizes], rotation=30, ha="right")
    right.set(yscale="log", ylabel="messages a step")
    return figure


def measure_affinity(context: Context) -> Found:
    """One run on all cores, and two side by side on half of them each; kept to cores, and not."""
    cores = sorted(os.sched_getaffinity(0))
    if machine.cores() < 2:
        raise UserError("two runs side by side need two cores")
    domain = stepping.Domain(60, 60, 20, 8) if context.quick else stepping.Domain(120, 120, 40, 12)
    run_file = stepping.without_output(context)
    half = len(cores) // 2
    jobs = {"one run": [cores], "two runs": [cores[:half], cores[half : 2 * half]]}
    found = []
    for name, places in jobs.items():
        for pinned in (True, False):
            with context.status(f"{name}, {'pinned' if pinned else 'not pinned'} ..."):
                times = [
                    _side_by_side(context, run_file, domain, places, pinned) for _ in range(context.repeats)
                ]
            steps_an_hour = 3600 * domain.steps * len(places) / min(times)
            found.append({"jobs": name, "pinned": pinned, "steps": steps_an_hour})
    return {"domain": str(domain), "cores": len(cores), "runs": found}


def _side_by_side(
    context: Context, run_file: Path, domain: stepping.Domain, places: Sequence[list[int]], pinned: bool
) -> float:
    """Seconds until the last of the runs has stepped, one on each of the places."""
    files = [context.workspace.directory / f"timing-{n}.json" for n in range(len(places))]
    started = []
    for n, cores in enumerate(places):
        words = [str(run_file), "--overwrite", "--threads", str(len(cores)), "--timing", str(files[n])]
        for key, value in (
            domain.settings() | {"run.directory": str(context.workspace.directory / f"job-{n}")}
        ).items():
            words += ["--set", f"{key}={value}"]
        bind = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"} if pinned else {"OMP_PROC_BIND": "false"}
        started.append(
            subprocess.Popen(
                [locate.model_binary(), *words],
                env=launch.inherited() | bind | {"OMP_NUM_THREADS": str(len(cores)), "SQUALL_TERMINAL": "0"},
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                preexec_fn=_keeping_to(cores) if pinned else None,
            )
        )  # fmt: skip
    for process in started:
        if process.wait():
            raise UserError(f"a run of {run_file} ended with code {process.returncode}", 1)
    return max(float(json.loads(file.read_text())["seconds"]) for file in files)


def _keeping_to(cores: list[int]) -> Callable[[], None]:
    return lambda: os.sched_setaffinity(0, cores)


def affinity_tables(found: Found) -> list[Table]:
    best = max(run["steps"] for run in found["runs"])
    rows = [
        [
            run["jobs"],
            "pinned" if run["pinned"] else "not pinned",
            f"{run['steps']:.0f}",
            f"{run['steps'] / best:.2f}",
        ]
        for run in found["runs"]
    ]
    title = f"{found['domain']} cells, {found['cores']} cores in all"
    return [Table(title, ["", "threads", "steps/h of all", "of the best"], rows)]


def draw_affinity(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    jobs = list(dict.fromkeys(run["jobs"] for run in found["runs"]))
    series = {
        label: [
            next(r["steps"] for r in found["runs"] if (r["jobs"], r["pinned"]) == (job, pinned))
            for job in jobs
        ]
        for label, pinned in (("pinned", True), ("not pinned", False))
    }
    charts.bars(right, jobs, series)
    right.set_ylabel("steps an hour of all runs together")
    return figure


def measure_pages(context: Context) -> Found:
    """The same steps with and without huge pages, which the model asks for and the system may refuse to a
    process."""
    domain = stepping.Domain(60, 60, 20, 8) if context.quick else stepping.Domain(200, 200, 40, 10)
    run_file = stepping.without_output(context)
    layout = Layout(1, machine.cores())
    found = []
    for huge in (True, False):
        _allow_huge_pages(huge)
        try:
            with context.status(f"huge pages {'on' if huge else 'off'} ..."):
                seconds = stepping.seconds_a_step(context, run_file, layout, domain.settings())
        finally:
            _allow_huge_pages(True)
        found.append({"huge": huge, "seconds": seconds})
    return {"domain": str(domain), "system": _system_pages(), "runs": found}


def _allow_huge_pages(allowed: bool) -> None:
    """To this process's children."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_DISABLE_HUGE_PAGES, int(not allowed), 0, 0, 0) != 0:
        raise UserError(f"this system does not switch huge pages: {os.strerror(ctypes.get_errno())}")


def _system_pages() -> str:
    """What the system does by itself: always, madvise or never."""
    try:
        text = Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()
    except OSError:
        return "unknown"
    return text.partition("[")[2].partition("]")[0]


def page_tables(found: Found) -> list[Table]:
    off = next(run["seconds"] for run in found["runs"] if not run["huge"])
    rows = [
        [
            "on" if run["huge"] else "off",
            f"{1e3 * run['seconds']:.1f}",
            f"{100 * (1 - run['seconds'] / off):.1f}",
        ]
        for run in found["runs"]
    ]
    title = f"A step of {found['domain']} cells; the system's setting is {found['system']}"
    return [Table(title, ["huge pages", "ms", "faster by, %"], rows)]


def draw_pages(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    labels = ["on" if run["huge"] else "off" for run in found["runs"]]
    charts.bars(right, labels, {"ms": [1e3 * run["seconds"] for run in found["runs"]]})
    right.set(xlabel="huge pages", ylabel="time of a step (ms)")
    return figure


def measure_energy(context: Context) -> Found:
    """What the processor has used while steps of one domain were done by more and more threads."""
    try:
        rapl.read()
    except OSError as error:
        raise UserError(
            f"this machine's energy cannot be read ({error.strerror}: {error.filename})"
        ) from None
    domain = stepping.Domain(60, 60, 20, 8) if context.quick else stepping.Domain(160, 160, 40, 20)
    run_file = stepping.without_output(context)
    found = []
    for threads in sorted({1, machine.cores()}):
        before, begun = rapl.read(), time.monotonic()
        with context.status(f"{threads} threads ..."):
            stepping.seconds_a_step(context, run_file, Layout(1, threads), domain.settings())
        seconds = time.monotonic() - begun
        used = rapl.joules(before, rapl.read()) / context.repeats
        found.append({"threads": threads, "joules": used, "watts": used * context.repeats / seconds})
    return {"domain": str(domain), "steps": domain.steps, "runs": found}


def energy_tables(found: Found) -> list[Table]:
    rows = [[str(r["threads"]), f"{r['joules']:.1f}", f"{r['watts']:.1f}"] for r in found["runs"]]
    title = f"{found['steps']} steps of {found['domain']} cells, start-up included"
    return [Table(title, ["threads", "J", "W"], rows)]


def draw_energy(found: Found, published: Published | None) -> Figure:
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    charts.bars(
        right, [str(r["threads"]) for r in found["runs"]], {"J": [r["joules"] for r in found["runs"]]}
    )
    right.set(xlabel="threads", ylabel="energy of a run (J)")
    return figure


ITEMS = (
    Item(
        "council-messages", STUDY, "Messages by size: number and bytes against ranks",
        "What a step of a domain of 425 x 300 x 35 cells, the size of the 12 km CONUS case, sends on 4 to 32 "
        "ranks, as a library between model and MPI counts it.",
        3, measure_messages, message_tables, draw_messages,
    ),
    Item(
        "council-affinity", STUDY, "One run over the machine against two side by side, pinned and not",
        "Steps of the supercell by one run on all cores, and by two on half of them each; threads kept to "
        "cores, and left to the system.",
        2, measure_affinity, affinity_tables, draw_affinity,
    ),
    Item(
        "council-huge-pages", STUDY, "Huge pages on and off",
        "Time of a step of the supercell with the huge pages that the model asks for, and where the system "
        "gives none.",
        1, measure_pages, page_tables, draw_pages,
    ),
    Item(
        "council-energy", STUDY, "Energy of a run",
        "Joules of the processor's sockets (RAPL) for the same steps on one core and on all.",
        1, measure_energy, energy_tables, draw_energy,
    ),
)  # fmt: skip
