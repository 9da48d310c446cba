"""Makes the seeds of the corpus anew from real output: python io/fuzz/make_seeds.py SQUALL_IO WRITER

SQUALL_IO is the program squall-io, WRITER io_endless_writer of the tests. What a fuzzer found wrong is added
by hand, under the name of what it was.
"""

import json
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import netCDF4
import numpy as np

CORPUS = Path(__file__).parent / "corpus"


def sample(path, kind):
    """A frame or two of a field of every kind."""
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.setncatts({"TITLE": "seed", "DX": np.float32(1000), "P0": 1e5, "ID": np.int32(1)})
        file.createDimension("Time", None)
        for name, size in {"y": 2, "x": 3, "letters": 4}.items():
            file.createDimension(name, size)
        file.createVariable("Times", "S1", ("Time", "letters"))[0] = np.frombuffer(b"noon", "S1")
        file.createVariable("STEP", "i4", ("Time",))[0] = 7
        file.createVariable("T", "f4", ("Time", "y", "x"))[0] = np.arange(6).reshape(2, 3)
        file.createVariable("P", "i2", ("Time", "x"), fill_value=-1)[0] = np.arange(3)
        file.createVariable("H", "f8", ("y", "x"))[:] = 0.5
        file["T"].units = "K"


def keep(kind, name, data):
    (CORPUS / kind).mkdir(parents=True, exist_ok=True)
    (CORPUS / kind / name).write_bytes(data)


def compact(document, arrays):
    """The metadata of a store in as few bytes as show all there is: what is small is tried more often."""
    group = json.loads(document)
    found = group["consolidated_metadata"]["metadata"]
    group["consolidated_metadata"]["metadata"] = {name: found[name] for name in arrays}
    return json.dumps(group, separators=(",", ":")).encode()


def zarr(tool, work, source):
    """Metadata, and shards of the array that the fuzzer of shards has, under each of its choices."""
    for codec in ("none", "zstd", "blosc-zstd"):
        out = work / f"{codec}.zarr"
        subprocess.run([tool, "convert", source, out, "--engine", "zarr", "--codec", codec], check=True)
        arrays = ("Times", "STEP", "P") if codec == "none" else ("Times", "T")
        keep("zarr_metadata", codec, compact((out / "zarr.json").read_bytes(), arrays))
    for chunk in ("c.0.0.0", "c.0"):
        for found in out.glob(f"*/{chunk}"):
            keep("zarr_shard", f"{found.parent.name}", bytes([2 | 8]) + found.read_bytes())
    plain = np.arange(80, dtype="<f4").tobytes()
    keep("zarr_shard", "bytes", b"\x00" + plain)
    one = np.arange(20, dtype="<f4").tobytes()
    index = b"".join(struct.pack("<QQ", n * len(one), len(one)) for n in range(4))
    keep("zarr_shard", "shard", b"\x08" + 4 * one + index)
    keep("zarr_shard", "shard_index_first", b"\x48" + index + 4 * one)
    keep("zarr_shard", "texts", b"\x03" + struct.pack("<I", 2) + 2 * (struct.pack("<I", 3) + b"abc"))


def manifest(writer, work):
    """Of a run that was killed."""
    run = work / "run"
    run.mkdir()
    process = subprocess.Popen([writer, f"{run}/", "2"], stdout=subprocess.PIPE)
    path = run / "endless.manifest.jsonl"
    while not path.exists() or len(path.read_bytes().splitlines()) < 6:
        time.sleep(0.005)
    process.kill()
    lines = path.read_bytes().splitlines(keepends=True)[:6]
    keep("manifest", "killed", b"".join(lines) + lines[1][:40])
    held = {"event": "burst", "file": "x.nc", "held": "/burst/x.nc.part"}
    keep("manifest", "burst", b"".join(lines[:3]) + json.dumps(held).encode() + b"\n")


def main(tool, writer):
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        for kind, name in (
            ("NETCDF3_CLASSIC", "cdf1"),
            ("NETCDF3_64BIT_OFFSET", "cdf2"),
            ("NETCDF3_64BIT_DATA", "cdf5"),
        ):
            sample(work / name, kind)
            keep("classic", name, (work / name).read_bytes())
        subprocess.run([tool, "convert", work / "cdf2", work / "s", "--engine", "netcdf-split"], check=True)
        keep("split_index", "one_writer", (work / "s" / "index.json").read_bytes())
        keep("split_part", "one_writer", (work / "s" / "part_000000.nc.index").read_bytes()[:-4])
        subprocess.run([tool, "convert", work / "cdf2", work / "a", "--engine", "adios"], check=False)
        if (work / "a" / "md.idx").exists():
            keep("adios_index", "one_step", (work / "a" / "md.idx").read_bytes())
        zarr(tool, work, work / "cdf2")
        manifest(writer, work)


if __name__ == "__main__":
    main(*sys.argv[1:])
