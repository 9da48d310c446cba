"""Places by name, or as LAT,LON."""

import difflib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from squall import quantity
from squall.errors import UserError

_NUMBER = r"([-+]?\d+(?:\.\d*)?)"
_PAIR = re.compile(rf"\s*{_NUMBER}\s*[, ]\s*{_NUMBER}\s*")
_LETTERS = re.compile(r"\s*(\d+(?:\.\d*)?)\s*°?\s*([NS])\s*,?\s*(\d+(?:\.\d*)?)\s*°?\s*([EW])\s*", re.I)
_MOST_POLEWARD = 85.0  # a domain around the pole itself has no north


@dataclass(frozen=True)
class Place:
    """A point [degrees north and east] and what it is called; `others`: places of the same name."""

    name: str
    latitude: float
    longitude: float
    others: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """The city, or "34.5N97W" of a point without a name."""
        if not _PAIR.fullmatch(self.name):
            return self.name.partition(",")[0]
        ns, ew = "NS"[self.latitude < 0], "EW"[self.longitude < 0]
        return f"{abs(self.latitude):g}{ns}{abs(self.longitude):g}{ew}"

    @property
    def slug(self) -> str:
        """For a folder's name: "norman-ok-us"."""
        if _PAIR.fullmatch(self.name):
            return self.short
        return "-".join("".join(c if c.isalnum() else " " for c in _plain(self.name)).split())

    def told(self) -> str:
        """The name and where it is."""
        return f"{self.name}, {quantity.latitude(self.latitude, 2)} {quantity.longitude(self.longitude, 2)}"


def find(text: str) -> Place:
    """The place that a text names: "35.3,-97.5", "35.3N 97.5W", "Norman", "London, CA" or "Norman, OK". Of
    several of a name it is the largest. Raises UserError for one not known, or no point of the Earth."""
    if found := _LETTERS.fullmatch(text):
        south, west = found[2] in "Ss", found[4] in "Ww"
        return _point(text, float(found[1]) * (1 - 2 * south), float(found[3]) * (1 - 2 * west))
    if pair := _PAIR.fullmatch(text):
        return _point(text, float(pair[1]), float(pair[2]))
    wanted, _, where = (_plain(part) for part in text.partition(","))
    places = [place for place in _known() if _fits(place, wanted, where)]
    if not places:
        raise UserError(_unknown(text, wanted))
    name, *rest = (f"{row[0]}, {row[2] + ', ' if row[2] else ''}{row[1]}" for row in places)
    return Place(name, float(places[0][3]), float(places[0][4]), tuple(rest[:5]))


def _point(text: str, latitude: float, longitude: float) -> Place:
    if abs(latitude) > 90 or not -180 <= longitude <= 360:
        raise UserError(f"{text}: write degrees north and east, such as 35.3,-97.5.")
    if abs(latitude) > _MOST_POLEWARD:
        raise UserError(
            f"{text}: the domain's middle must lie within {_MOST_POLEWARD:g} degrees of the equator."
        )
    longitude -= 360 * (longitude > 180)
    return Place(f"{latitude:g},{longitude:g}", latitude, longitude)


def _known() -> Iterator[list[str]]:
    text = (resources.files("squall.forecast") / "places.tsv").read_text()
    return (line.split("\t") for line in text.splitlines() if not line.startswith("#"))


def _fits(place: list[str], name: str, where: str) -> bool:
    own = _plain(place[0])
    return (own == name or own == f"{name} city") and (not where or where in (_plain(p) for p in place[1:3]))


def _plain(text: str) -> str:
    """In small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in apart if not unicodedata.combining(c)).split())


def _unknown(text: str, wanted: str) -> str:
    names = {_plain(row[0]): row[0] for row in _known()}
    near = [names[name] for name in difflib.get_close_matches(wanted, names, n=3)]
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"The place {text} is not known.{hint} Write its latitude and longitude, such as 35.3,-97.5."
