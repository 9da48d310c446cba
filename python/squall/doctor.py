"""`squall doctor`: what this machine has for building and running Squall."""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from packaging.specifiers import SpecifierSet
from packaging.version import Version
from rich.table import Table

from squall import forms, grib_library, locate, machine, mpi, needed
from squall.errors import UserError
from squall.fetch import tables
from squall.needed import Package, System


@dataclass(frozen=True)
class Finding:
    """One thing looked for. `missing`: Squall requires it; `optional`: Squall works without it."""

    what: str
    state: Literal["ok", "missing", "optional"]
    found: str
    debian: str = ""
    advice: str = ""


def examine() -> list[Finding]:
    """Examines the whole machine."""
    return [
        *_hardware(),
        *_build_tools(),
        *_libraries(),
        *_parallel(),
        _model(),
        *_loaded(),
        *_device(),
        _tables(),
        *_engines(),
        *_python(),
        *_helpers(),
    ]


def _first_line(*command: str) -> str | None:
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    lines = said.stdout.strip().splitlines()
    return lines[0].strip() if said.returncode == 0 and lines else None


def _hardware() -> list[Finding]:
    total, free = machine.memory()
    usable, cores = len(os.sched_getaffinity(0)), machine.cores()
    threads = f", {usable} hardware threads" if usable != cores else ""
    return [
        Finding("processor", "ok", machine.processor()),
        Finding("cores", "ok", f"{cores}{threads}"),
        Finding("caches of a core", "ok", ", ".join(machine.caches()) or "unknown"),
        Finding("memory", "ok", f"{total:.1f} GiB, {free:.1f} GiB free"),
    ]


def _build_tools() -> list[Finding]:
    return [_program(system) for system in _of_build() if system.program]


def _libraries() -> list[Finding]:
    return [_library(system) for system in _of_build() if system.modules]


def _of_build() -> list[System]:
    if _is_installed():
        return []
    return [system for system in needed.systems().values() if "build" in system.set_ups]


def _is_installed() -> bool:
    """Whether the model came beside this Python's `squall`, outside a checkout: nothing is built here."""
    beside = Path(sysconfig.get_path("scripts")) / "squall-model"
    return beside.is_file() and not (locate.CHECKOUT / "CMakeLists.txt").is_file()


def _absent(system: System) -> Literal["missing", "optional"]:
    # Without what a build needs an installed model still runs: only a checkout needs it.
    return "missing" if (locate.CHECKOUT / "CMakeLists.txt").is_file() and not system.use else "optional"


def _program(system: System) -> Finding:
    program = os.environ.get(system.variable) or system.program
    debian = " ".join(system.debian)
    said = _first_line(program, "--version")
    if said is None:
        found = shutil.which(program)  # some have no --version
        return Finding(system.what, "ok" if found else _absent(system), found or "not found", debian)
    is_ = re.search(r"\d+(\.\d+)+", said)
    if system.min and is_ and Version(is_[0]) < Version(system.min):
        return Finding(system.what, _absent(system), f"{said}: {system.min} or later is needed", debian)
    return Finding(system.what, "ok", said, debian)


def _library(system: System) -> Finding:
    debian = " ".join(system.debian)
    for module in system.modules:
        found = _first_line("pkg-config", "--modversion", module)
        if found:
            return Finding(system.what, "ok", f"{found} ({module})", debian)
    return Finding(system.what, _absent(system), "not found", debian)


def _parallel() -> list[Finding]:
    launcher = machine.launcher()
    if launcher is None:
        return [Finding("mpirun", "optional", "not found: runs can use one rank only", "openmpi-bin")]
    found = [Finding("mpirun", "ok", f"{launcher.version} ({launcher.path})")]
    if launcher.is_open_mpi:
        found.append(_open_mpi_threads())
        found.append(
            Finding(
                "ssh, for mpirun",
                "ok" if shutil.which("ssh") else "missing",
                shutil.which("ssh") or "not found",
                "openssh-client",
            )
        )
    return found


def _open_mpi_threads() -> Finding:
    said = subprocess.run(["ompi_info"], capture_output=True, text=True, check=False).stdout
    lines = [line.partition(":")[2].strip() for line in said.splitlines() if "Thread support" in line]
    multiple = any("MPI_THREAD_MULTIPLE: yes" in line for line in lines)
    level = "MPI_THREAD_MULTIPLE" if multiple else (lines or ["unknown"])[0]
    return Finding("threads with MPI", "ok" if lines else "optional", level, "openmpi-bin")


def _wanted() -> Literal["missing", "optional"]:
    """State of a program that is not found: an installation for analysis alone needs none."""
    named = "SQUALL_MODEL" in os.environ or "SQUALL_IO" in os.environ
    return "missing" if named or (locate.CHECKOUT / "CMakeLists.txt").is_file() else "optional"


def _model() -> Finding:
    try:
        model = locate.model_binary()
    except UserError:
        return Finding("squall-model", _wanted(), "not found", advice="Build the model: make build")
    version = _first_line(str(model), "--version")
    if version is None:
        return Finding(
            "squall-model",
            "missing",
            f"{model} does not start",
            advice="Build the model again: make clean build",
        )
    return Finding("squall-model", "ok", f"{version} ({model})")


def _device() -> list[Finding]:
    """The graphics processor that the model can use."""
    try:
        model = locate.model_binary()
    except UserError:
        return []
    said = subprocess.run([str(model), "--devices"], capture_output=True, text=True, check=False)
    found = said.stdout.strip()
    if said.returncode == 0:
        return [Finding("graphics processor", "ok", f"{found} (squall run --device gpu)")]
    return [Finding("graphics processor", "optional", found)] if found else []


def _loaded() -> list[Finding]:
    """What the model loads: its steps, where they have forms for several types of processors, and MPI."""
    try:
        model = locate.model_binary()
    except UserError:
        return []
    found = mpi.library(model)
    return [*_forms(model), *([_mpi(*found)] if found else [])]


def _forms(model: Path) -> list[Finding]:
    there = forms.of(model)
    if not there:
        return []
    if there.taken:
        return [Finding("compiled for", "ok", f"{there.taken}, of {', '.join(there.there)} in the wheel")]
    advice = "Build the model on this machine: make build, in Squall's checkout"
    return [Finding("compiled for", "missing", f"{forms.NEEDED}, which this one is not", advice=advice)]


def _mpi(name: str, where: Path | None) -> Finding:
    if where:
        return Finding("MPI library", "ok", f"{mpi.version(where)} ({where})")
    advice = (
        f"Install the MPI library: pip install mpich, or let {mpi.VARIABLE} name the folder of another one"
    )
    return Finding("MPI library", "missing", f"{name} was not found", advice=advice)


def _tables() -> Finding:
    if not tables.missing(tables.cache()):
        return Finding("tables of radiation", "ok", str(tables.cache()))
    if folder := tables.installed():
        return Finding("tables of radiation", "ok", f"{folder}, without the fine ones")
    return Finding(
        "tables of radiation",
        "optional",
        "not found",
        advice='For radiation = "rrtmgp": squall fetch radiation',
    )


def _engines() -> list[Finding]:
    try:
        program = locate.io_binary()
    except UserError:
        return [Finding("squall-io", _wanted(), "not found", advice="Build the tools: make build")]
    said = subprocess.run([program, "engines", "--json"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        return [
            Finding(
                "squall-io",
                "missing",
                f"{program} does not start",
                advice="Build the tools again: make clean build",
            )
        ]
    return [Finding("squall-io", "ok", str(program)), *map(_engine, json.loads(said.stdout))]


def _engine(engine: dict[str, Any]) -> Finding:
    what = f"engine {engine['name']}"
    if engine["missing"]:
        return Finding(what, "optional", f"not in this build: {engine['missing']}")
    options = ", ".join(option["name"] for option in engine["options"])
    said = f"{engine['makes']}; codecs: {', '.join(engine['codecs'])}"
    return Finding(what, "ok", said + (f"; options: {options}" if options else ""))


def _python() -> list[Finding]:
    listed = needed.packages().values()
    return [
        Finding("Python", "ok", f"{sys.version.split()[0]} ({sys.executable})"),
        *(_package(package) for package in listed if package.of_users or package.use),
    ]


def _package(package: Package) -> Finding:
    state: Literal["missing", "optional"] = "missing" if "squall" in package.of else "optional"
    try:
        version = importlib.metadata.version(package.name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(package.name, state, "not found", advice=_how_to_install(package))
    if Version(version) not in SpecifierSet(package.versions, prereleases=True):
        why = f" ({package.why})" if package.below else ""
        wanted = f"{version}, which is not {package.versions}{why}"
        return Finding(package.name, state, wanted, advice=_how_to_install(package))
    return _eccodes(version) if package.name == "eccodes" else Finding(package.name, "ok", version)


def _eccodes(version: str) -> Finding:
    """The package may be there without its library. Tried in a process of its own: a broken one ends it."""
    ask = "from squall import grib_library; print(grib_library.version())"
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False)
    if said.returncode == 0:
        return Finding("eccodes", "ok", f"{version}, with the library ecCodes {said.stdout.strip()}")
    why = "without the library ecCodes" if "UserError" in said.stderr else "which cannot be loaded"
    return Finding(
        "eccodes", "optional", f"{version}, {why}", advice=f"For GRIB files: {grib_library.ADVICE}"
    )


def _how_to_install(package: Package) -> str:
    if not package.of_users:
        return f"For {package.use}: pip install '{package.requirement}'"
    if (locate.CHECKOUT / "CMakeLists.txt").is_file():
        return "Set up the Python environment: make env"
    extra = "all" if "squall" in package.of else package.of[0]
    return f"Set up the Python environment: pip install '.[{extra}]' in Squall's checkout, or of its wheel"


def _helpers() -> list[Finding]:
    return [_program(system) for system in needed.systems().values() if system.program and not system.set_ups]


_MARKS = {"ok": "[green]ok[/green]", "missing": "[red]missing[/red]", "optional": "[yellow]optional[/yellow]"}


def table(findings: list[Finding]) -> Table:
    """The findings, one per row."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        table.add_row(_MARKS[finding.state], finding.what, finding.found)
    return table


def advice(findings: list[Finding]) -> list[str]:
    """How to install what is missing."""
    lines = []
    for state, word in (("missing", "Missing"), ("optional", "Optional")):
        absent = [finding for finding in findings if finding.state == state]
        packages = " ".join(dict.fromkeys(finding.debian for finding in absent if finding.debian))
        if packages:
            lines.append(f"{word}: sudo apt-get install {packages}")
        lines += dict.fromkeys(finding.advice for finding in absent if finding.advice)
    return lines or ["Nothing is missing."]
