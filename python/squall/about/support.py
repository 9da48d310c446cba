"""`squall support`: one archive of what somebody needs to see who helps with a run, without whose it is."""

import io
import json
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from squall import machine, versions
from squall.about.redaction import Redaction
from squall.errors import UserError
from squall.runs import run_state
from squall.runs.manifest import ENDING

# Of a run of Squall's, and of WRF's.
_LOGS = ("run.log", "run.toml", "status.json", "io-report.json", "forecast.toml", "namelist.input",
         "namelist.output", "squall_io.toml", "rsl.error.0000", "rsl.out.0000")  # fmt: skip
_MOST = 2 << 20  # bytes of a file: its beginning and its end
_LEFT_OUT = ("host", "machine", "pid", "process")  # of the status: they identify a machine and a process
_PACKAGES = ("squall", "numpy", "xarray", "netCDF4", "matplotlib", "dask", "zarr", "pyproj", "scipy",
             "mpi4py", "eccodes", "cftime", "typer", "rich")  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A file of the archive: its name, its text, and in words what it is."""

    name: str
    text: str
    about: str


def archive(run: Path, output: Path | None) -> tuple[Path, list[Part]]:
    """Writes the archive and returns it with what is in it. output: its path; None: support-NAME.tar.gz in
    the current directory. Raises UserError where there is no run, or nothing can be written."""
    if not run.is_dir():
        raise UserError(f"There is no run directory {run}.")
    if not any((run / name).is_file() for name in _LOGS):
        raise UserError(f"{run} is not a run directory: it has none of {', '.join(_LOGS)}.")
    parts = list(_parts(run, _redaction(run)))
    path = output or Path(f"support-{run.resolve().name}.tar.gz")
    contents = "".join(f"{part.name:32} {part.about}\n" for part in parts)
    parts.append(Part("CONTENTS.txt", contents, "this list"))
    try:
        with tarfile.open(path, "w:gz") as tar:
            for part in parts:
                _add(tar, part)
    except OSError as error:
        raise UserError(
            f"{path} cannot be written: {error.strerror}. Choose another file with --output.", 1
        ) from None
    return path, parts


def _add(tar: tarfile.TarFile, part: Part) -> None:
    """Without the owner's name that tar would add."""
    content = part.text.encode(errors="replace")
    entry = tarfile.TarInfo(f"support/{part.name}")
    entry.size, entry.mtime, entry.mode = len(content), int(time.time()), 0o644
    tar.addfile(entry, io.BytesIO(content))


def _redaction(run: Path) -> Redaction:
    try:
        told = run_state.read(run) or {}
    except UserError:
        told = {}
    hosts = [str(told["host"])] if told.get("host") else []
    return Redaction({"RUN": run}, hosts)


def _parts(run: Path, redact: Redaction) -> Iterator[Part]:
    for name in _LOGS:
        text = _read(run / name)
        if text is not None:
            if name == "status.json":
                text = _status(text)
            yield Part(f"run/{name}", redact(text), _ABOUT.get(name, "of the run"))
    for path in sorted(run.glob(f"*{ENDING}")):
        text = _read(path)
        if text is not None:
            yield Part(f"run/{path.name}", redact(_brief(text)), "what a stream published, without checksums")
    yield Part("files.txt", redact(_listing(run)), "names, sizes and times of the run's files")
    yield Part("versions.txt", _versions(redact), "of Squall, the model and its Python packages")
    yield Part("machine.txt", redact(_machine()), "processor, memory, MPI and what `squall doctor` says")


_ABOUT = {
    "run.log": "what the run said",
    "run.toml": "the run file",
    "status.json": "state and progress, without machine and process",
    "io-report.json": "what output cost",
    "namelist.input": "WRF's settings",
}


def _read(path: Path) -> str | None:
    """The beginning and the end of a large file. No links: they may lead anywhere."""
    if path.is_symlink() or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size <= _MOST:
                return file.read().decode(errors="replace")
            first = file.read(_MOST // 2)
            file.seek(-_MOST // 2, 2)
            cut = f"\n... {size - _MOST} bytes left out ...\n"
            return first.decode(errors="replace") + cut + file.read().decode(errors="replace")
    except OSError as error:
        return f"cannot be read: {error.strerror}\n"


def _status(text: str) -> str:
    try:
        told = json.loads(text)
        return (
            json.dumps({key: value for key, value in told.items() if key not in _LEFT_OUT}, indent=1) + "\n"
        )
    except (ValueError, AttributeError):
        return text


def _brief(text: str) -> str:
    """Lines without the checksums of all fields."""
    out = []
    for line in text.splitlines():
        try:
            event = json.loads(line)
            out.append(json.dumps({key: value for key, value in event.items() if key != "fields"}))
        except (ValueError, AttributeError):
            out.append(line[:200])
    return "\n".join(out) + "\n"


def _listing(run: Path) -> str:
    lines = []
    for path in sorted(run.rglob("*")):
        if len(path.relative_to(run).parts) > 2:
            continue  # what engines put into their directories
        try:
            told = path.lstat()
        except OSError:
            continue
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(told.st_mtime))
        kind = "/" if path.is_dir() else ("@" if path.is_symlink() else "")
        lines.append(f"{told.st_size:14d}  {at}  {path.relative_to(run)}{kind}")
    return "\n".join(lines) + "\n"


def _versions(redact: Redaction) -> str:
    lines = [redact(versions.line())]  # numbers of packages can look like addresses
    for name in _PACKAGES:
        try:
            lines.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return "\n".join(lines) + "\n"


def _machine() -> str:
    from squall import doctor

    total, free = machine.memory()
    lines = [
        f"processor {machine.processor()}, {machine.cores()} cores, {', '.join(machine.caches())}",
        f"memory {total:.1f} GiB, {free:.1f} GiB free",
        "",
    ]
    lines += [f"{f.state:8} {f.what}: {f.found}" for f in doctor.examine()]
    return "\n".join(lines) + "\n"
