#include "winds/wind_file.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "settings/calendar.hpp"

namespace squall::transport {
namespace {

/// A variable: its name, and its dimensions but time.
struct Variable {
    const char *name;
    std::vector<std::string> dimensions;
    bool optional = false;
};

const Variable &variable_of(WindField field) {
    static const std::vector<std::string> surface{"lat", "lon"}, layers{"lev", "lat", "lon"},
        interfaces{"ilev", "lat", "lon"};
    static const std::array<Variable, wind_fields> all{{{"ps", surface},
                                                        {"potential_before", surface},
                                                        {"potential_after", surface},
                                                        {"u", {"lev", "lat", "lon_west"}},
                                                        {"v", {"lev", "lat_south", "lon"}},
                                                        {"t", layers},
                                                        {"q", layers},
                                                        {"boundary_layer_height", surface},
                                                        {"friction_velocity", surface},
                                                        {"sensible_heat_flux", surface},
                                                        {"latent_heat_flux", surface},
                                                        {"rain_rate", surface},
                                                        {"convective_rain_rate", surface},
                                                        {"land_fraction", surface},
                                                        {"frozen_fraction", surface},
                                                        {"updraught", interfaces, true},
                                                        {"downdraught", interfaces, true}}};
    return all[index_of(field)];
}

WindField field_at(std::size_t n) { return static_cast<WindField>(n); }

std::vector<double> line_of(const io::Reader &file, const std::string &name) {
    if (!file.has(name)) throw std::invalid_argument(fmt::format("it has no variable {}", name));
    const auto shape = file.shape(name);
    if (shape.size() != 1) throw std::invalid_argument(fmt::format("its {} is no list of numbers", name));
    std::vector<double> values(static_cast<std::size_t>(shape[0]));
    file.read(name, 0, {{0}, shape}, values.data());
    return values;
}

void check_variables(const io::Reader &file, WindHeader &header) {
    for (std::size_t n = 0; n < wind_fields; ++n) {
        const Variable &wanted = variable_of(field_at(n));
        if (!file.has(wanted.name)) {
            if (wanted.optional) continue;
            throw std::invalid_argument(fmt::format("it has no variable {}", wanted.name));
        }
        const io::Field &found = file.field(wanted.name);
        if (!found.per_frame || found.dimensions != wanted.dimensions)
            throw std::invalid_argument(
                fmt::format("its {} is not over time, {}", wanted.name, fmt::join(wanted.dimensions, ", ")));
    }
    const bool up = file.has("updraught"), down = file.has("downdraught");
    if (up != down)
        throw std::invalid_argument(fmt::format("it has no variable {}, which goes with {}",
                                                up ? "downdraught" : "updraught",
                                                up ? "updraught" : "downdraught"));
    header.updraughts = up;
}

void read_times(const io::Reader &file, const std::string &start, WindHeader &header) {
    const CalendarTime from = parse_time(start);
    for (const io::Time &time : file.times()) {
        if (time.calendar != "standard" && time.calendar != "gregorian" &&
            time.calendar != "proleptic_gregorian")
            throw std::invalid_argument(
                fmt::format("its calendar is {}, that of a run proleptic_gregorian", time.calendar));
        const CalendarTime when = add_seconds(parse_time(time.epoch), time.seconds);
        if (header.times.empty()) header.first = format_iso(when);
        header.last = format_iso(when);
        header.times.push_back(std::chrono::duration<double>(when - from).count());
        if (header.times.size() > 1 && !(header.times.back() > *(header.times.end() - 2)))
            throw std::invalid_argument(
                fmt::format("its times do not increase: after {} comes no later one", header.last));
    }
    if (header.times.size() < 2)
        throw std::invalid_argument(fmt::format(
            "it has {} time(s) along a dimension without limit; winds need 2 or more", header.times.size()));
}

std::string in_words(const WindHeader &h) {
    return fmt::format("{} x {} cells, the first at {:.4f} degrees north, {:.4f} degrees east", h.lon.size(),
                       h.lat.size(), h.lat.empty() ? 0 : h.lat[0], h.lon.empty() ? 0 : h.lon[0]);
}

bool alike(const std::vector<double> &degrees, const std::vector<double> &radians) {
    return std::ranges::equal(degrees, radians,
                              [](double x, double y) { return std::abs(x - y * 180 / pi) < 1e-6; });
}

std::string when(const WindHeader &h, std::size_t record) {
    return format_iso(add_seconds(parse_time(h.first), h.times[record] - h.times[0]));
}

} // namespace

int layers_of(WindField field, int nz) {
    const auto &dimensions = variable_of(field).dimensions;
    return dimensions.size() == 2 ? 1 : dimensions[0] == "lev" ? nz : nz + 1;
}

WindHeader read_wind_header(const std::string &path, const std::string &start) {
    WindHeader header;
    try {
        const io::Reader file(path);
        check_variables(file, header);
        header.lon = line_of(file, "lon"), header.lat = line_of(file, "lat");
        header.a = line_of(file, "ap_interface"), header.b = line_of(file, "b_interface");
        if (header.a.size() < 2 || header.a.size() != header.b.size() || header.layers() != file.size("lev"))
            throw std::invalid_argument("its ap_interface and b_interface are not those of its layers");
        read_times(file, start, header);
    } catch (const io::Error &error) {
        throw std::invalid_argument(error.what());
    }
    return header;
}

void check_wind_grid(const WindHeader &header, const GlobeGrid &globe) {
    if (alike(header.lon, globe.lon) && alike(header.lat, globe.lat)) return;
    WindHeader mine;
    for (const double lon : globe.lon) mine.lon.push_back(lon * 180 / pi);
    for (const double lat : globe.lat) mine.lat.push_back(lat * 180 / pi);
    throw std::invalid_argument(fmt::format("it is of another grid: it has {}; this run, {}, has {}",
                                            in_words(header), globe.kind, in_words(mine)));
}

void check_wind_levels(const WindHeader &header, const Levels &levels) {
    if (header.layers() != levels.nz)
        throw std::invalid_argument(
            fmt::format("it is of other levels: it has {} layers, this run {}", header.layers(), levels.nz));
    for (std::size_t k = 0; k < levels.a.size(); ++k)
        if (!(std::abs(header.a[k] - levels.a[k]) < 1e-3 && std::abs(header.b[k] - levels.b[k]) < 1e-8))
            throw std::invalid_argument(fmt::format(
                "it is of other levels: interface {}, counted from 0 at the ground, is at {} Pa + "
                "{} ps, that of this run at {} Pa + {} ps; coordinate = \"file\" in [vertical] "
                "takes the file's",
                k, header.a[k], header.b[k], levels.a[k], levels.b[k]));
    if (levels.a.front() != 0 || levels.b.front() != 1 || levels.b.back() != 0 || levels.a.back() < 0)
        throw std::invalid_argument("its levels do not begin at the ground, where p = ps, or do not end at a "
                                    "pressure that is the same everywhere");
    for (std::size_t k = 0; k + 1 < levels.a.size(); ++k)
        for (const double surface : {5e4, 1e5})
            if (!(levels.pressure(static_cast<int>(k), surface) >
                  levels.pressure(static_cast<int>(k) + 1, surface)))
                throw std::invalid_argument(
                    fmt::format("its layer {}, counted from 0 at the ground, has no air", k));
}

void check_wind_times(const WindHeader &h, double end, double step) {
    if (h.times.front() > 0 || h.times.back() < end)
        throw std::invalid_argument(
            fmt::format("its winds are of {} to {}, which is not all of the run", h.first, h.last));
    for (std::size_t n = 1; n < h.times.size(); ++n) {
        if (h.times[n] <= 0 || h.times[n - 1] >= end) continue;
        const double steps = h.times[n] / step;
        if (h.times[n] < end && std::abs(steps - std::round(steps)) > 1e-6)
            throw std::invalid_argument(
                fmt::format("its winds of {} lie within a time step of {:g} s: choose one that divides the "
                            "{:g} h from one time to the next",
                            when(h, n), step, (h.times[n] - h.times[n - 1]) / 3600));
    }
}

std::string times_in_words(const WindHeader &h) {
    double least = h.times[1] - h.times[0], most = least;
    for (std::size_t n = 1; n < h.times.size(); ++n)
        least = std::min(least, h.times[n] - h.times[n - 1]),
        most = std::max(most, h.times[n] - h.times[n - 1]);
    const std::string apart = most > 1.001 * least ? fmt::format("{:g} to {:g}", least / 3600, most / 3600)
                                                   : fmt::format("{:g}", least / 3600);
    return fmt::format("{} times, {} h apart", h.times.size(), apart);
}

void WindFile::check(WindField field, std::size_t record, int first_row,
                     const std::vector<double> &values) const {
    // A number that stands for a missing one is larger.
    const auto found = std::ranges::find_if(values, [](double x) { return !(std::abs(x) < 1e30); });
    if (found == values.end()) return;
    const auto place = found - values.begin();
    const auto nlon = std::ssize(header_.lon);
    const auto layers = layers_of(field, header_.layers());
    throw std::runtime_error(
        fmt::format("{}: {} is {} at {}, in cell ({}, {}, {}), counted from 0 east, north and up",
                    file_.path(), variable_of(field).name, *found, when(header_, record), place % nlon,
                    first_row + place / (nlon * layers), place / nlon % layers));
}

WindValues WindFile::read(std::size_t record, int first_row, int rows) const {
    WindValues all;
    const auto nlon = std::ssize(header_.lon);
    for (std::size_t n = 0; n < wind_fields; ++n) {
        const WindField field = field_at(n);
        const Variable &variable = variable_of(field);
        if (variable.optional && !header_.updraughts) continue;
        const std::ptrdiff_t layers = layers_of(field, header_.layers());
        std::vector<double> &values = all[n];
        values.resize(static_cast<std::size_t>(rows * layers * nlon));
        const auto frame = static_cast<std::int64_t>(record);
        if (variable.dimensions.size() == 2)
            file_.read(variable.name, frame, {{first_row, 0}, {rows, nlon}}, values.data(), {nlon, 1});
        else
            file_.read(variable.name, frame, {{0, first_row, 0}, {layers, rows, nlon}}, values.data(),
                       {nlon, layers * nlon, 1});
        check(field, record, first_row, values);
    }
    return all;
}

} // namespace squall::transport
