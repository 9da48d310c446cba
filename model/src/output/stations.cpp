#include "output/stations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "squall/io.hpp"

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

/// Reads the lines of a table one by one, and knows where it is.
class Table {
  public:
    explicit Table(const std::string &file) : file_(file), in_(file) {
        if (!in_) throw ConfigError(fmt::format("{}: the table of stations cannot be read", file));
    }
    bool next(std::vector<std::string> &cells) {
        for (std::string line; std::getline(in_, line);) {
            ++line_;
            line = trim(line.substr(0, line.find('#')));
            if (line.empty()) continue;
            cells = cells_of(line);
            return true;
        }
        return false;
    }
    [[noreturn]] void refuse(const std::string &what) const {
        throw ConfigError(fmt::format("{}:{}: {}", file_, line_, what));
    }

  private:
    std::string file_;
    std::ifstream in_;
    int line_ = 0;
};

struct Columns {
    StationColumns kind;
    std::size_t name, east, north;
};

Columns columns_of(const Table &table, const std::vector<std::string> &header) {
    const auto at = [&](const char *name) {
        return static_cast<std::size_t>(std::ranges::find(header, std::string(name)) - header.begin());
    };
    const auto has = [&](const char *name) { return at(name) < header.size(); };
    if (!has("name")) table.refuse("the first line must name the columns, one of them `name`");
    if (has("longitude") && has("latitude"))
        return {StationColumns::longitude_latitude, at("name"), at("longitude"), at("latitude")};
    if (has("x") && has("y")) return {StationColumns::x_y, at("name"), at("x"), at("y")};
    if (has("i") && has("j")) return {StationColumns::i_j, at("name"), at("i"), at("j")};
    table.refuse(
        "no columns that say where: longitude and latitude [degrees], x and y [m from the south-west "
        "corner], or i and j [cells, from 0]");
}

double number_in(const Table &table, const std::string &text) {
    double number = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || stop != text.data() + text.size() || !std::isfinite(number))
        table.refuse(fmt::format("\"{}\" is not a number", text));
    return number;
}

struct Vector {
    double x = 0, y = 0, z = 0;
};
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector less(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

Vector on_sphere(double longitude, double latitude) {
    const double degree = std::acos(-1.0) / 180, lon = longitude * degree, lat = latitude * degree;
    return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

/// Finds places on the grid of a patch by the latitudes and longitudes of its cells, whatever the projection.
class Search {
  public:
    Search(const Grid &grid, const Patch &patch) : grid_(grid), patch_(patch) {}

    /// The nearest of the patch's own cells: downhill from cell to cell, and among equals the first of the
    /// domain.
    struct Nearest {
        int i = 0, j = 0;
        double distance = std::numeric_limits<double>::infinity(); ///< chord, squared
        std::int64_t cell = 0;                                     ///< of the domain
    };
    Nearest nearest(Vector to) const {
        auto best = at(patch_.shape.nx / 2, patch_.shape.ny / 2, to);
        for (bool moved = true; moved;) {
            moved = false;
            const auto here = best;
            for (int dj = -1; dj <= 1; ++dj)
                for (int di = -1; di <= 1; ++di) {
                    const int i = here.i + di, j = here.j + dj;
                    if (i < 0 || j < 0 || i >= patch_.shape.nx || j >= patch_.shape.ny) continue;
                    const auto there = at(i, j, to);
                    if (!less_far(there, best)) continue;
                    best = there;
                    moved = true;
                }
        }
        return best;
    }

    /// Where a place is between the cells, from the nearest cell of the patch on: Newton's method for the
    /// bilinear interpolation of the cells' own places, in the plane that touches the sphere there.
    std::pair<double, double> between(const Nearest &near, Vector to, double longitude) const {
        const double degree = std::acos(-1.0) / 180;
        const Vector east{-std::sin(longitude * degree), std::cos(longitude * degree), 0};
        const Vector north{to.y * east.z - to.z * east.y, to.z * east.x - to.x * east.z,
                           to.x * east.y - to.y * east.x};
        // In cells of the domain: the same operations whatever the patch.
        const double first_x = near.i + patch_.x0, first_y = near.j + patch_.y0;
        double x = first_x, y = first_y;
        for (int n = 0; n < 5; ++n) {
            const int i = low(x, patch_.nx_domain), j = low(y, patch_.ny_domain);
            const Vector sw = of_domain(i, j), se = of_domain(i + 1, j), nw = of_domain(i, j + 1),
                         ne = of_domain(i + 1, j + 1);
            const double a = x - i, b = y - j;
            const auto in = [&](Vector axis) { // value and slopes along one axis of the plane
                const double p = dot(less(sw, to), axis), q = dot(less(se, to), axis),
                             r = dot(less(nw, to), axis), s = dot(less(ne, to), axis);
                return std::array{(1 - b) * ((1 - a) * p + a * q) + b * ((1 - a) * r + a * s),
                                  (1 - b) * (q - p) + b * (s - r), (1 - a) * (r - p) + a * (s - q)};
            };
            const auto e = in(east), f = in(north);
            const double determinant = e[1] * f[2] - e[2] * f[1];
            if (determinant == 0) break;
            x -= (e[0] * f[2] - f[0] * e[2]) / determinant;
            y -= (e[1] * f[0] - f[1] * e[0]) / determinant;
            x = std::clamp(x, first_x - 2, first_x + 2);
            y = std::clamp(y, first_y - 2, first_y + 2);
        }
        return {x, y};
    }

  private:
    static bool less_far(const Nearest &a, const Nearest &b) {
        return a.distance < b.distance || (a.distance == b.distance && a.cell < b.cell);
    }
    Vector place(int i, int j) const {
        return on_sphere(static_cast<double>(grid_.lon(i, j)), static_cast<double>(grid_.lat(i, j)));
    }
    Nearest at(int i, int j, Vector to) const {
        const auto away = less(place(i, j), to);
        return {i, j, dot(away, away), std::int64_t(patch_.y0 + j) * patch_.nx_domain + patch_.x0 + i};
    }
    Vector of_domain(int i, int j) const { return place(i - patch_.x0, j - patch_.y0); }
    /// The cell on the low side, of which there is another one behind it in the domain.
    static int low(double x, int size) {
        return std::clamp(static_cast<int>(std::floor(x)), 0, std::max(size - 2, 0));
    }

    const Grid &grid_;
    const Patch &patch_;
};

/// By longitude and latitude: each rank looks in its own patch, and the one that is nearest of all says
/// where.
void locate_on_the_sphere(std::vector<Station> &stations, const Grid &grid, const Patch &patch,
                          MPI_Comm comm) {
    const Search search(grid, patch);
    const auto n = stations.size();
    std::vector<Search::Nearest> near(n);
    std::vector<double> distance(n);
    std::vector<std::int64_t> cell(n);
    for (std::size_t s = 0; s < n; ++s) {
        near[s] = search.nearest(on_sphere(stations[s].longitude, stations[s].latitude));
        distance[s] = near[s].distance;
    }
    const int count = static_cast<int>(n);
    MPI_Allreduce(MPI_IN_PLACE, distance.data(), count, MPI_DOUBLE, MPI_MIN, comm);
    for (std::size_t s = 0; s < n; ++s)
        cell[s] = near[s].distance == distance[s] ? near[s].cell : std::numeric_limits<std::int64_t>::max();
    MPI_Allreduce(MPI_IN_PLACE, cell.data(), count, MPI_INT64_T, MPI_MIN, comm);
    std::vector<double> where(2 * n, -std::numeric_limits<double>::infinity());
    for (std::size_t s = 0; s < n; ++s) {
        if (near[s].cell != cell[s] || near[s].distance != distance[s]) continue;
        const auto [x, y] = search.between(near[s], on_sphere(stations[s].longitude, stations[s].latitude),
                                           stations[s].longitude);
        where[2 * s] = x;
        where[2 * s + 1] = y;
    }
    MPI_Allreduce(MPI_IN_PLACE, where.data(), 2 * count, MPI_DOUBLE, MPI_MAX, comm);
    for (std::size_t s = 0; s < n; ++s) stations[s].i = where[2 * s], stations[s].j = where[2 * s + 1];
}

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
void move_to_land(std::vector<Station> &stations, const StreamConfig &stream, const Config &config,
                  MPI_Comm comm) {
    if (config.initial.file.empty() || !io::Reader(config.initial.file).has("LANDMASK"))
        throw ConfigError(
            fmt::format("{}:{}: output.{}.interpolation = \"land\", but the run has no LANDMASK: "
                        "initial.file would bring it",
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

/// The model's ground, between the four cells around each station; of stations that have no longitude and
/// latitude of their own, those of the grid there, too.
void look_at_the_ground(std::vector<Station> &stations, bool has_places, const Grid &grid, const Patch &patch,
                        MPI_Comm comm) {
    std::vector<double> found(3 * stations.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t s = 0; s < stations.size(); ++s) {
        const auto west = std::min(static_cast<int>(stations[s].i), std::max(patch.nx_domain - 2, 0));
        const auto south = std::min(static_cast<int>(stations[s].j), std::max(patch.ny_domain - 2, 0));
        const int i = west - patch.x0, j = south - patch.y0;
        if (i < 0 || j < 0 || i >= patch.shape.nx || j >= patch.shape.ny) continue;
        const double a = stations[s].i - west, b = stations[s].j - south;
        const auto in = [&](const Array2 &plane) {
            double sum = 0;
            for (const auto &[di, dj, weight] :
                 {std::tuple(0, 0, (1 - a) * (1 - b)), std::tuple(1, 0, a * (1 - b)),
                  std::tuple(0, 1, (1 - a) * b), std::tuple(1, 1, a * b)})
                if (weight != 0) sum += weight * static_cast<double>(plane(i + di, j + dj));
            return sum;
        };
        found[3 * s] = in(grid.terrain), found[3 * s + 1] = in(grid.lon), found[3 * s + 2] = in(grid.lat);
    }
    MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_DOUBLE, MPI_MAX, comm);
    for (std::size_t s = 0; s < stations.size(); ++s) {
        stations[s].altitude = found[3 * s];
        if (!has_places) stations[s].longitude = found[3 * s + 1], stations[s].latitude = found[3 * s + 2];
    }
}

/// In cells, if they are in metres; and without those outside, if the stream leaves them out. Throws
/// ConfigError where that is not so, or none is left.
void place_in_the_domain(std::vector<Station> &stations, StationColumns columns, const StreamConfig &stream,
                         const Config &config) {
    if (columns == StationColumns::x_y)
        for (auto &s : stations) s.i = s.i / config.domain.dx - 0.5, s.j = s.j / config.domain.dy - 0.5;
    std::string outside;
    const auto is_outside = [&](const Station &s) {
        return !(s.i >= 0 && s.i <= config.domain.nx - 1 && s.j >= 0 && s.j <= config.domain.ny - 1);
    };
    for (const auto &s : stations)
        if (is_outside(s)) outside += (outside.empty() ? "" : ", ") + s.name;
    if (!outside.empty() && stream.stations_outside == "refuse")
        throw ConfigError(
            fmt::format("{}:{}: output.{}.stations: outside of the middles of the outermost cells lie: "
                        "{}; remove them, or set stations_outside = \"leave-out\"",
                        config.file, stream.line, stream.name, outside));
    std::erase_if(stations, is_outside);
    if (stations.empty())
        throw ConfigError(fmt::format("{}:{}: output.{}.stations: none of {} lies in the domain", config.file,
                                      stream.line, stream.name, stream.stations));
}

} // namespace

StationTable read_stations(const std::string &file) {
    Table table(file);
    std::vector<std::string> cells;
    if (!table.next(cells)) table.refuse("the table of stations is empty");
    const auto columns = columns_of(table, cells);
    const auto width = cells.size();
    StationTable found{columns.kind, {}};
    while (table.next(cells)) {
        if (cells.size() != width)
            table.refuse(fmt::format("{} cells in a table of {} columns", cells.size(), width));
        Station station{cells[columns.name]};
        const double east = number_in(table, cells[columns.east]),
                     north = number_in(table, cells[columns.north]);
        if (station.name.empty()) table.refuse("a station without a name");
        if (std::ranges::find(found.stations, station.name, &Station::name) != found.stations.end())
            table.refuse(fmt::format("a second station is called {}", station.name));
        if (columns.kind == StationColumns::longitude_latitude) {
            if (std::abs(north) > 90 || std::abs(east) > 360)
                table.refuse(fmt::format("latitude {} and longitude {} are not possible", north, east));
            station.longitude = east, station.latitude = north;
        } else {
            station.i = east, station.j = north;
        }
        found.stations.push_back(station);
    }
    if (found.stations.empty()) table.refuse("the table has no station");
    return found;
}

std::vector<Station> expect_stations(const StreamConfig &stream, const Config &config) {
    auto [columns, stations] = read_stations(stream.stations);
    if (columns != StationColumns::longitude_latitude) place_in_the_domain(stations, columns, stream, config);
    return stations;
}

std::vector<Station> locate_stations(const StreamConfig &stream, const Config &config, const Grid &grid,
                                     const Patch &patch, MPI_Comm comm) {
    auto [columns, stations] = read_stations(stream.stations);
    if (columns == StationColumns::longitude_latitude) locate_on_the_sphere(stations, grid, patch, comm);
    place_in_the_domain(stations, columns, stream, config);
    if (stream.interpolation == "land") move_to_land(stations, stream, config, comm);
    look_at_the_ground(stations, columns == StationColumns::longitude_latitude, grid, patch, comm);
    return stations;
}

} // namespace squall
