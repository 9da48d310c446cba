"""The reference page of engines and their options, made from what the output runtime says of itself."""

import json
import subprocess
from typing import Any

from squall import locate

_HEADING = """\
# Engines

An engine determines how a frame is stored: set `engine` of a stream in a run file, or in a declaration.
`options` are passed to the engine: `options = { format = "netcdf4" }`. `squall doctor` lists the engines
of a build, and says why others are missing. A size is a number of bytes, with an optional k, M or G for
powers of 1024.

"""


def page() -> str:
    """The page as Markdown. Of engines that are not in the build it says nothing."""
    program = locate.io_binary()
    said = subprocess.run([program, "engines", "--json"], capture_output=True, text=True, check=True)
    engines = [engine for engine in json.loads(said.stdout) if not engine["missing"]]
    return _HEADING + "\n".join(map(_section, engines))


def _section(engine: dict[str, Any]) -> str:
    codecs = ", ".join(f"`{codec}`" for codec in engine["codecs"])
    about = f"## {engine['name']}\n\nMakes {engine['makes']}. Codecs, the default first: {codecs}.\n"
    if not engine["options"]:
        return about
    rows = "".join(map(_row, engine["options"]))
    return f"{about}\n| option | takes | default | meaning |\n| --- | --- | --- | --- |\n{rows}"


def _row(option: dict[str, Any]) -> str:
    words = {"word": " or ".join(f"`{word}`" for word in option["words"]), "boolean": "`true` or `false`"}
    unit = f" [{option['unit']}]" if option["unit"] else ""
    takes = words.get(option["kind"], f"a {option['kind']}{unit}")
    preset = f"`{option['preset']}`" if option["preset"] else "none"
    return f"| `{option['name']}` | {takes} | {preset} | {option['about']} |\n"


if __name__ == "__main__":
    print(page(), end="")
