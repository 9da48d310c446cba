"""A server on this machine that has forecasts of GFS as NOAA's bucket has them: real GRIB records of a time,
dated anew for each start and lead, and the index beside each file."""

import re
import threading
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import eccodes

#: The shared data's file of such records.
FILE = "gfs.t12z.pgrbf120.2p5deg.grib2"
_NAMES = {"t": "TMP", "u": "UGRD", "gh": "HGT", "r": "RH", "absv": "ABSV"}  # the last, nobody wants
_SINGLE = {
    ("sp", "surface"): "PRES:surface", ("orog", "surface"): "HGT:surface", ("lsm", "surface"): "LAND:surface",
    ("t", "surface"): "TMP:surface", ("ci", "surface"): "ICEC:surface", ("sdwe", "surface"): "WEASD:surface",
    ("2t", "heightAboveGround"): "TMP:2 m above ground", ("2r", "heightAboveGround"): "RH:2 m above ground",
    ("10u", "heightAboveGround"): "UGRD:10 m above ground", ("prmsl", "meanSea"): "PRMSL:mean sea level",
}  # fmt: skip
_KEYS = ("shortName", "typeOfLevel", "level")
_AHEAD = timedelta(hours=120)  # of the records' own forecast


@cache
def records(file):
    """Records of a file, each with its name in an index. The wind's components share one, where ecCodes does
    not take them apart, as others in this process may have asked it to."""
    found = []
    eccodes.codes_grib_multi_support_off()
    with open(file, "rb") as source:
        while (message := eccodes.codes_grib_new_from_file(source)) is not None:
            name, kind, level = (eccodes.codes_get(message, key) for key in _KEYS)
            if kind == "isobaricInhPa" and name in _NAMES:
                found.append((f"{_NAMES[name]}:{level} mb", eccodes.codes_get_message(message)))
            elif (name, kind) in _SINGLE:
                found.append((_SINGLE[name, kind], eccodes.codes_get_message(message)))
            eccodes.codes_release(message)
    eccodes.codes_grib_multi_support_on()
    return found


def dated(record, valid):
    """A record whose forecast is valid at a time: its reference time is in bytes 12 to 18 of section 1."""
    at = valid - _AHEAD
    whole = bytearray(record)
    whole[28:30] = at.year.to_bytes(2, "big")
    whole[30:35] = bytes((at.month, at.day, at.hour, at.minute, at.second))
    return bytes(whole)


@cache
def whole_file(file, valid):
    """A file of one lead, and its index; wind's components share a record."""
    content, index = b"", []
    for number, (name, record) in enumerate(records(file), start=1):
        begin, valid_text = len(content), "d=2026010100"
        names = [name, name.replace("UGRD", "VGRD")] if name.startswith("UGRD") else [name]
        index += [f"{number}.{n}:{begin}:{valid_text}:{each}:fcst:" for n, each in enumerate(names, start=1)]
        content += dated(record, valid)
    return content, "\n".join(index).encode()


class Bucket:
    """What it is asked, and what goes wrong. missing: starts that are not there; faults: of a path, what is
    done in place of the next answers, "busy", "cut" or "moved"."""

    def __init__(self, file):
        self.file, self.asked, self.missing, self.faults = file, [], set(), {}
        self.address = ""

    def answer(self, path):
        """The bytes at a path; None: there are none."""
        found = re.search(r"/gfs\.(\d{8})/(\d\d)/atmos/gfs\.t\d\dz\.pgrb2\.0p25\.f(\d{3})(\.idx)?$", path)
        if not found:
            return None
        start = datetime.strptime(found[1] + found[2], "%Y%m%d%H")
        if start in self.missing:
            return None
        content, index = whole_file(self.file, start + timedelta(hours=int(found[3])))
        return index if found[4] else content


@contextmanager
def serving(file):
    """Such a server, running."""
    bucket = Bucket(file)

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.respond(body=False)

        def do_GET(self):
            self.respond(body=True)

        def respond(self, body):
            bucket.asked.append((self.command, self.path, self.headers.get("Range")))
            faults = bucket.faults.get(self.path, [])
            fault = faults.pop(0) if faults and body else None
            content = bucket.answer(self.path.removeprefix("/moved"))
            if content is None or fault == "busy":
                self.send_error(404 if content is None else 503)
                return
            if fault == "moved":
                self.send_response(302)
                self.send_header("Location", f"/moved{self.path}")
                self.end_headers()
                return
            status = 200
            if wanted := self.headers.get("Range"):
                first, _, last = wanted.removeprefix("bytes=").partition("-")
                content, status = content[int(first) : int(last) + 1 if last else None], 206
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body:
                self.wfile.write(content[: len(content) // 2] if fault == "cut" else content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        bucket.address = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield bucket
        finally:
            running.shutdown()
            thread.join()
