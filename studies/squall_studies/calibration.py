"""What a core takes for what, of machines that were not calibrated: planner/machines/calibration.json
(`python -m squall_studies.calibration`).

It is made of what commands of the lab measured, which lies beside the pictures of the documentation.
"""

import json
from typing import Any

from squall import locate
from squall.lab.prediction import calibrate, machine_file
from squall.lab.prediction.measured import codecs, copy_alone
from squall_studies import diagnostics_found

_IMAGES = locate.CHECKOUT / "docs" / "img"


def content() -> dict[str, Any]:
    """As `squall-planner --calibration` takes it: B, B/s, s."""
    speed, io, sums = (_IMAGES / f"{name}.json" for name in ("speed", "io", "diagnostics"))
    measured = calibrate.read(speed, io)
    told = json.loads(speed.read_text())
    row = diagnostics_found.read(sums).sums[0]
    return {
        "source": f"{told['cores']} cores of {told['processor']}. docs/img/speed.json, "
        f"{measured.one.domain}; docs/img/io.json, frames inline of {measured.ranks} ranks; term: "
        f"docs/img/diagnostics.json, sums of rows of {row.row}, of another processor; letter: assumed.",
        "bytes_per_cell_step": _rounded(measured.one.bytes),
        "core_bandwidth": _rounded(measured.one.bandwidth),
        "copy": _rounded(copy_alone(measured)),
        "letter": machine_file.LETTER,
        "term": _rounded(1e-9 * row.reproducible),
        "engines": {name: _rounded(rate) for name, rate in machine_file.engine_rates(measured).items()},
        "codecs": {
            name: {"rate": _rounded(rate), "ratio": _rounded(ratio)}
            for name, (rate, ratio) in codecs(measured).items()
        },
    }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def page() -> str:
    return json.dumps(content(), indent=1) + "\n"


if __name__ == "__main__":
    print(page(), end="")
