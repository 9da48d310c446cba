#include "made_winds.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include "squall/io.hpp"

namespace squall::transport {
namespace {

using Reals = std::vector<double>;
constexpr int nlon = 24, nlat = 12, nz = 8;
constexpr int cells = nlon * nlat;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
std::size_t cell(int i, int j) { return at(j * nlon + (i + nlon) % nlon); }

struct Made {
    const char *name, *level, *lat, *lon;
};
const std::vector<Made> variables{{"ps", "", "lat", "lon"},
                                  {"potential_before", "", "lat", "lon"},
                                  {"potential_after", "", "lat", "lon"},
                                  {"u", "lev", "lat", "lon_west"},
                                  {"v", "lev", "lat_south", "lon"},
                                  {"t", "lev", "lat", "lon"},
                                  {"q", "lev", "lat", "lon"},
                                  {"boundary_layer_height", "", "lat", "lon"},
                                  {"friction_velocity", "", "lat", "lon"},
                                  {"sensible_heat_flux", "", "lat", "lon"},
                                  {"latent_heat_flux", "", "lat", "lon"},
                                  {"rain_rate", "", "lat", "lon"},
                                  {"convective_rain_rate", "", "lat", "lon"},
                                  {"land_fraction", "", "lat", "lon"},
                                  {"frozen_fraction", "", "lat", "lon"},
                                  {"updraught", "ilev", "lat", "lon"},
                                  {"downdraught", "ilev", "lat", "lon"}};

Reals in_degrees(Reals radians) {
    for (double &x : radians) x *= 180 / pi;
    return radians;
}

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// The same on all ranks, another for each process group.
std::string folder() {
    int process = getpid();
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    static int number = 0;
    return (std::filesystem::temp_directory_path() / fmt::format("made_winds_{}_{}", process, ++number))
        .string();
}

} // namespace

MadeWinds::MadeWinds(Reals hours)
    : times(std::move(hours)), globe_(make_globe("gaussian", nlon, nlat)),
      levels_(make_levels({.nz = nz, .top = 1e4, .coordinate = "sigma"})) {
    surface_.push_back(Reals(cells, 1e5));
    for (std::size_t n = 0; n + 1 < times.size(); ++n) {
        const Reals gain = convergence(potential(static_cast<int>(n)));
        const double seconds = 3600 * (times[n + 1] - times[n]);
        Reals next = surface_.back();
        for (int j = 0; j < nlat; ++j)
            for (int i = 0; i < nlon; ++i)
                next[cell(i, j)] += seconds * gain[cell(i, j)] / globe_.area[at(j)];
        surface_.push_back(next);
    }
}

/// Of an interval, by which the surface pressure changes by some hPa.
Reals MadeWinds::potential(int interval) const {
    Reals values(cells);
    for (int j = 0; j < nlat; ++j)
        for (int i = 0; i < nlon; ++i)
            values[cell(i, j)] = 1.2e12 * std::cos(globe_.lat[at(j)]) *
                                 std::sin(globe_.lon[at(i)] * (1 + interval) + globe_.lat[at(j)]);
    return values;
}

/// As side_fluxes.cpp has it, for what of it is not wind.
Reals MadeWinds::convergence(const Reals &p) const {
    const double turn = 2 * pi / nlon;
    const auto east = [&](int i, int j) {
        return (p[cell(i, j)] - p[cell(i - 1, j)]) * (globe_.lat_faces[at(j + 1)] - globe_.lat_faces[at(j)]) /
               (std::cos(globe_.lat[at(j)]) * turn);
    };
    const auto north = [&](int i, int j) {
        if (j == 0 || j == nlat) return 0.0;
        return (p[cell(i, j)] - p[cell(i, j - 1)]) * std::cos(globe_.lat_faces[at(j)]) * turn /
               (globe_.lat[at(j)] - globe_.lat[at(j - 1)]);
    };
    Reals gain(cells);
    for (int j = 0; j < nlat; ++j)
        for (int i = 0; i < nlon; ++i)
            gain[cell(i, j)] = east(i, j) - east(i + 1, j) + north(i, j) - north(i, j + 1);
    return gain;
}

/// Westerlies and northerlies in one half of each column, the opposite in the other half, by mass.
Reals MadeWinds::wind(int record, bool eastward) const {
    Reals values;
    for (int k = 0; k < nz; ++k) {
        const double mass = levels_.b[at(k)] - levels_.b[at(k + 1)];
        for (int j = 0; j < nlat; ++j)
            for (int i = 0; i < nlon; ++i) {
                const double lon = globe_.lon[at(i)], lat = globe_.lat[at(j)];
                const double strength = eastward ? 3 * std::cos(lat) * (2 + std::sin(lon + record))
                                                 : 0.8 * std::cos(lat) * std::sin(2 * lon + lat);
                values.push_back((k % 2 == 0 ? strength : -strength) / (mass * nz));
            }
    }
    return values;
}

Reals MadeWinds::values_of(const std::string &name, int record) const {
    if (name == "ps") return surface(record);
    if (name == "potential_before") return record == 0 ? Reals(cells) : potential(record - 1);
    if (name == "potential_after")
        return record + 1 == static_cast<int>(times.size()) ? Reals(cells) : potential(record);
    if (name == "u" || name == "v") return wind(record, name == "u");
    if (name == "t") return Reals(cells * nz, 250.0 + 10 * record);
    if (name == "updraught" || name == "downdraught") return Reals(cells * (nz + 1), 0.01);
    return Reals(name == "q" ? cells * nz : cells, 0.001 * (1 + record));
}

std::string MadeWinds::write() const {
    const std::string path = folder() + "/winds.nc";
    if (rank_of_world() == 0) {
        io::Session session(MPI_COMM_SELF);
        io::StreamSpec spec;
        spec.name = "winds", spec.path = path, spec.frames_per_file = 100;
        spec.record_dimension = "time";
        spec.time = io::TimeAxis{.units = "hours since 2000-01-01 00:00:00"};
        spec.calendar = calendar;
        spec.dimensions = {{"lev", nz},   {"ilev", nz + 1},    {"lat", nlat},
                           {"lon", nlon}, {"lat_south", nlat}, {"lon_west", nlon}};
        const auto line = [&](const char *name, const char *dimension) {
            spec.fields.push_back({name, io::Type::f64, {dimension}, {}, false});
        };
        line("lat", "lat"), line("lon", "lon"), line("ap_interface", "ilev"), line("b_interface", "ilev");
        for (const Made &made : variables) {
            if (made.name == without) continue;
            std::vector<std::string> dimensions{made.lat, made.lon};
            if (*made.level) dimensions.insert(dimensions.begin(), made.level);
            spec.fields.push_back({made.name, io::Type::f64, dimensions, {}});
        }
        io::Stream stream = session.open(spec);
        const auto put = [&](const char *name, const Reals &values) {
            stream.put(name, {{0}, {std::ssize(values)}}, values.data());
        };
        put("lat", in_degrees(globe_.lat)), put("lon", in_degrees(globe_.lon));
        put("ap_interface", levels_.a), put("b_interface", levels_.b);
        for (int n = 0; n < static_cast<int>(times.size()); ++n) {
            auto frame = stream.begin({times[at(n)] * 3600, "2000-01-01T00:00:00", calendar});
            for (const Made &made : variables) {
                if (made.name == without) continue;
                Reals values = values_of(made.name, n);
                if (change) change(made.name, n, values);
                const std::int64_t levels = std::ssize(values) / cells;
                const io::Box box =
                    *made.level ? io::Box{{0, 0, 0}, {levels, nlat, nlon}} : io::Box{{0, 0}, {nlat, nlon}};
                frame.put(made.name, box, values.data());
            }
            frame.commit();
        }
        stream.close();
        session.close();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

std::string MadeWinds::run_file(const std::string &path, const std::string &more) const {
    return fmt::format(R"([run]
duration = "6 h"
time_step = "30 min"
[grid]
nlon = {}
nlat = {}
[vertical]
nz = {}
top = "100 hPa"
coordinate = "sigma"
[tracer.q]
shape = "slotted-cylinders"
[tracer.one]
shape = "constant"
[wind]
file = "{}"
)",
                       nlon, nlat, nz, path) +
           more;
}

} // namespace squall::transport
