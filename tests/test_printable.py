"""Words of files on a terminal."""

import pytest

from squall import cli
from squall.errors import UserError
from squall.printable import cell, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("west_east, Größe, 降水", "west_east, Größe, 降水"),
        ("\x1b[2J\x07", r"\x1b[2J\x07"),
        ("a\r\nb\tc\x7f", r"a\x0d\x0ab\x09c\x7f"),
        ("\x9b31m\u202etxt", r"\xc2\x9b31m\xe2\x80\xaetxt"),
        ("\ud800", r"\xed\xa0\x80"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text, shown):
    assert printable(text) == shown
    assert cell(text).plain == shown


def test_an_error_shows_what_it_found_in_a_file_on_its_own_lines(monkeypatch, capsys):
    def fail(**_):
        raise UserError("field \x1b]0;title\x07:\nnot there")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(cli, "name_lab", lambda: None)
    monkeypatch.setattr("sys.argv", ["squall"])
    with pytest.raises(SystemExit):
        cli.main()
    assert capsys.readouterr().err == "squall: field \\x1b]0;title\\x07:\nnot there\n"
