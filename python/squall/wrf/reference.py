"""The reference page of the translation, made from its rules."""

from squall.wrf.fortran_values import spelled
from squall.wrf.namelist import Value
from squall.wrf.rules import Rule
from squall.wrf.run_rules import RUN_RULES
from squall.wrf.stream_rules import STREAM_RULES
from squall.wrf.translate import BROUGHT, DATE_PARTS
from squall.wrf.weather_rules import DYNAMICS_RULES, PHYSICS_RULES

_HEADING = """\
# WRF's namelist

How `squall import namelist.input` translates each key ([how to](../how-to/wrfinput.md)). Where the namelist
lacks a key, WRF 4's default, which is shown, applies. For keys with a column per domain, the first is used;
for a nest, `cu_physics`, `cudt`, `radt`, `diff_6th_opt`, `diff_6th_factor`, `c_s`, `c_k`, `khdif`, `zdamp`,
`dampcoef`, `epssm`, `e_vert` and `eta_levels` that differ from its parent's become keys of `[nest.<name>]`;
other schemes and coefficients that differ are reported as lost. For streams, intervals and frames per file
that differ become tables `[output.history_d02]`.

This page is generated from the translation rules: `python -m squall.wrf.reference`.
"""

_SECTIONS = {
    "Time, domain and output": RUN_RULES,
    "Levels, extremes and diagnostics": STREAM_RULES,
    "Dynamics": DYNAMICS_RULES,
    "Physics and assimilation": PHYSICS_RULES,
}


def page() -> str:
    """The page as Markdown."""
    text = _HEADING
    for title, rules in _SECTIONS.items():
        text += f"\n## {title}\n\n| WRF, with its default | Squall | |\n| --- | --- | --- |\n"
        text += "".join(_row(rule) for rule in rules)
    text += "\n## Without a rule\n\nRead by `real.exe`, implied by `wrfinput_d01`, or read with the "
    text += "nests, which become tables `[nest.<name>]`:\n\n"
    for group, keys in BROUGHT.items():
        text += f"* `&{group}`: {', '.join(f'`{key}`' for key in keys)}\n"
    text += "\nAny other key has no effect; `squall import` lists it.\n"
    text += (
        "\nThe file of `iofields_filename` gives streams their `fields`: `+:h:7:RAINC,T2` makes\n"
        "`[output.auxhist7]`, at the interval of `auxhist7`; `+:h:0:...` adds to `[output.history]`.\n"
        "Unknown names are reported, and so are fields that lines with `-` remove from the history,\n"
        "which keeps them.\n"
    )
    text += "\nA `tslist` beside the namelist becomes `stations.csv` and streams that sample there at every "
    return text + "step.\n"


def _row(rule: Rule) -> str:
    keys = [f"`{name.split('.')[1]}` {spelled(default)}" for name, default in _shortened(rule).items()]
    return f"| {', '.join(keys)} | {rule.here} | {rule.note} |\n"


def _shortened(rule: Rule) -> dict[str, Value | list[float]]:
    return {name: default for name, default in rule.keys.items() if not name.endswith(DATE_PARTS)}


if __name__ == "__main__":
    print(page(), end="")
