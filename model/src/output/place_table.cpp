#include "output/place_table.hpp"

#include <cmath>

#include <fmt/format.h>

namespace squall {

PlaceTable::PlaceTable(const SmallFiles &files, const std::string &file) : TextTable(files, file, "places") {
    const auto both = [&](const char *a, const char *b) { return has(a) && has(b); };
    if (!has("name")) refuse("the first line must name the columns, one of them `name`");
    if (both("longitude", "latitude"))
        kind_ = PlaceColumns::longitude_latitude, east_ = "longitude", north_ = "latitude";
    else if (both("x", "y"))
        kind_ = PlaceColumns::x_y, east_ = "x", north_ = "y";
    else if (both("i", "j"))
        kind_ = PlaceColumns::i_j, east_ = "i", north_ = "j";
    else
        refuse("no columns give positions: longitude and latitude [degrees], x and y [m from the south-west "
               "corner], or i and j [cells, from 0]");
}

Place PlaceTable::place() const {
    Place place{text("name")};
    const double east = number(east_), north = number(north_);
    if (place.name.empty()) refuse("a place has no name");
    if (has("altitude")) place.own_altitude = number("altitude");
    if (kind_ != PlaceColumns::longitude_latitude) {
        place.i = east, place.j = north;
        return place;
    }
    if (std::abs(north) > 90 || std::abs(east) > 360)
        refuse(fmt::format("latitude {} and longitude {} are not possible", north, east));
    place.longitude = east, place.latitude = north;
    return place;
}

} // namespace squall
