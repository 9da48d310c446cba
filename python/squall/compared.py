"""Which predicted times of `squall-planner` were compared with measurements, and how large the error was.

A supercell of 120 x 120 x 40 cells ran and wrote frames on 1, 2 and 4 ranks of one calibrated node with two
cores (table in docs/how-to/plan-a-machine.md). Other predictions were never compared or were too far off:
those for servers by 43 %, for frames on other file systems by 32 to 53 % (planner/NUMBERS.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from squall import locate, planning
from squall.planning import Answer, Question
from squall.runs import tuned

MOST_RANKS = 4
STEP = "13 %"
FRAME = {"netcdf": "11 %", "zarr": "12 %"}  # of placement inline, without a codec
SCHEMES = "12 %"  # sums of what schemes cost, of four suites
WHERE = "on 1 to 4 ranks of one node, a supercell of 120 x 120 x 40 cells"

_ROUNDING = 1e-6  # of a sum of what schemes cost

#: Keys of a stream that change nothing of what a frame takes.
_NEUTRAL = {"interval", "engine", "placement", "codec", "path", "on_error"}


def against_steps(question: Question, answer: Answer, calibrated: bool) -> list[str]:
    """Why the time of this step is not told; nothing where it is. calibrated: the cores were measured."""
    reasons = []
    if not calibrated:
        reasons.append(
            "the machine file has no [calibration]; run `squall lab calibrate` on one of its nodes"
        )
    if answer["nodes"] > 1:
        reasons.append("times of messages between nodes were never compared with measurements")
    if answer["ranks"] > MOST_RANKS or answer["threads"] > 1:
        reasons.append(f"only 1 to {MOST_RANKS} ranks of one thread each were compared")
    if answer["servers"]:
        reasons.append("predictions for runs with servers were 43 % off")
    if answer["nests"]:
        reasons.append("runs with nests were never compared")
    return reasons + _against_physics(question, answer)


def _against_physics(question: Question, answer: Answer) -> list[str]:
    cost = answer["cell_step"]
    if question.step_factor is not None or (abs(cost["factor"] - 1) < _ROUNDING and not cost["unknown"]):
        return []
    measures = f"`squall lab step-factor {question.run_file}` measures --step-factor in two minutes"
    if cost["unknown"]:
        return [f"{', '.join(cost['unknown'])}: the cost is unknown; {measures}"]
    if question.schemes is None:
        return [f"the costs of its physics schemes were measured on another processor; {measures}"]
    return []


def against_frames(stream: Mapping[str, Any], table: Mapping[str, Any]) -> list[str]:
    """Why the time of a frame is not told, where that of a step is. stream: of an answer; table: of the run
    file."""
    reasons = []
    engine, placement, codec = (stream[key] for key in ("engine", "placement", "codec"))
    if engine not in FRAME or placement != "inline" or codec != "none":
        reasons.append(
            f"{engine}, {placement}, {codec}: only {' and '.join(FRAME)} were compared, inline and without "
            "a codec"
        )
    if stream["name"] != "history":
        reasons.append("only the stream history was compared")
    others = [key for key in table if key not in _NEUTRAL and (key, table[key]) != ("frames_per_file", 1)]
    if others:
        reasons.append(f"frames with {', '.join(others)} were never compared")
    return reasons


@dataclass(frozen=True)
class Told:
    """An answer, of which times are told where they have an error here. step: of a step, in words; frames: of
    a frame, by stream; refused: what is not told, and why not."""

    answer: Answer
    step: str = ""
    frames: dict[str, str] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether the time of the whole run is told."""
        return bool(self.step) and not self.refused

    def content(self) -> dict[str, Any]:
        """The answer for JSON: without the times that are not told."""
        kept = {key: value for key, value in self.answer.items() if key not in ("diagnostics", "wall", "run")}
        kept["step"] = dict(self.answer["step"]) if self.step else {}
        kept["step"] |= {key: self.answer["step"][key] for key in ("messages", "bytes")}
        kept["streams"] = [self._stream(stream) for stream in self.answer["streams"]]
        if self.step:
            kept["step"]["error"] = self.step
        if self.whole:
            kept["run"] = self.answer["run"]
        return kept | {"refused": [{"what": what, "why": why} for what, why in self.refused]}

    def _stream(self, stream: Mapping[str, Any]) -> dict[str, Any]:
        error = self.frames.get(stream["name"])
        if error:
            return {**stream, "error": error}
        return {key: stream[key] for key in ("name", "engine", "placement", "codec", "bytes")}


def counted(question: Question) -> Told:
    """What is exact alone. Closed forms count as SimGrid does, and are quick. What cores take counts nothing,
    so engines that a machine was not calibrated with can be counted, too."""
    words = ["--calibration", str(locate.machines_folder() / "calibration.json")]
    if not planning.calibrated(question.machine):
        words = []  # it has these
    return Told(planning.ask(replace(question, method="closed-form", words=words)))


def timed(question: Question) -> Told:
    """With the times of steps and frames that are told. Raises UserError where `squall-planner` refuses."""
    answer = counted(question).answer
    reasons = against_steps(question, answer, planning.calibrated(question.machine))
    if reasons:
        return Told(answer, refused=[("times", reason) for reason in reasons])
    tables = tuned.read_document(question.run_file, question.settings).get("output", {})
    against = {s["name"]: against_frames(s, tables.get(s["name"], {})) for s in answer["streams"]}
    silent = [f'output.{name}.interval="0 s"' for name, reasons in against.items() if reasons]
    times = planning.ask(replace(question, settings=[*question.settings, *silent]))
    frames = {stream["name"]: stream for stream in times["streams"]}
    streams = [frames.get(stream["name"], stream) for stream in answer["streams"]]
    return Told(
        answer | {"step": times["step"], "run": times["run"], "streams": streams},
        _step_label(question),
        {name: f"off by at most {FRAME[stream['engine']]} there" for name, stream in frames.items()},
        [(f"frames of {name}", reason) for name, reasons in against.items() for reason in reasons],
    )


def _step_label(question: Question) -> str:
    """How far steps were off, and where."""
    physics = f"; the sum of what schemes cost by {SCHEMES} more" if question.schemes else ""
    physics = "; other physics by --step-factor" if question.step_factor else physics
    return f"off by at most {STEP} where it was measured: {WHERE}{physics}"
