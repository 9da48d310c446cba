"""The text of a namelist means to Squall what it means to a Fortran program, such as WRF; nothing of it is
dropped or moved without a word."""

import re

import fortran_reader as fortran
import pytest
from fortran_reader import Key

from squall.errors import UserError
from squall.wrf.namelist import read

KEYS = [
    Key("time_control", "history_interval", int),
    Key("time_control", "run_hours", int, single=True),
    Key("time_control", "restart", bool, single=True),
    Key("time_control", "input_from_file", bool),
    Key("time_control", "history_outname", str, single=True),
    Key("domains", "max_dom", int, single=True),
    Key("domains", "e_we", int),
    Key("domains", "dx", float),
    Key("domains", "eta_levels", float),
    Key("physics", "cu_physics", int),
    Key("physics", "radt", float),
    Key("dynamics", "epssm", float),
    Key("dynamics", "w_damping", int, single=True),
]
REST = "\n&time_control\n run_hours = 6\n/\n&domains\n max_dom = 2, e_we = 45, 49\n/\n"


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return fortran.compile_reader(tmp_path_factory.mktemp("reader"), KEYS)


def ours(file):
    """What Squall reads, None where it refuses, and what it says of the text."""
    try:
        found = read(file)
    except UserError as refusal:
        told = str(refusal)
    else:
        return fortran.ours(found), found.unread
    assert re.match(rf"{re.escape(str(file))}:\d+: ", told), told
    return None, told


ALIKE = [
    "&physics radt(2) = 10 /",
    "&physics radt(2) = 10, 20 /",
    "&physics radt(2:3) = 10, 20 /",
    "&physics radt(2:) = 10, 20, 30 /",
    "&physics radt(:2) = 10, 20 /",
    "&physics radt(:) = 10, 20 /",
    "&physics radt(1:3) = 10, 20 /",
    "&physics radt(1:5:2) = 10, 20, 30 /",
    "&physics radt(3:1:-1) = 10, 20, 30 /",
    "&physics radt( 2 ) = 10 /",
    "&physics radt(2) = 10, radt(1) = 30 /",
    "&physics radt(2) = 10, radt = 30 /",
    "&physics radt = 30, 20, 10, radt(2) = 15 /",
    "&physics radt = 30, 20, 10\n radt = 5\n/",
    "&physics radt = 3*30 /",
    "&physics radt = 2*30, 3*, 5 /",
    "&physics radt = 2*, 5 /",
    "&physics radt = 30,, 10 /",
    "&physics radt = , 20 /",
    "&physics radt = ,,20,, /",
    "&physics radt = 30, 20, , cu_physics = 1,1, /",
    "&physics radt =\n cu_physics = 1 /",
    "&physics , radt = 30,,, cu_physics = 1 /",
    "&physics radt = 30 20 10 cu_physics = 1 /",
    "&physics radt = 30,\n\n 20,\n 10\n/",
    "&physics radt\n=\n30 /",
    "&physics radt = 5.d0, 1d-1, 1.5E+1, .5, 5., +3, -2.5 /",
    "&physics radt = 1.5+1, 25-1, 1q1 /",
    "&physics RADT = 30, Cu_Physics = 1 /",
    "&PHYSICS radt = 30 /",
    "$physics radt = 30\n$end",
    "&physics radt = 30\n&end",
    "&physics radt = 30\n&END\n",
    "&physics radt = 30 /end",
    "&physics! comment\n radt = 30! comment / &end\n cu_physics = 1 ! comment\n/",
    "&physics\n! radt = 30\n cu_physics = 1\n/",
    "&physics\tradt\t=\t30,\t20\n\t/",
    "&physics radt = 30, cu_physics = 5;6 /",
    "! &physics radt = 20 /\n&physics radt = 30 /",
    "text &physics radt = 30 / text",
    "&physics_other radt = 20 /\n&physics radt = 30 /",
    "&physicsradt = 20 /\n&physics radt = 30 /",
    "&others a = 1, b = 'c' /\n&physics radt = 30 /",
    "&physics radt = 30 /\n&physics radt = 20, cu_physics = 1 /",
    "&physics radt = 30 /\n cu_physics = 1\n/",
    "&physics radt = 30 / cu_physics = 1",
    "# text\n&physics radt = 30 /\n# text",
    "----\n&physics radt = 30 /\n====",
    "&physics radt = 30",
    "&physics radt = 30\n cu_physics = 1\n\n",
    "&physics / &dynamics /",
    "&dynamics epssm = 0.5 w_damping = 1 / &physics radt = 1/",
    "&physics radt = a /",
    "&physics radt = 30, # text\n cu_physics = 1\n/",
    "&physics radt = 30\n # text\n cu_physics = 1\n/",
    "&physics radt = 30\n\n&dynamics epssm = 0.5 /",
    "&physics cu_physics = 1\n&dynamics epssm = 0.5 /",
    "&physics radt = 30\n& cu_physics = 1 /",
    "&physics radt 30 /",
    "&physics radt == 30 /",
    "&physics radt = 30 = 20 /",
    "&physics radt(2:3) = 10, 20, 30 /",
    "&physics radt(0) = 10 /",
    "&physics radt(-1:2) = 10 /",
    "&physics radt(1,2) = 10 /",
    "&physics radt() = 10 /",
    "&physics radt(a) = 10 /",
    "&physics radt = 0*30 /",
    "&physics cu_physics = 99999999999 /",
    "&physics radt = 30, text /",
    "&physics radt = (1, 2) /",
    "&physics cu_physics = 0x10 /",
    "&physics radt = 6h /",
    "&physics radt = 1.2.3 /",
    "&physics radt = 10,000,5 /",
]


@pytest.mark.parametrize("text", ALIKE)
def test_a_text_means_what_it_means_to_a_fortran_program(text, reader, tmp_path):
    file = tmp_path / "namelist.input"
    file.write_text(text + "\n" if text[-1] != "\n" else text)
    file.write_text(REST.lstrip() + file.read_text())
    found, _ = ours(file)
    others = ("others.a", "others.b", "physics_other.radt")
    found = found and {name: values for name, values in found.items() if name not in others}
    assert found == fortran.read(reader, file)


TEXTS = [
    ("'it''s'", "it's"),
    ('"it\'s"', "it's"),
    ("'say \"\"'", 'say ""'),
    ('"a ""b"""', 'a "b"'),
    ("'a ! b'", "a ! b"),
    ("'a / b, c = 5 &end'", "a / b, c = 5 &end"),
    ("'out/wrfout_d<domain>_<date>' ! text", "out/wrfout_d<domain>_<date>"),
    ("'a(1) = 5'", "a(1) = 5"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_texts_in_quotes_hold_anything(text, expected, reader, tmp_path):
    file = tmp_path / "namelist.input"
    file.write_text(f"&time_control history_outname = {text}\n run_hours = 3 /\n&domains max_dom = 1 /\n")
    found, told = ours(file)
    assert found == fortran.read(reader, file)
    assert found["time_control.history_outname"] == {1: expected}
    assert told == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".true.", True), (".TRUE.", True), ("T", True), ("t", True), (".t.", True), ("true", True),
        ("True", True), (".T", True), (".tru", True),
        (".false.", False), ("F", False), ("f", False), (".F.", False), ("False", False),
    ],
)  # fmt: skip
def test_logicals_have_all_their_forms(text, expected, reader, tmp_path):
    file = tmp_path / "namelist.input"
    file.write_text(
        f"&time_control restart = {text}, input_from_file = {text}, 2*{text} /\n&domains max_dom = 1 /\n"
    )
    assert read(file).columns("time_control.restart") == [expected]
    assert read(file).columns("time_control.input_from_file") == [expected] * 3
    assert ours(file)[0] == fortran.read(reader, file)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("history_outname = 'wrfout,\n run_hours = 3 /", 1, "the quote 'wrfout, is not closed on its line"),
        ('run_hours = 3\n history_outname = "wrfout', 2, "is not closed"),
        ("history_outname = \u2018wrfout\u2019 /", 1, "a typographic quotation mark"),
        ("run_hours = 3\n history_outname = wrfout /", 2, "wrfout is not a number, .true., .false. or"),
        ("run_hours = 3 ! text\n\n history_interval = 30, # text\n/", 3, "comments begin with !"),
        ("run_hours = 3\n// text\n/", 2, None),
        ("history_interval = 1000000000*0 /", 1, "repeats a value 1000000000 times"),
        ("history_interval(1000000) = 0 /", 1, "a subscript must be from 1 to"),
        ("run_hours = 3\n restart = .yes. /", 2, ".yes. is not a number, .true."),
    ],
)
def test_a_refusal_names_the_line_and_what_stands_there(text, line, expected, tmp_path):
    file = tmp_path / "namelist.input"
    file.write_text(f"&time_control {text}\n&domains max_dom = 1 /\n")
    found, told = ours(file)
    if expected is None:  # the group's end, and text outside of it
        assert found is not None
        return
    assert found is None
    assert str(told).startswith(f"{file}:{line}: ")
    assert expected in str(told)


ENCODED = REST.lstrip() + "&physics ! Gr\u00f6\u00dfe\n radt = 30\n/\n"


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: text.encode("latin-1"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda text: text.encode("utf-32"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: (text + "\x1a").encode(),
        lambda text: text.encode("utf-8-sig") + b"! \xff\n",
    ],
)  # fmt: skip
def test_a_text_is_read_in_any_encoding_and_with_any_ends_of_lines(encode, tmp_path):
    file = tmp_path / "namelist.input"
    file.write_bytes(encode(ENCODED))
    found = read(file)
    assert fortran.ours(found) == {
        "time_control.run_hours": {1: 6}, "domains.max_dom": {1: 2}, "domains.e_we": {1: 45, 2: 49},
        "physics.radt": {1: 30},
    }  # fmt: skip
    assert found.unread == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"\x89HDF\r\n\x1a\n\0\0\0", "is a binary file"),
        (REST.encode("utf-16-le"), "is a binary file"),
        (b"\xff\xfe\x00\xd8", "is invalid after its UTF-16 byte order mark"),
        (b"[run]\nduration = '6 h'\n", "no group &time_control or &domains, only none; line 1"),
        (b"& time_control\n run_hours = 6\n/\n", "line 1 is in no group and is ignored: & time_control"),
        (b"&share\n max_dom = 1\n/\n", "only &share"),
    ],
)
def test_what_is_no_namelist_is_said_to_be_none(content, expected, tmp_path):
    (tmp_path / "namelist.input").write_bytes(content)
    with pytest.raises(UserError) as refused:
        read(tmp_path / "namelist.input")
    assert expected in str(refused.value)


def test_a_folder_is_no_namelist(tmp_path):
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        read(tmp_path)


def test_namelists_of_others_are_read_as_a_fortran_program_does(trial, tmp_path):
    """Each by a program of its own that has the keys of all of its groups, one by one."""
    folder = trial(".").parent / "namelists"
    if not folder.is_dir():
        pytest.skip("needs shared/data/namelists, which is not here")
    for file in sorted(folder.glob("*.input")):
        found = read(file)
        keys = [
            Key(group, name, kind_of(found.columns(f"{group}.{name}")))
            for group, names in found.groups.items()
            for name in names
            if group
            != "fire"  # logicals before keys with f, whose values libgfortran 12 puts a place too far
        ]
        own = tmp_path / file.stem
        own.mkdir()
        theirs = fortran.read(fortran.compile_reader(own, keys), file)
        assert theirs is not None, file
        mine = {name: values for name, values in fortran.ours(found).items() if not name.startswith("fire.")}
        assert mine == theirs, file


def kind_of(values):
    kinds = {type(value) for value in values} - {type(None)}
    return next(kind for kind in (str, bool, float, int) if kind in kinds or kind is int)
