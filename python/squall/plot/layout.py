"""Final layout of a figure once its axes have their sizes: wraps text and removes overlapping labels."""

from collections.abc import Callable, Iterator

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

_APART = 3.0  # points between two labels, at least
_ROUNDS = 4  # words of more lines leave less to the axes, which makes more lines


def settle(figure: Figure) -> None:
    """Lays out a figure. Call it while the style is applied: Matplotlib creates ticks when they are first
    drawn."""
    figure.draw_without_rendering()
    given: dict[Text, str] = {}
    for _ in range(_ROUNDS):
        words = list(_words(figure))
        given |= {text: text.get_text() for text, _, _ in words if text not in given}
        new = [_wrap(text, given[text], most, length) for text, most, length in words]
        if not any(new):
            break
        figure.draw_without_rendering()
    for ax in figure.axes:
        _thin(ax)


def _words(figure: Figure) -> Iterator[tuple[Text, float, Callable[[Bbox], float]]]:
    """Titles and names of axes, the length that each may have, and how it is measured, pixels."""
    whole = {figure.get_suptitle(), figure.get_supxlabel()} - {""}
    for text in figure.texts:
        if text.get_text() in whole:
            yield text, 0.98 * figure.bbox.width, _width
    for ax in figure.axes:
        box = ax.get_window_extent()
        titles = {ax.get_title(loc=where) for where in ("left", "center", "right")} - {""}
        for child in ax.get_children():
            if isinstance(child, Text) and child.get_text() in titles:
                yield child, box.width, _width
        yield from (
            (label, most, length)
            for label, most, length in (
                (ax.xaxis.label, box.width, _width),
                (ax.yaxis.label, box.height, _height),
            )
            if label.get_text()
        )


def _width(box: Bbox) -> float:
    return float(box.width)


def _height(box: Bbox) -> float:
    return float(box.height)


def _wrap(text: Text, given: str, most: float, length: Callable[[Bbox], float]) -> bool:
    """Breaks lines of what was given between words where they are longer; whether that is new."""
    before = text.get_text()

    def fits(words: str) -> bool:
        text.set_text(words)
        return length(text.get_window_extent()) <= most

    lines: list[str] = []
    for paragraph in given.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and not fits(longer):
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    text.set_text(given if fits(given) else "\n".join(lines))
    return text.get_text() != before


def _thin(ax: Axes) -> None:
    """Hides labels that would touch an earlier one, along either axis or in the corner between them. On a map
    meridians come first along x, and parallels along y, where they usually leave it."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    apart = _APART * figure.dpi / 72
    kept: list[Bbox] = []
    for axis, first in ((ax.xaxis, "EW"), (ax.yaxis, "NS")):
        for label in sorted(axis.get_ticklabels(), key=lambda tick: tick.get_text()[-1:] not in first):
            if not label.get_text() or not label.get_visible():
                continue
            box = label.get_window_extent()
            wide = Bbox.from_extents(box.x0 - apart, box.y0, box.x1 + apart, box.y1)
            if any(wide.overlaps(other) for other in kept):
                label.set_visible(False)
            else:
                kept.append(box)
