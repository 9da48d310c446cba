#include "output/place_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "settings/config.hpp"

namespace squall {
namespace {

std::string trim(const std::string &text) {
    const auto first = text.find_first_not_of(" \t\r\"");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string> cells_of(const std::string &line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(trim(cell));
    return cells;
}

} // namespace

PlaceTable::PlaceTable(const SmallFiles &files, const std::string &file)
    : file_(file), in_(files.open(file)) {
    if (!in_) throw ConfigError(fmt::format("{}: cannot read the table of places", file));
    if (!read_line()) refuse("the table of places is empty");
    names_ = cells_;
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

bool PlaceTable::has(const std::string &column) const {
    return std::ranges::find(names_, column) != names_.end();
}

bool PlaceTable::read_line() {
    for (std::string line; std::getline(in_, line);) {
        ++line_;
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        cells_ = cells_of(line);
        return true;
    }
    return false;
}

bool PlaceTable::next() {
    if (!read_line()) return false;
    if (cells_.size() != names_.size())
        refuse(fmt::format("{} cells in a table of {} columns", cells_.size(), names_.size()));
    return true;
}

const std::string &PlaceTable::text(const std::string &column) const {
    return cells_[static_cast<std::size_t>(std::ranges::find(names_, column) - names_.begin())];
}

double PlaceTable::number(const std::string &column) const {
    const auto &cell = text(column);
    double number = 0;
    const auto [stop, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (problem != std::errc() || stop != cell.data() + cell.size() || !std::isfinite(number))
        refuse(fmt::format("\"{}\" is not a number", cell));
    return number;
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

void PlaceTable::refuse(const std::string &what) const {
    throw ConfigError(fmt::format("{}:{}: {}", file_, line_, what));
}

} // namespace squall
