"""The folders of the C++ sources stand on each other in one order: none includes what stands above it, nor
needs what is defined there. A C++ type has a name of its own. What Python knows of air stands once."""

import collections
import io
import json
import re
import shutil
import subprocess
import tokenize
from pathlib import Path

import pytest

from squall import locate
from squall.errors import UserError

ROOT = Path(__file__).parents[1]

MODEL = """
core grid parallel settings physics initial dynamics boundary solver diagnostics nesting output config run
"""

#: The interface of engines only names what it mentions, and stands below what is written in its terms.
IO = "common agree engines/engine declare stage read reduce publish engines drain placements session capi"

TRANSPORT = "globe winds moments columns tracers runfile frames drive"

FLOORS = {"model/src": MODEL.split(), "io/src": IO.split(), "transport/src": TRANSPORT.split()}


def folder_of(path, floors):
    """The floor that a file is on, by its path from the sources' root: a folder's, or a file's own."""
    own = str(Path(path).with_suffix(""))
    return own if own in floors else path.partition("/")[0]


def upward(source, floors):
    """`file: header` for each include of a folder of `source` that does not stand below the file's."""
    level = {folder: floor for floor, folder in enumerate(floors)}
    for file in sorted(source.glob("*/**/*.[ch]pp")):
        folder = folder_of(str(file.relative_to(source)), floors)
        for header in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
            target = folder_of(header, floors)
            if target in level and level[target] > level[folder]:
                yield f"{file.relative_to(source)}: {header}"


@pytest.mark.parametrize("source", FLOORS)
def test_no_folder_includes_what_stands_above_it(source):
    folders = {floor for floor in FLOORS[source] if "/" not in floor}
    assert {p.name for p in (ROOT / source).iterdir() if p.is_dir()} == folders
    assert list(upward(ROOT / source, FLOORS[source])) == []


def test_an_include_of_a_higher_folder_is_seen(tmp_path):
    (tmp_path / "low").mkdir()
    (tmp_path / "low" / "a.cpp").write_text('#include "high/b.hpp"\n#include "low/a.hpp"\n')
    assert list(upward(tmp_path, ["low", "high"])) == ["low/a.cpp: high/b.hpp"]


def objects_of(source, build):
    """The object files of the sources below `source` that a build has compiled, and the folder of each."""
    folders = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["file"])
        # of sources that are compiled together as one file, all of a folder
        places = file.read_text() if file.parent.name == "Unity" and file.is_file() else str(file)
        found = re.search(rf"/{source}/([\w/]+)\.cpp", places)
        folder = found and "/" in found[1] and folder_of(found[1], FLOORS[source])
        compiled = re.search(r" -o (\S+)", entry["command"])
        if folder and compiled and (path := Path(entry["directory"], compiled[1])).is_file():
            folders[str(path)] = folder
    return folders


def needed_from_above(symbols, folders, floors):
    """`folder: symbol, of folder` for each symbol that objects need and that is defined in a folder above
    theirs. `symbols`: what `nm -A -P` prints of the objects in `folders`. Inline functions do not count: they
    are of the headers that are included."""
    level = {folder: floor for floor, folder in enumerate(floors)}
    defined, needed = {}, set()
    for line in symbols.splitlines():
        name, kind = line.split(": ")[1].split()[:2]
        folder = folders[line.split(": ")[0]]
        if kind == "U":
            needed.add((folder, name))
        elif kind in "TBDR":
            defined[name] = folder
    for folder, name in sorted(needed):
        if name in defined and level[defined[name]] > level[folder]:
            yield f"{folder}: {name}, of {defined[name]}"


@pytest.mark.parametrize("source", FLOORS)
def test_no_folder_needs_what_is_defined_above_it(source):
    """Declarations of a lower folder, or of a public header, may be of what a higher one defines."""
    try:
        build = locate.model_binary().parents[1]
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    if not (build / "compile_commands.json").is_file() or not shutil.which("nm"):
        pytest.skip(f"no objects to look at: {build} is no build, or there is no nm")
    folders = objects_of(source, build)
    assert set(folders.values()) == set(FLOORS[source])
    symbols = subprocess.run(["nm", "-A", "-P", "-g", *folders], capture_output=True, text=True, check=True)
    above = "\n".join(needed_from_above(symbols.stdout, folders, FLOORS[source]))
    assert above == ""


def test_a_need_of_a_higher_folder_is_seen():
    symbols = """\
a.o: name_of_engines U
a.o: own T 0 10
a.o: inlined W 0 10
b.o: name_of_engines T 0 20
b.o: own U
b.o: inlined U
b.o: malloc U
"""
    found = needed_from_above(symbols, {"a.o": "low", "b.o": "high"}, ["low", "high"])
    assert list(found) == ["low: name_of_engines, of high"]


#: What braces may stand in without being meant: comments, texts, characters, directives.
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\])+\'|^#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE,
)
#: What ends before a brace: a namespace, or a type that is defined there (a specialisation has no new name).
OPENS = re.compile(
    r"(?:inline\s+)?namespace\s*(?P<space>[\w:]*)\s*$|"
    r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+(?P<type>\w[\w:]*)(?:\s+final)?\s*"
    r"(?:(?<!:):(?!:)[^;(]*)?$"
)


def types_defined(file):
    """The full name of each type that a C++ file defines, but in functions; of an anonymous namespace with
    the file's."""
    around, start = [], 0
    code = NOT_CODE.sub(" ", file.read_text())
    for brace in re.finditer(r"[{};]", code):
        before, start = code[start : brace.start()], brace.end()
        if brace.group() == "}":
            around.pop()
        elif brace.group() == "{":
            opens = OPENS.search(before)
            name = opens and (opens["type"] or opens["space"] or f"(in {file.name})")
            around.append(name)
            if opens and opens["type"] and None not in around:
                yield "::".join(around)


def names_twice(source):
    places = collections.defaultdict(list)
    for file in sorted(source.glob("**/*.[ch]pp")):
        for name in types_defined(file):
            places[name].append(str(file.relative_to(source)))
    return {name: files for name, files in places.items() if len(files) > 1}


def test_no_type_of_the_model_has_the_name_of_another_in_its_namespace():
    assert names_twice(ROOT / "model/src") == {}


def test_types_of_one_name_are_seen(tmp_path):
    (tmp_path / "a.hpp").write_text(
        "namespace model {\nstruct Axis { int n = 0; };\ntemplate <> struct Of<int> {};\n"
        "namespace air { enum class Axis { x, y }; }\n}\n"
    )
    (tmp_path / "b.cpp").write_text(
        "namespace model {\nnamespace {\nclass Edge : public Line<int> {};\n}\n"
        "enum class Axis : int { x };\nstruct Out::Axis {};\nvoid f() { struct Axis { char c = '{'; }; }\n}\n"
    )
    (tmp_path / "c.cpp").write_text(
        "namespace model::air {}\nnamespace model { namespace { class Edge {}; } }\n"
    )
    assert names_twice(tmp_path) == {"model::Axis": ["a.hpp", "b.cpp"]}


#: Of air and of the Earth, as they are written, and an example of each; tokens with blanks between.
PHYSICS = {
    "constants": (
        r"(?<![\w.])(9\.8[01]\d*|287\.?0*|461\.[56]\d*|1004\.5?|0\.622|6\.37e6|7\.292\d*e-5|"
        r"0\.28[56]\d*)(?!\w)",
        "weight = 9.81 * mass",
    ),
    "saturation": (
        r"(?<![\w.])(17\.67|17\.27|611\.\d*|6\.112|29\.65|243\.[05])(?!\w)",
        "611.2 * exp(17.67 * x)",
    ),
}
ELSEWHERE = {
    "constants": {
        "prepare/sources/units.py",  # gravity of the producers' geopotential metres
        "lab/verify/rce.py",  # a model's temperature of 287.6 K
    }
}


def code_of(text):
    """Its tokens but texts and comments, with blanks between."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return " ".join(t.string for t in tokens if t.type not in (tokenize.STRING, tokenize.COMMENT))


@pytest.mark.parametrize("what", PHYSICS)
def test_what_python_knows_of_air_stands_in_diagnose_alone(what):
    pattern, example = PHYSICS[what]
    assert re.search(pattern, code_of(example))
    package = ROOT / "python" / "squall"
    found = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if re.search(pattern, code_of(file.read_text()))
    }
    assert {name for name in found if not name.startswith("diagnose/")} == ELSEWHERE.get(what, set())
