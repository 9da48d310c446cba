"""`squall import` and `squall new --from-wrfinput` in this process: what they write and say."""

import tomllib

import pytest

from squall.commands import run_files
from squall.errors import UserError


class Commands:
    """Raise UserError, whose code of exit is 2, where the commands refuse."""

    def __init__(self, folder, capsys):
        self._folder = folder
        self._capsys = capsys

    def imported(self, file):
        """The run file as tables, and all that is said."""
        run_files.import_namelist(file, self._folder / "x.toml")
        return self._made()

    def new(self, file):
        """The run file as tables."""
        run_files.new(self._folder / "x.toml", None, file)
        return self._made()[0]

    def refused(self, file, command="imported"):
        """The message, on one line."""
        with pytest.raises(UserError) as refused:
            getattr(self, command)(file)
        assert refused.value.exit_code == 2
        assert self._capsys.readouterr().out == ""
        assert not (self._folder / "x.toml").exists()
        return " ".join(str(refused.value).split())

    def _made(self):
        file = self._folder / "x.toml"
        made = tomllib.loads(file.read_text())
        file.unlink()
        return made, self._capsys.readouterr().out
