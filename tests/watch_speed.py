"""How fast the page of `squall watch` is: from a frame's publishing to the page's having it and to its being
drawn, and while a large domain is moved about. `tools/watch-speed` prints it."""

import contextlib
import json
import os
import re
import statistics
import sys
import time
from pathlib import Path

import netCDF4
import numpy as np

from browser import browser
from watched import SECONDS, publish, serving, write_earth

DRAWN = ".map[data-drawn]:not([data-drawn=''])"
LARGE = (2000, 2000, 60)

# Notes when news, tiles and pictures come [ms since 1970], and how long each turn of the page's script takes.
_NOTES = """
    const notes = (window.notes = { news: [], tiles: [], drawn: [], turns: [] });
    const now = () => performance.timeOrigin + performance.now();
    const { EventSource, fetch, requestAnimationFrame } = window;
    window.EventSource = class extends EventSource {
        constructor(address) {
            super(address);
            this.addEventListener("message", () => notes.news.push(now()));
        }
    };
    window.fetch = async (address, ...rest) => {
        const answer = await fetch(address, ...rest);
        if (String(address).includes("api/tile")) notes.tiles.push(now());
        return answer;
    };
    window.requestAnimationFrame = (turn) => requestAnimationFrame((at) => {
        const began = performance.now();
        turn(at);
        notes.turns.push(performance.now() - began);
    });
    const note = ({ target }) => notes.drawn.push([target.dataset.drawn, now()]);
    new MutationObserver((changes) => changes.forEach(note)).observe(
        document, { subtree: true, attributeFilter: ["data-drawn"] });
"""

# Moves the map to and fro with a hand that is down, and says how many pictures a second the browser made.
_PAN = """
async ([x, y, seconds]) => {
    const map = document.querySelector(".map");
    const say = (type, x, y) => map.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, pointerType: "touch", button: 0, clientX: x, clientY: y, bubbles: true }));
    map.setPointerCapture = () => {};
    say("pointerdown", x, y);
    const began = performance.now(), at = [];
    await new Promise((done) => {
        const turn = (now) => {
            at.push(now);
            const share = (now - began) / 1000;
            say("pointermove", x + 300 * Math.sin(2 * share), y + 200 * Math.sin(3 * share));
            if (share < seconds || at.length < 9) requestAnimationFrame(turn); else done();
        };
        requestAnimationFrame(turn);
    });
    say("pointerup", x, y);
    return at;
}
"""


def _processor_ms():
    """Processor time of the browser, which other work of the machine hardly changes [ms], by the kind of its
    processes: "renderer" has the page and its script, "gpu-process" draws, "browser" is the rest."""
    tick = 1000 / os.sysconf("SC_CLK_TCK")
    found = {"renderer": 0.0, "gpu-process": 0.0, "browser": 0.0}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_text()  # Chromium puts spaces between its own
            if "chrom" in words.partition("\0")[0]:
                kind = (re.findall(r"--type=([\w-]+)", words) or ["browser"])[0]
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                took = tick * (int(fields[11]) + int(fields[12]))
                found[kind if kind in found else "browser"] += took
    return found


def write_large(directory):
    """A run of one frame with one field of LARGE points, of which two layers are written."""
    nx, ny, nz = LARGE
    directory.mkdir(parents=True)
    file = directory / "history_d01_2000-01-01_00-00-00.nc"
    with netCDF4.Dataset(file, "w", format="NETCDF3_64BIT_DATA") as data:
        data.set_fill_off()
        data.setncatts({"DX": 1000.0, "DY": 1000.0, "START_DATE": "2000-01-01_00:00:00"})
        for name, size in {"Time": 1, "bottom_top": nz, "south_north": ny, "west_east": nx}.items():
            data.createDimension(name, size)
        xtime = data.createVariable("XTIME", "f8", ("Time",))
        xtime.units = "minutes since 2000-01-01 00:00:00"
        xtime[:] = 0
        field = data.createVariable("T", "f4", ("Time", "bottom_top", "south_north", "west_east"))
        field.setncatts({"units": "K", "description": "perturbation potential temperature"})
        field[0, nz - 1] = 0  # the file is as long as it says
        field[0, 0] = _weather(nx, ny)
    return directory


def _weather(nx, ny):
    """Noise whose energy falls with the -5/3 power of the wavenumber, as the atmosphere's."""
    k = np.hypot(np.fft.fftfreq(ny)[:, None] * ny, np.fft.rfftfreq(nx)[None, :] * nx)
    phase = np.random.default_rng(1).uniform(0, 2 * np.pi, k.shape)
    waves = np.where(k > 0, np.maximum(k, 1) ** (-4 / 3), 0) * np.exp(1j * phase)
    field = np.fft.irfft2(waves, (ny, nx))
    return (10 * field / field.std()).astype("f4")


def panning(chromium, run, seconds):
    """Of the lowest layer of a large run, a part of it at the grid's own resolution: pictures a second, the
    95th percentile of the time between two [ms], processor time of the browser for a picture [ms], in all and
    of each kind of its processes, the median and the 95th percentile of what the page's script takes of one
    [ms], and bytes of fields that came for the first picture and for all later ones."""
    with serving(run) as address:
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(1000 * SECONDS)
        page.add_init_script(_NOTES)
        came = []
        page.on("response", lambda response: came.append(_bytes(response)))
        page.goto(f"{address}#v=0~history~1~T~0~~&c=&wind=off&at=1000,1000,1")
        page.locator(DRAWN).first.wait_for()
        first = sum(came)
        came.clear()
        page.evaluate("notes.turns.length = 0")
        box = page.locator(".map").bounding_box()
        processor = _processor_ms()
        at = page.evaluate(_PAN, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, seconds])
        processor = {kind: (took - processor[kind]) / len(at) for kind, took in _processor_ms().items()}
        # In a picture the hand moves in one turn, and the map in another.
        script = np.add(*(np.resize(page.evaluate("notes.turns"), (len(at) - 1, 2)).T))
        page.locator(DRAWN).first.wait_for()
        page.close()
    between = np.diff(at)
    return {
        "pictures_per_second": 1000 / between.mean(), "slow_ms": float(np.percentile(between, 95)),
        "processor_ms": sum(processor.values()), "processor_of": processor,
        "script_ms": float(np.median(script)), "slow_script_ms": float(np.percentile(script, 95)),
        "first_bytes": first, "later_bytes": sum(came), "seconds": seconds,
    }  # fmt: skip


def _bytes(response):
    return int(response.headers["content-length"]) if "/api/tile" in response.url else 0


def latency(chromium, folder, frames=10):
    """From publishing [s], of some frames: until the page is told, until it has the values, and until they
    are drawn."""
    made = write_earth(folder / "made", [600 * k for k in range(frames + 1)])
    run = folder / "run"
    run.mkdir()
    publish(run, made, 0)
    found = {"told": [], "here": [], "drawn": []}
    with serving(run) as address:
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(1000 * SECONDS)
        page.add_init_script(_NOTES)
        page.goto(f"{address}#v=0~history~1~theta~0~~&c=&wind=off")
        page.locator(DRAWN).first.wait_for()
        for k in range(1, frames + 1):
            page.wait_for_timeout(300)
            page.evaluate("for (const one of Object.values(notes)) one.length = 0")
            publish(run, made, 600 * k)
            began = time.time()
            page.locator(f".map[data-drawn*=',{600 * k},']").wait_for()
            notes = page.evaluate("notes")
            drawn = next(at for what, at in notes["drawn"] if f",{600 * k}," in what)
            for key, at in (("told", notes["news"][0]), ("here", notes["tiles"][0]), ("drawn", drawn)):
                found[key].append(at / 1000 - began)
        page.close()
    return found


def main(folder):
    """Twice: layers of the page put together by WebGL, which is software here, and without it."""
    large = write_large(folder / "large")
    told = {}
    for by_cpu in (False, True):
        with browser(by_cpu) as chromium:
            name = "layers by the processor" if by_cpu else "layers by WebGL"
            (folder / name).mkdir()
            waits = latency(chromium, folder / name)
            told[name] = {
                "seconds_from_publishing": {
                    key: {"median": statistics.median(took), "longest": max(took)}
                    for key, took in waits.items()
                },
                "panning": panning(chromium, large, 10),
            }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
