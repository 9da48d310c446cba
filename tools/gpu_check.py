#!/usr/bin/env python3
"""Checks the model on a graphics processor, then times it, and prints a table of each.

First the bits: some cases run on processors and twice on the device, with the same program, and all fields
of all frames are compared to the last bit. Two runs of the device differ where its threads race. Then what
NVIDIA's compute-sanitizer finds, where it is installed: addresses out of bounds, values never set. Last the
times of steps on a large domain, with the memory that they take.

Needs the device and Python, nothing else; it builds the preset gpu unless --program names a build. Exit
status 1: something differs, or was found. With --rehearse it needs no device: processors take its part, on
small domains, so that the script itself can be tried anywhere.

usage: tools/gpu_check.py [--program FILE] [--results FILE] [--only bits|sanitizer|times ...]
                          [--steps N] [--rehearse]
"""

import argparse
import array
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
DEVICE_MEMORY = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]


@dataclass(frozen=True)
class Case:
    name: str
    run_file: str
    changes: dict[str, str] = field(default_factory=dict)


NO_MIXING = {"diffusion.scheme": "none"}
WSM6 = {"physics.microphysics": "wsm6"}
SMAGORINSKY = {
    "domain.ny": "9",
    "diffusion.scheme": "smagorinsky-2d",
    "diffusion.surfaces": "physical",
    "diffusion.sixth_order": "monotonic",
}
#: Rows are of no whole vectors.
COMPARED = (
    Case("dry wave", "baroclinic-wave", {"domain.nx": "61", "domain.ny": "43", "domain.nz": "40"}),
    Case("storm, Kessler", "supercell", NO_MIXING),
    Case("storm, WSM6", "supercell", NO_MIXING | WSM6),
    Case("storm, Kessler and TKE", "supercell"),
    Case("storm, WSM6 and TKE", "supercell", WSM6),
    Case("mountains, Smagorinsky", "mountain-schaer", SMAGORINSKY),
)
LARGE = {"domain.nx": "512", "domain.ny": "512", "domain.nz": "64"}
TIMED = (
    Case("dry wave", "baroclinic-wave", LARGE),
    Case("storm, Kessler and TKE", "supercell", LARGE),
    Case("storm, WSM6 and TKE", "supercell", LARGE | WSM6),
)
#: What a rehearsal makes of any domain.
SMALL = {"domain.nx": "24", "domain.ny": "12", "domain.nz": "16"}


@dataclass(frozen=True)
class Checks:
    program: Path
    folder: Path
    device: str  # what takes the device's part
    small: bool

    def command(self, case: Case, device: str, steps: int, to: Path, frames: bool) -> list[str]:
        changes = dict(case.changes)
        if self.small:
            changes |= SMALL
        seconds = steps * self.time_step(case)
        changes |= {
            "run.directory": str(to),
            "run.duration": f"{seconds} s",
            "output.history.interval": f"{seconds if frames else 0} s",
            "output.history.engine": "zarr",
            "output.history.codec": "none",
        }
        run_file = ROOT / "run-files" / f"{case.run_file}.toml"
        settings = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
        return [str(self.program), str(run_file), "--device", device, "--overwrite", *settings]

    def time_step(self, case: Case) -> int:
        """Of its run file [s]."""
        text = (ROOT / "run-files" / f"{case.run_file}.toml").read_text()
        line = next(one for one in text.splitlines() if one.startswith("time_step"))
        return int(line.split('"')[1].removesuffix(" s"))

    def run(self, command: list[str]) -> None:
        allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        environment = os.environ | allowed
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode:
            ended(command, done.returncode, done.stdout + done.stderr)

    def compare(self, case: Case, steps: int) -> tuple[int, int, list[str]]:
        """How many values the frames have, how many differ, and whose they are."""
        folders = [self.folder / name for name in ("processors", "device", "again")]
        for folder, device in zip(folders, ("cpu", self.device, self.device), strict=True):
            self.run(self.command(case, device, steps, folder, frames=True))
        total = different = 0
        names: set[str] = set()
        for one in sorted(folders[0].rglob("c.*")):
            inside = one.relative_to(folders[0])
            value = one.read_bytes()
            found = [differing(value, (other / inside).read_bytes()) for other in folders[1:]]
            total += len(value) // 4
            different += sum(found)
            if found[0]:
                names.add(inside.parts[-2])
            elif found[1]:
                names.add(f"{inside.parts[-2]} (second run of the device alone)")
        return total, different, sorted(names)

    def sanitize(self, tool: str, case: Case) -> str:
        """What compute-sanitizer finds in two steps of a small domain: its last line."""
        small = Checks(self.program, self.folder, self.device, small=True)
        command = small.command(case, self.device, 2, self.folder / "sanitized", frames=False)
        checked = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", *command]
        done = subprocess.run(checked, capture_output=True, text=True, check=False)
        lines = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR SUMMARY" in line]
        return "nothing" if done.returncode == 0 else (lines[-1] if lines else f"status {done.returncode}")

    def time(self, case: Case, steps: int) -> tuple[float, float, int]:
        """The median of the seconds of a step without the first, million cell-steps a second, and the most
        memory of the device [MiB]."""
        timing = self.folder / "timing.json"
        command = self.command(case, self.device, steps, self.folder / "timed", frames=False)
        before = device_memory()
        with tempfile.TemporaryFile("w+") as said:
            running = subprocess.Popen(
                [*command, "--timing", str(timing)], stdout=said, stderr=subprocess.STDOUT, text=True
            )
            most = 0
            while running.poll() is None:
                most = max(most, device_memory() - before)
                try:
                    running.wait(1)
                except subprocess.TimeoutExpired:
                    continue
            if running.returncode:
                said.seek(0)
                ended(command, running.returncode, said.read())
        told = json.loads(timing.read_text())
        step = statistics.median(told["each_step"][1:])
        return step, told["cells"] / step / 1e6, most


def ended(command: list[str], status: int, said: str) -> NoReturn:
    """Ends the check with what a run of the model said."""
    sys.exit(f"gpu_check: {' '.join(command)}\nended with {status}:\n{said}")


def device_memory() -> int:
    """What is taken of it [MiB]; 0 where nobody says."""
    if not shutil.which(DEVICE_MEMORY[0]):
        return 0
    said = subprocess.run(DEVICE_MEMORY, capture_output=True, text=True, check=False).stdout.split()
    return int(said[0]) if said and said[0].isdigit() else 0


def differing(a: bytes, b: bytes) -> int:
    """How many values of four bytes differ; all where their number does."""
    if a == b:
        return 0
    if len(a) != len(b) or len(a) % 4:
        return max(len(a), len(b)) // 4 or 1
    return sum(x != y for x, y in zip(array.array("I", a), array.array("I", b), strict=True))


def build() -> Path:
    subprocess.run(["make", "-C", str(ROOT), "configure", "PRESET=gpu"], check=True)
    subprocess.run(["cmake", "--build", str(ROOT / "build/gpu"), "--target", "squall-model"], check=True)
    return ROOT / "build/gpu/model/squall-model"


def show(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[n]) for row in [heads, *rows]) for n in range(len(heads))]
    for row in (heads, *rows):
        first, *others = (
            word.ljust(w) if n == 0 else word.rjust(w)
            for n, (word, w) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join([first, *others]))
    print(flush=True)


def check_bits(checks: Checks, steps: int) -> tuple[bool, list[dict[str, Any]]]:
    rows, told = [], []
    for case in COMPARED:
        total, different, names = checks.compare(case, steps)
        said = "same" if different == 0 else f"{different} differ: {', '.join(names[:6])}"
        rows.append((case.name, str(steps), str(total), said))
        told.append({"case": case.name, "values": total, "different": different, "fields": names})
        print(f"{case.name}: {said}", flush=True)
    print()
    show(("bits, against processors", "steps", "values", "found"), rows)
    return all(one["different"] == 0 for one in told), told


def check_sanitizer(checks: Checks) -> tuple[bool, list[dict[str, Any]]]:
    if checks.device == "gpu" and not shutil.which("compute-sanitizer"):
        print("compute-sanitizer is not installed here: nothing was checked with it.\n")
        return True, []
    if checks.device != "gpu":
        return True, []
    told = [
        {"case": case.name, "tool": tool, "found": checks.sanitize(tool, case)}
        for case in COMPARED
        for tool in ("memcheck", "racecheck", "initcheck")
    ]
    show(("compute-sanitizer", "tool", "found"), [tuple(str(v) for v in one.values()) for one in told])
    return all(one["found"] == "nothing" for one in told), told


def check_times(checks: Checks, steps: int) -> list[dict[str, Any]]:
    rows, told = [], []
    for case in TIMED:
        step, rate, memory = checks.time(case, steps)
        in_gib = f"{memory / 1024:.1f}" if memory else "?"
        rows.append((case.name, f"{1e3 * step:.2f}", f"{rate:.0f}", in_gib))
        told.append({"case": case.name, "step": step, "million_cell_steps": rate, "memory_mib": memory})
    size = SMALL if checks.small else LARGE
    show((f"times, {' x '.join(size.values())}", "step, ms", "M cell-steps/s", "memory, GiB"), rows)
    return told


def read_arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    add = parser.add_argument
    parts = ["bits", "sanitizer", "times"]
    add("--program", type=Path, help="a squall-model with kernels for devices; default: builds it")
    add("--results", type=Path, help="writes what was found to this file (JSON)")
    add("--only", nargs="+", choices=parts, default=parts, help="these parts; default: all")
    add("--steps", type=int, default=20, help="of each run; default: 20")
    add("--rehearse", action="store_true", help="processors take the device's part, on small domains")
    options = parser.parse_args()
    if options.steps < 2:
        parser.error("--steps must be 2 or more: the first step is not timed")
    if options.program and not options.program.is_file():
        parser.error(f"--program {options.program} is not a file")
    return options


def main() -> int:
    options = read_arguments()
    program = (options.program or build()).resolve()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(program, Path(folder), "cpu" if options.rehearse else "gpu", options.rehearse)
        good = True
        told: dict[str, Any] = {"device": "rehearsed on processors"}
        if not options.rehearse:
            said = subprocess.run([str(program), "--devices"], capture_output=True, text=True, check=False)
            if said.returncode:
                sys.exit(f"gpu_check: {(said.stdout + said.stderr).strip()}")
            told["device"] = said.stdout.strip()
        print(f"Device: {told['device']}\n", flush=True)
        if "bits" in options.only:
            same, told["bits"] = check_bits(checks, options.steps)
            good &= same
        if "sanitizer" in options.only:
            clean, told["sanitizer"] = check_sanitizer(checks)
            good &= clean
        if "times" in options.only:
            told["times"] = check_times(checks, options.steps)
    if options.results:
        options.results.write_text(json.dumps(told, indent=1) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
