"""Pictures and animations of runs, as files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.geo import globe, maps
from squall.plot import animation, image, series, style
from squall.plot.choice import Choice
from squall.plot.draw import of_history
from squall.plot.globe import default_name
from squall.reader.dataset import open_run
from squall.reader.history_file import holds_frames


@dataclass(frozen=True)
class PictureFile:
    """A picture of a run to draw, and its file.

    run: a run directory or a file. chosen: what to draw. output: the file; None: a file beside the run, named
    after its content. dots: resolution of pixel formats [dots per inch]. stream: the stream of a run
    directory.
    """

    run: Path
    chosen: Choice
    output: Path | None = None
    dots: int | None = None
    stream: str = "history"

    def draw(self) -> Path:
        """Draws one time, and returns the file."""
        self._make_room()
        history = open_run(self.run, stream=self.stream)
        drawn = of_history(history, self.chosen)
        case = history.attrs.get("CASE") or ("forecast" if maps.is_on_earth(history) else "picture")
        name = self._named(case)
        if globe.is_globe(history) and not series.is_series(history):
            name = default_name(history, self.chosen)
        elif series.is_series(history):
            of = self.stream if self.run.is_dir() else self.run.stem
            name = f"{of}-{self.chosen.field}" if self.chosen.field else of
        return save(drawn, self._file(f"{name}.png"), self.dots)

    def animate(self) -> Path:
        """Draws all times as a GIF, and returns the file."""
        output = self._file(f"{self._named('animation')}.gif")
        self._refuse_what_does_not_move(output)
        self._make_room()
        history = open_run(self.run, stream=self.stream)
        if series.is_series(history):
            raise UserError(
                "--animate needs a stream with a map; leave it out: the picture of this "
                "stream shows all times."
            )

        def write(file: Path) -> None:
            with style.applied():
                animation.save(history, self.chosen, file, self.dots)

        return _save(output, write)

    def _named(self, otherwise: str) -> str:
        """After the field; that of a file, which may lie beside others, after the file."""
        if not holds_frames(self.run):
            return self.chosen.field or otherwise
        return f"{self.run.stem}-{self.chosen.field}" if self.chosen.field else self.run.stem

    def _make_room(self) -> None:
        """Refuses a place where nothing can be written before anything is read and drawn."""
        if self.output is not None:
            _save(self.output, lambda _: None)

    def _refuse_what_does_not_move(self, output: Path) -> None:
        if output.suffix != ".gif":
            raise UserError(f"{output}: an animation is a GIF file; its name must end in .gif.")
        if self.chosen.time is not None:
            raise UserError("--animate shows all times: leave out --time.")
        given = self.chosen.needs_field() + (["--section"] if self.chosen.section else [])
        if not self.chosen.field and given:
            raise UserError(f"{' and '.join(given)} need{'s' if len(given) == 1 else ''} --field.")

    def _file(self, name: str) -> Path:
        return self.output or (self.run.parent if holds_frames(self.run) else self.run) / name


def save(figure: Figure, output: Path, dots: int | None = None) -> Path:
    """Writes a figure in the format given by the file's ending. Raises UserError if the file cannot be
    written."""

    def write(file: Path) -> None:
        with style.applied():
            image.write(figure, file, dots)

    return _save(output, write)


def _save(output: Path, write: Callable[[Path], None]) -> Path:
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write(output)
    except (OSError, ValueError) as error:
        raise UserError(f"{output} cannot be written: {error}", exit_code=1) from error
    return output
