"""A fire on a nest. A run has one fire, whose keys are those of the column of the domain that burns."""

from dataclasses import replace

from squall.wrf.namelist import Namelist, Value
from squall.wrf.nest_rules import moves, not_run, steps_of
from squall.wrf.nest_schemes import parent_of
from squall.wrf.rules import Outcome, Setting

_OF_THE_FIRE = ("fire.", "domains.sr_")
_STEP = "domains.time_step"


def burning(namelist: Namelist) -> int:
    """The innermost domain that burns, of nests that are run and stay where they are; 1 if none of them
    does."""
    for domain in range(int(namelist.column("domains.max_dom") or 1), 1, -1):
        burns = int(namelist.column("fire.ifire", domain) or 0) == 2
        if burns and not not_run(namelist, domain) and _stays(namelist, domain):
            return domain
    return 1


def _stays(namelist: Namelist, domain: int) -> bool:
    """Whether it does not move, nor a domain around it."""
    return domain == 1 or (not moves(namelist, domain) and _stays(namelist, parent_of(namelist, domain)))


def value(namelist: Namelist, name: str, domain: int) -> Value | None:
    """Of a rule of fires: the domain's own column of what is about fires, and its time step."""
    if name.startswith(_OF_THE_FIRE):
        return namelist.column(name, domain)
    told = namelist.column(name)
    if told is None or domain == 1 or name not in (_STEP, f"{_STEP}_fract_num"):
        return told
    return float(told) / _steps(namelist, domain)


def _steps(namelist: Namelist, domain: int) -> int:
    """Time steps of a domain in one of the outermost."""
    if domain == 1:
        return 1
    return steps_of(namelist, domain) * _steps(namelist, parent_of(namelist, domain))


def on_nest(namelist: Namelist, outcome: Outcome, domain: int) -> Outcome:
    """The table [fire] of a nest."""
    if not outcome.settings:
        return outcome
    settings: dict[str, Setting] = {"fire.nest": f"d{domain:02d}", **outcome.settings}
    lost = [outcome.lost] if outcome.lost else []
    from_file = [key for key in ("fuel", "moisture") if settings.get(f"fire.{key}") == "file"]
    if from_file and not namelist.column("time_control.input_from_file", domain):
        lost.append(f"its {' and '.join(from_file)} need a file of the nest (input_from_file)")
    if namelist.column("fire.ifire"):
        lost.append("the outermost domain does not burn: a run has one fire")
    return replace(outcome, settings=settings, lost="; ".join(lost))
