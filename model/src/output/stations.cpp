#include "output/stations.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "output/place_table.hpp"
#include "squall/io.hpp"

namespace squall {
namespace {

/// The land cell that is nearest to a place, within three cells; the nearest cell if there is none.
std::pair<double, double> nearest_land(const io::Reader &file, const DomainConfig &d, double x, double y) {
    const auto west = std::max(static_cast<std::int64_t>(std::lround(x)) - 3, std::int64_t(0)),
               south = std::max(static_cast<std::int64_t>(std::lround(y)) - 3, std::int64_t(0));
    const io::Box box{{south, west},
                      {std::min<std::int64_t>(7, d.ny - south), std::min<std::int64_t>(7, d.nx - west)}};
    std::vector<double> land(static_cast<std::size_t>(box.count[0] * box.count[1]));
    file.read("LANDMASK", 0, box, land.data());
    std::pair best{std::round(x), std::round(y)};
    double least = 3.5 * 3.5;
    for (std::int64_t j = 0; j < box.count[0]; ++j)
        for (std::int64_t i = 0; i < box.count[1]; ++i) {
            const double dx = static_cast<double>(west + i) - x, dy = static_cast<double>(south + j) - y;
            if (land[static_cast<std::size_t>(j * box.count[1] + i)] < 0.5 || dx * dx + dy * dy >= least)
                continue;
            least = dx * dx + dy * dy;
            best = {static_cast<double>(west + i), static_cast<double>(south + j)};
        }
    return best;
}

/// The first rank looks, and tells the others.
void move_to_land(std::vector<Place> &stations, const StreamConfig &stream, const Config &config,
                  MPI_Comm comm) {
    if (config.initial.file.empty() || !io::Reader(config.initial.file).has("LANDMASK"))
        throw ConfigError(fmt::format(
            "{}:{}: output.{}.interpolation = \"land\", but the run has no LANDMASK; it needs initial.file",
            config.file, stream.line, stream.name));
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::vector<double> where(2 * stations.size());
    if (rank == 0) {
        const io::Reader file(config.initial.file);
        for (std::size_t s = 0; s < stations.size(); ++s)
            std::tie(where[2 * s], where[2 * s + 1]) =
                nearest_land(file, config.domain, stations[s].i, stations[s].j);
    }
    MPI_Bcast(where.data(), static_cast<int>(where.size()), MPI_DOUBLE, 0, comm);
    for (std::size_t s = 0; s < stations.size(); ++s)
        stations[s].i = where[2 * s], stations[s].j = where[2 * s + 1];
}

/// The model's ground; of stations that have no longitude and latitude of their own, those of the grid there,
/// too.
void look_at_the_ground(std::vector<Place> &stations, bool has_places, const Grid &grid, const Patch &patch,
                        MPI_Comm comm) {
    const auto found = values_at(stations, {&grid.terrain, &grid.lon, &grid.lat}, patch, comm);
    for (std::size_t s = 0; s < stations.size(); ++s) {
        stations[s].altitude = found[3 * s];
        if (!has_places) stations[s].longitude = found[3 * s + 1], stations[s].latitude = found[3 * s + 2];
    }
}

/// In cells, if they are in metres; and without those outside, if the stream leaves them out. Throws
/// ConfigError where that is not so, or none is left.
void place_in_the_domain(std::vector<Place> &stations, PlaceColumns columns, const StreamConfig &stream,
                         const Config &config) {
    if (columns == PlaceColumns::x_y)
        for (auto &s : stations) s.i = s.i / config.domain.dx - 0.5, s.j = s.j / config.domain.dy - 0.5;
    std::string outside;
    const auto is_outside = [&](const Place &s) {
        return !(s.i >= 0 && s.i <= config.domain.nx - 1 && s.j >= 0 && s.j <= config.domain.ny - 1);
    };
    for (const auto &s : stations)
        if (is_outside(s)) outside += (outside.empty() ? "" : ", ") + s.name;
    if (!outside.empty() && stream.places_outside == "refuse")
        throw ConfigError(
            fmt::format("{}:{}: output.{}.stations: these lie outside the centres of the outermost cells: "
                        "{}; remove them, or set places_outside = \"leave-out\"",
                        config.file, stream.line, stream.name, outside));
    std::erase_if(stations, is_outside);
    if (stations.empty())
        throw ConfigError(fmt::format("{}:{}: output.{}.stations: none of {} lies inside the domain",
                                      config.file, stream.line, stream.name, stream.stations));
}

std::vector<Place> read_stations(PlaceTable &table) {
    std::vector<Place> stations;
    std::set<std::string> names; // there may be tens of thousands
    while (table.next()) {
        const auto station = table.place();
        if (!names.insert(station.name).second)
            table.refuse(fmt::format("two stations have the name {}", station.name));
        stations.push_back(station);
    }
    if (stations.empty()) table.refuse("the table has no stations");
    return stations;
}

} // namespace

std::vector<Place> expect_stations(const StreamConfig &stream, const Config &config) {
    PlaceTable table(config.files, stream.stations);
    const auto columns = table.columns();
    auto stations = read_stations(table);
    if (columns != PlaceColumns::longitude_latitude) place_in_the_domain(stations, columns, stream, config);
    return stations;
}

std::vector<Place> locate_stations(const StreamConfig &stream, const Config &config, const Grid &grid,
                                   const Patch &patch, MPI_Comm comm) {
    PlaceTable table(config.files, stream.stations);
    const auto columns = table.columns();
    auto stations = read_stations(table);
    if (columns == PlaceColumns::longitude_latitude) locate_on_the_sphere(stations, grid, patch, comm);
    place_in_the_domain(stations, columns, stream, config);
    if (stream.interpolation == "land") move_to_land(stations, stream, config, comm);
    look_at_the_ground(stations, columns == PlaceColumns::longitude_latitude, grid, patch, comm);
    return stations;
}

} // namespace squall
