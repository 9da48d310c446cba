"""The process that plots the frames of a run: a script as anybody would write it, which keeps a diary.

    python -m squall_studies.pipeline.plotter RUN FOLDER DIARY

Says that it is ready, and begins when it gets a line. Draws the updraught at 5 km of each frame into FOLDER;
DIARY gets a line of JSON for each: model time [s since the start], and when the frame was there, and its
plot, by the clock.
"""

import json
import sys
import time
from pathlib import Path

import xarray as xr

import squall
from squall.plot import figure, save
from squall.runs import run_state

NEEDED = {"W", "PH", "PHB", "XTIME"}  # the rest of a frame need not be read


def plot(frame: xr.Dataset, folder: Path) -> None:
    frame = frame[sorted(NEEDED & set(frame.variables))].load()
    save(figure(frame, "W", level="5 km"), folder / f"updraught-{int(frame['elapsed']):06d}.png")


def main(run: Path, folder: Path, diary: Path) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    while not (run / run_state.NAME).exists():
        time.sleep(0.02)
    with diary.open("w") as lines:
        for frame in squall.follow(run):
            got = time.time()
            plot(frame, folder)
            told = {"seconds": float(frame["elapsed"]), "got": got, "plotted": time.time()}
            print(json.dumps(told), file=lines, flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
