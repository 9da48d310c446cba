"""What a trial must have kept: the promises of docs/explanation/frames.md, one by one."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fault_trials.schedule import FRAMES
from fault_trials.trial import Ended, Trial

# What is said of a frame on standard error where on_error = "continue"; the time is the frame's number.
_SAID = re.compile(r"stream fire, frame 2000-01-01_(\d\d):(\d\d):(\d\d)")

# What is said of frames in a file that servers did not come to publish.
_UNPUBLISHED = re.compile(r"frames (\d[\d to,]*) were stored by servers that are lost")
_RANGE = re.compile(r"(\d+) to (\d+)")

# What the C library and MPI say of a process that ends by its own mistake. A shim's SIGKILL is none.
_CRASH = re.compile(
    r"Assertion .* failed|terminate called|Signal: |Caught signal|stack smashing|(free|malloc).*\(\): "
)

# A file has the name of its first frame, if that is precise enough.
_FILE = re.compile(r"2000-01-01_(\d\d)-(\d\d)-(\d\d)\.nc")
_FILE_OF_ALL = re.compile(r"/out/(2000-01-01|all)\.nc")


# Said where a library waits within itself because of an error, of which it tells nobody.
_LIBRARY_STUCK = "A library call cannot be interrupted"

# ROMIO tells PnetCDF of any error of a write in the same words.
_ROMIO_WRITES = "Unknown error occurs in writing file"

# What PnetCDF calls it, and HDF5, which has one word for everything.
_IN_OTHER_WORDS = {
    "Input/output error": ("HDF error",),
    "No space left on device": ("Not enough space",),
    "Disk quota exceeded": ("Quota exceeded",),
    "Permission denied": ("Access failure",),
}


@dataclass(frozen=True)
class Violation:
    promise: str
    what: str


def judge(trial: Trial) -> list[Violation]:
    """The promises that were broken; none is what is hoped for."""
    return [
        Violation(promise.__name__.removeprefix("_").replace("_", " "), what)
        for promise in PROMISES
        for what in promise(trial)
    ]


def told_lost(trial: Trial) -> set[int]:
    """Numbers of frames that some rank was told of, in an Error or on standard error."""
    texts = [event["text"] for event in trial.run.events("lost")] + [trial.run.said]
    return {
        3600 * int(h) + 60 * int(m) + int(s)
        for text in texts
        for line in text.splitlines()
        if "is lost" in line or "abandon" in line
        for h, m, s in _SAID.findall(line)
    }


def told_of(trial: Trial) -> set[int]:
    """Those, and the frames of files that a message names: they may be whole and not published yet."""
    frames = told_lost(trial)
    per_file = trial.schedule.layout.frames_per_file or FRAMES
    if _FILE_OF_ALL.search(_last_words(trial)):
        frames |= set(range(FRAMES))
    for h, m, s in _FILE.findall(_last_words(trial)):
        first = 3600 * int(h) + 60 * int(m) + int(s)
        frames |= set(range(first, (first // per_file + 1) * per_file))
    return frames


def ended_well(trial: Trial) -> bool:
    """Whether all computing ranks, which are the first, went through to the end, whatever they were told."""
    logs = [trial.run.logs.get(rank) for rank in range(trial.schedule.layout.ranks)]
    return all(log and log[-1]["event"] == "done" for log in logs)


def counted(run: Ended, *what: str) -> int:
    """How many frames the report of a run counts as failed, skipped."""
    return max((sum(event[name] for name in what) for event in run.events("report")), default=0)


def left_in_parts(trial: Trial) -> set[int]:
    """Frames that a message names as stored by lost servers, for `squall recover` to publish."""
    named = ", ".join(_UNPUBLISHED.findall(_last_words(trial)))
    return {frame for first, last in _RANGE.findall(named) for frame in range(int(first), int(last) + 1)}


def missing(trial: Trial) -> set[int]:
    return set(range(FRAMES)) - trial.left.frames.keys()


def _nobody_crashes(trial: Trial) -> Iterator[str]:
    for when, run in (("", trial.run), ("the following run: ", trial.following)):
        yield from (f"{when}{line.strip()}" for line in run.said.splitlines() if _CRASH.search(line))


def _nothing_hangs(trial: Trial) -> Iterator[str]:
    if trial.run.hung:
        yield f"the run still went on after {trial.run.seconds:.0f} s"
    if trial.following.hung:
        yield "the following run did not end"


def _what_is_published_is_whole(trial: Trial) -> Iterator[str]:
    for when, seen, tool in (
        ("after the run", trial.left, trial.verified),
        ("at the end", trial.after, trial.verified_after),
    ):
        for number, wrong in seen.frames.items():
            if wrong:
                yield f"{when}: frame {number} has {wrong} wrong points"
        yield from (f"{when}: {fault}" for fault in seen.faults)
        yield from (f"{when}: frame {number} is there twice" for number in seen.twice)
        if tool.code:
            yield f"{when}, squall-io verify: {tool.said.strip()}"


def _what_was_reported_lost_is_not_visible(trial: Trial) -> Iterator[str]:
    for number in sorted(told_lost(trial) & trial.left.frames.keys()):
        yield f"frame {number} was reported lost and is visible"


def _nothing_is_lost_silently(trial: Trial) -> Iterator[str]:
    gone = missing(trial) - left_in_parts(trial)
    if not gone or not ended_well(trial):
        return
    count = counted(trial.run, "failed", "skipped")
    silent = gone - told_of(trial)
    # An Error tells of the first loss since the last one; the report counts all of them, but not frames that
    # are whole in a file which could not be brought home: these are told by its name.
    in_named_files = told_of(trial) - told_lost(trial)
    if silent and len(gone - in_named_files) > count:
        yield f"frames {sorted(silent)} are missing, nobody was told, and the report counts {count} lost"


def _what_is_harmless_does_no_harm(trial: Trial) -> Iterator[str]:
    if not trial.schedule.fault.harmless and trial.fired:
        return
    if trial.run.code:
        yield f"the run ended with code {trial.run.code}: {_last_words(trial)}"
    elif len(gone := missing(trial)) > counted(trial.run, "skipped"):
        yield f"frames {sorted(gone)} are missing"


def _losses_show_in_the_exit_code(trial: Trial) -> Iterator[str]:
    gone = missing(trial) - left_in_parts(trial)
    skipped = counted(trial.run, "skipped")
    survived = trial.schedule.layout.on_error == "continue" and ended_well(trial)
    # A launcher that shall not notice deaths tells of none.
    if len(gone) > skipped and trial.run.code == 0 and not survived and trial.schedule.fault.noticed:
        yield f"frames {sorted(gone)} are missing and the run ended with code 0"


def _only_streams_that_may_skip_do_so(trial: Trial) -> Iterator[str]:
    for when, run in (("", trial.run), ("the following run: ", trial.following)):
        skipped = counted(run, "skipped")
        if skipped and trial.schedule.layout.when_full != "skip":
            yield f'{when}{skipped} frames were skipped, with when_full = "{trial.schedule.layout.when_full}"'


def _others_take_over_from_lost_servers(trial: Trial) -> Iterator[str]:
    layout, fault = trial.schedule.layout, trial.schedule.fault
    is_server = fault.victim is not None and fault.victim >= layout.ranks
    lost = is_server and (fault.stopped or not fault.noticed) and trial.fired and not trial.run.hung
    opened = any(trial.run.events("begin"))  # before that all ranks wait for all
    if not lost or layout.on_lost_server != "take-over" or not opened:
        return
    if not ended_well(trial):
        yield f"the computing ranks did not go through to the end: {_last_words(trial)}"
    gone = missing(trial) - left_in_parts(trial)
    if len(gone) > counted(trial.run, "skipped"):
        yield f"frames {sorted(gone)} are missing: {_last_words(trial)}"


def _the_cause_is_named(trial: Trial) -> Iterator[str]:
    words = _last_words(trial)
    cause = trial.schedule.fault.cause
    if not trial.run.code or not trial.fired or trial.run.hung:
        return
    known_as = (cause, *_IN_OTHER_WORDS.get(cause, ()), _LIBRARY_STUCK)
    if trial.schedule.fault.kind == "write error":  # a disk that is full really is found so
        known_as += (_ROMIO_WRITES,)
    if cause and not any(name in words for name in known_as):
        yield f"nobody says {cause!r}: {words}"
    if trial.schedule.fault.kind in ("SIGSTOP", "dropped message") and "rank" not in words:
        yield f"nobody says which rank: {words}"


def _a_following_run_goes_on(trial: Trial) -> Iterator[str]:
    if trial.recovered.code > 1:  # 1: nothing of a file could be saved
        yield f"squall-io recover ended with code {trial.recovered.code}: {trial.recovered.said.strip()}"
    if trial.following.hung:
        return
    if trial.following.code:
        yield f"the following run ended with code {trial.following.code}: {trial.following.said[-600:]}"
        return
    absent = set(range(FRAMES, 2 * FRAMES)) - trial.after.frames.keys()
    if len(absent) > counted(trial.following, "skipped"):
        yield f"of the following run frames {sorted(absent)} are missing"
    if unpublished := left_in_parts(trial) - trial.after.frames.keys():
        yield f"frames {sorted(unpublished)} were left to `squall recover`, which did not publish them"
    if gone := trial.left.frames.keys() - trial.after.frames.keys():
        yield f"frames {sorted(gone)} were published and are not any more"


def _last_words(trial: Trial) -> str:
    told = [event["text"] for kind in ("lost", "error") for event in trial.run.events(kind)]
    return "\n".join([*dict.fromkeys(told), trial.run.said[-4000:]]).strip()


PROMISES: tuple[Callable[[Trial], Iterator[str]], ...] = (
    _nobody_crashes,
    _nothing_hangs,
    _what_is_published_is_whole,
    _what_was_reported_lost_is_not_visible,
    _nothing_is_lost_silently,
    _what_is_harmless_does_no_harm,
    _losses_show_in_the_exit_code,
    _only_streams_that_may_skip_do_so,
    _others_take_over_from_lost_servers,
    _the_cause_is_named,
    _a_following_run_goes_on,
)
