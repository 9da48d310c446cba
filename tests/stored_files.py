"""What the tests of commands about stored files share: files, and runs of a writer that is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import netCDF4
import numpy as np

MODEL = Path(os.environ.get("SQUALL_MODEL", "build/release/model/squall-model"))
IO = MODEL.resolve().parents[1] / "io"
TOOL = Path(os.environ.get("SQUALL_IO", IO / "tools" / "squall-io"))
WRITER = IO / "tests" / "io_endless_writer"


def engines():
    said = subprocess.run([TOOL, "engines", "--json"], capture_output=True, text=True, check=True)
    return [engine["name"] for engine in json.loads(said.stdout) if not engine["missing"]]


def write_sample(path, frames=3, first=0):
    """Fields of all types, per frame and fixed in time, with numbers, text and attributes."""
    noise = np.random.default_rng(1)
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.setncatts({"TITLE": "sample", "DX": np.float32(1000.0), "P0": 1e5, "GRID_ID": np.int32(1)})
        file.createDimension("when", None)
        for name, size in {"z": 4, "y": 9, "x": 11, "DateStrLen": 19}.items():
            file.createDimension(name, size)
        fields = {
            "Times": ("S1", ("when", "DateStrLen")),
            "STEP": ("i4", ("when",)),
            "T": ("f4", ("when", "z", "y", "x")),
            "PACKED": ("i2", ("when", "y", "x")),
            "HGT": ("f8", ("y", "x")),
        }
        for name, (kind, dimensions) in fields.items():
            fill = -32768 if name == "PACKED" else None
            field = file.createVariable(name, kind, dimensions, fill_value=fill)
            field.setncatts({"units": "1", "level": np.float64(0.5)})
        file.set_auto_maskandscale(False)
        file["PACKED"].setncatts({"scale_factor": np.float32(0.01), "add_offset": np.float32(5.0)})
        file["HGT"][:] = noise.random((9, 11))
        for frame in range(frames):
            text = f"2000-01-01_{first + frame:02d}:00:00"
            file["Times"][frame] = np.frombuffer(text.encode(), "S1")
            file["STEP"][frame] = first + frame
            file["T"][frame] = noise.random((4, 9, 11)) + first + frame
            file["PACKED"][frame] = noise.integers(-32000, 32000, (9, 11))
    return path


def content(path):
    """Everything in a netCDF file, in a form that compares."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)

        def attributes(of):
            return {name: (np.asarray(value).dtype.kind, str(value)) for name, value in of.__dict__.items()}

        return {
            "attributes": attributes(file),
            "dimensions": {name: (len(d), d.isunlimited()) for name, d in file.dimensions.items()},
            "fields": {
                name: (v.dimensions, v.dtype.str, attributes(v), np.asarray(v[:]).tobytes())
                for name, v in file.variables.items()
            },
        }


def peak_of(*command):
    """Megabytes of memory that a command had at most."""
    script = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", script, *map(str, command)], capture_output=True, text=True, check=True
    )
    return float(said.stdout)


def manifest_of(run):
    lines = (run / "endless.manifest.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def killed_run(run, frames_per_file, *more, ready):
    """Starts a writer in `run` and kills it when `ready(events)`; returns the manifest's events."""
    run.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [WRITER, f"{run}/", str(frames_per_file), *map(str, more)], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout.readline()
        deadline = time.monotonic() + 60
        while not ((run / "endless.manifest.jsonl").exists() and ready(manifest_of(run))):
            assert time.monotonic() < deadline, "the writer does not come on"
            time.sleep(0.005)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return manifest_of(run)


def frames_in(run, name):
    with netCDF4.Dataset(run / name) as file:
        return file["A"][:, 0, 0].tolist()


def stored(events):
    return [event for event in events if event["event"] == "stored"]


def published(events):
    return [event["file"] for event in events if event["event"] == "published"]
