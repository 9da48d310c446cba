"""`squall doctor`: what this machine has for building and running Squall."""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Literal

from rich.table import Table

from squall import locate, machine
from squall.errors import UserError


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


def _tool(what: str, state: Literal["missing", "optional"], debian: str, *command: str) -> Finding:
    found = _first_line(*command)
    return Finding(what, "ok" if found else state, found or "not found", debian)


def _build_tools() -> list[Finding]:
    # Only a checkout needs these: an installed model runs without them.
    need: Literal["missing", "optional"] = (
        "missing" if (locate.CHECKOUT / "CMakeLists.txt").is_file() else "optional"
    )
    return [
        _tool("C++20 compiler", need, "build-essential", os.environ.get("CXX", "c++"), "--version"),
        _tool("CMake", need, "cmake", "cmake", "--version"),
        _tool("Ninja", need, "ninja-build", "ninja", "--version"),
        _tool("ccache", "optional", "ccache", "ccache", "--version"),
        _tool("Fortran compiler", "optional", "gfortran", os.environ.get("FC", "gfortran"), "--version"),
    ]


def _libraries() -> list[Finding]:
    need: Literal["missing", "optional"] = (
        "missing" if (locate.CHECKOUT / "CMakeLists.txt").is_file() else "optional"
    )
    return [
        _library(what, "optional" if what in OF_ENGINES else need, modules, debian)
        for what, (modules, debian) in LIBRARIES.items()
    ]


# Libraries of a build: the pkg-config modules that provide each, in order of preference, and the Debian
# package of the first. tools/bootstrap installs the same.
LIBRARIES = {
    "netCDF for C": (("netcdf-mpi", "netcdf"), "libnetcdf-mpi-dev"),
    "zstd": (("libzstd",), "libzstd-dev"),
    "JSON for Modern C++": (("nlohmann_json",), "nlohmann-json3-dev"),
    "toml++": (("tomlplusplus",), "libtomlplusplus-dev"),
    "CLI11": (("CLI11",), "libcli11-dev"),
    "spdlog": (("spdlog",), "libspdlog-dev"),
    "fmt": (("fmt",), "libfmt-dev"),
    "GoogleTest": (("gtest",), "libgtest-dev"),
    "Blosc": (("blosc",), "libblosc-dev"),
    "PnetCDF": (("pnetcdf",), "libpnetcdf-dev"),
}
OF_ENGINES = ("Blosc", "PnetCDF")  # a build works without these


def _library(
    what: str, state: Literal["missing", "optional"], modules: tuple[str, ...], debian: str
) -> Finding:
    for module in modules:
        found = _first_line("pkg-config", "--modversion", module)
        if found:
            return Finding(what, "ok", f"{found} ({module})", debian)
    return Finding(what, state, "not found", debian)


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
    found = [Finding("Python", "ok", f"{sys.version.split()[0]} ({sys.executable})")]
    install = (
        "make env"
        if (locate.CHECKOUT / "CMakeLists.txt").is_file()
        else "pip install '.[all]' in Squall's checkout"
    )
    for name in ("numpy", "xarray", "netCDF4", "matplotlib", "typer", "rich"):
        found.append(_package(name, "missing", f"Set up the Python environment: {install}"))
    # Zarr stores are read without it.
    without = "For squall.io, for squall.follow over a network, and to read .bp and .split in Python: "
    found.append(_package("mpi4py", "optional", f"{without}pip install mpi4py"))
    found.append(_package("xwrf", "optional", ""))
    return found


def _package(name: str, state: Literal["missing", "optional"], advice: str) -> Finding:
    try:
        return Finding(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, state, "not found", advice=advice or f"pip install {name}")


def _helpers() -> list[Finding]:
    wanted = {"ncdump": "netcdf-bin", "cdo": "cdo", "ncview": "ncview"}
    return [
        Finding(tool, "ok" if shutil.which(tool) else "optional", shutil.which(tool) or "not found", debian)
        for tool, debian in wanted.items()
    ]


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
