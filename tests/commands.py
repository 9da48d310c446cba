"""Runs the command `squall` as a process of its own, forked from one that has imported it already: imports
take longer than what most tests ask of it."""

import multiprocessing
import os
import subprocess
import sys
import tempfile

#: What commands import, with what these import only where they need it.
IMPORTED = (
    "squall.cli", "squall.lab", "squall.plot", "squall.prepare", "squall.reader.dataset", "cftime",
    "dask.array", "eccodes", "matplotlib.pyplot", "netCDF4", "pyproj", "scipy.interpolate", "xarray", "zarr",
)  # fmt: skip

_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(list(IMPORTED))


def squall(arguments, cwd, timeout=300, drawn=True, **environment):
    """The finished process of `squall ARGUMENTS` in the directory `cwd`, with variables beside this
    process's own. drawn=False: `prepare` leaves out its pictures, which take longer than all else that it
    does. Raises subprocess.TimeoutExpired."""
    whole = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | environment
    words = [str(argument) for argument in arguments]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        files = [multiprocessing.reduction.DupFd(file.fileno()) for file in (out, err)]
        process = _processes.Process(target=_main, args=(words, str(cwd), whole, drawn, *files))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, timeout)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(
            ["squall", *words], process.exitcode, out.read().decode(), err.read().decode()
        )


def _main(words, cwd, environment, drawn, out, err):
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(out.detach(), 1)
    os.dup2(err.detach(), 2)
    sys.argv = ["-c", *words]
    from squall.cli import main
    from squall.commands import preparation

    if not drawn:
        preparation._draw = lambda made: None
    main()
