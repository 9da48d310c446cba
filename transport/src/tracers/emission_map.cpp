#include "tracers/emission_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "config/units.hpp"
#include "tracers/cf_file.hpp"
#include "tracers/overlap.hpp"

namespace squall::transport {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();
constexpr auto wanted_units = "kg m-2 s-1";

/// A file's emissions as they are: cells by pairs of begin and end [degrees], records by pairs of times [s].
struct RawMap {
    std::vector<double> lat, lon, spans;
    std::vector<double> flux; ///< of one record, lat x lon [kg m-2 s-1]
};

bool is_flux(const CfFile &file, const io::Field &field) {
    try {
        return parse_unit(file.text(field.name, "units")).dimension == parse_unit(wanted_units).dimension;
    } catch (const std::invalid_argument &) {
        return false; // a unit of something else
    }
}

/// That of the run file, or the only one in units of emission.
std::string choose_variable(const CfFile &file, const std::string &named) {
    if (!named.empty()) {
        if (!file.reader().has(named)) throw std::runtime_error(fmt::format("has no variable \"{}\"", named));
        if (!is_flux(file, file.reader().field(named)))
            throw std::runtime_error(fmt::format("has {} in \"{}\", and {} are wanted", named,
                                                 file.text(named, "units"), wanted_units));
        return named;
    }
    std::vector<std::string> found;
    for (const io::Field &field : file.reader().fields())
        if (is_flux(file, field)) found.push_back(field.name);
    if (found.empty()) throw std::runtime_error(fmt::format("has no variable in {}", wanted_units));
    if (found.size() > 1)
        throw std::runtime_error(
            fmt::format("has several variables in {}: say by emission_variable which of {}", wanted_units,
                        fmt::join(found, ", ")));
    return found[0];
}

/// Whether it has time as its first dimension. Latitude and longitude must be the last two.
bool check_dimensions(const CfFile &file, const std::string &variable) {
    const auto names = file.axes(variable).names;
    const std::size_t n = names.size();
    if (n < 2 || n > 3 || !file.is_degrees(names[n - 2], 'n') || !file.is_degrees(names[n - 1], 'e'))
        throw std::runtime_error(fmt::format("has {} over ({}), and ([time,] latitude, longitude) are "
                                             "wanted, with coordinates in degrees_north and "
                                             "degrees_east",
                                             variable, fmt::join(names, ", ")));
    return n == 3;
}

/// When each record holds. One alone, without bounds, always does.
std::vector<double> find_spans(const CfFile &file, const std::string &variable, const EmissionFile &asked) {
    if (!check_dimensions(file, variable)) return {-forever, forever};
    const auto times = file.times(file.time_of(variable), parse_time(asked.start));
    if (times.bounds.empty() && times.at.size() == 1) return {-forever, forever};
    const auto spans = times.bounds.empty() ? halfway(times.at) : times.bounds;
    double covered = 0; // of the run, from its start; to a second
    for (std::size_t n = 0; n < spans.size(); n += 2)
        if (spans[n] <= covered + 1) covered = std::max(covered, spans[n + 1]);
    if (covered < asked.duration - 1 || spans.empty())
        throw std::runtime_error(fmt::format(
            "has emissions from {} to {}, and the run goes from {} to {}",
            spans.empty() ? "never" : format_iso(add_seconds(parse_time(asked.start), spans.front())),
            spans.empty() ? "never" : format_iso(add_seconds(parse_time(asked.start), spans.back())),
            asked.start, format_iso(add_seconds(parse_time(asked.start), asked.duration))));
    return spans;
}

/// Reads `n`-th record.
void read_flux(const CfFile &file, const std::string &variable, std::int64_t n, RawMap &raw) {
    const double factor = parse_unit(file.text(variable, "units")).factor;
    raw.flux = check_dimensions(file, variable) ? file.numbers(variable, n) : file.numbers(variable);
    for (double &flux : raw.flux) {
        if (flux < 0)
            throw std::runtime_error(fmt::format("has {} = {} {}: emissions are not negative", variable, flux,
                                                 file.text(variable, "units")));
        flux = std::isnan(flux) ? 0 : flux * factor;
    }
}

/// For each of the globe's cells along an axis, the file's cells that lie in it, and the share that each
/// fills.
struct Shares {
    struct Part {
        std::size_t cell;
        double share;
    };
    std::vector<std::vector<Part>> of_cells;
};

double sine(double degrees) { return std::sin(std::clamp(degrees, -90.0, 90.0) * pi / 180); }

Shares along_latitude(const std::vector<double> &pairs, const PatchOfGlobe &where) {
    Shares shares;
    for (int j = 0; j < where.patch().shape.ny; ++j) {
        const double south = std::sin(where.south(j)), north = std::sin(where.south(j + 1));
        auto &parts = shares.of_cells.emplace_back();
        for (std::size_t n = 0; n < pairs.size() / 2; ++n) {
            const auto [low, high] = std::minmax({sine(pairs[2 * n]), sine(pairs[2 * n + 1])});
            const double common = overlap(south, north, low, high);
            if (common > 0) parts.push_back({n, common / (north - south)});
        }
    }
    return shares;
}

/// The file's may begin anywhere.
Shares along_longitude(const std::vector<double> &pairs, const PatchOfGlobe &where) {
    Shares shares;
    const double width = 360.0 / where.globe().nlon;
    for (int i = 0; i < where.patch().shape.nx; ++i) {
        const double west = (where.patch().x0 + i) * width;
        auto &parts = shares.of_cells.emplace_back();
        for (std::size_t n = 0; n < pairs.size() / 2; ++n) {
            const auto [low, high] = std::minmax({pairs[2 * n], pairs[2 * n + 1]});
            double common = 0;
            for (const double turn : {-720.0, -360.0, 0.0, 360.0, 720.0})
                common += overlap(west, west + width, low + turn, high + turn);
            if (common > 0) parts.push_back({n, common / width});
        }
    }
    return shares;
}

std::vector<double> on_globe(const RawMap &raw, const Shares &lat, const Shares &lon) {
    std::vector<double> flux;
    const std::size_t columns = raw.lon.size() / 2;
    for (const auto &rows : lat.of_cells)
        for (const auto &cells : lon.of_cells) {
            double sum = 0;
            for (const auto &[row, high] : rows)
                for (const auto &[column, wide] : cells)
                    sum += high * wide * raw.flux[row * columns + column];
            flux.push_back(sum);
        }
    return flux;
}

std::runtime_error of_file(const EmissionFile &asked, const std::exception &problem) {
    return std::runtime_error(fmt::format("\"{}\" {}", asked.path, problem.what()));
}

} // namespace

EmissionMap read_emissions(const EmissionFile &asked, const PatchOfGlobe &where, MPI_Comm comm) {
    std::unique_ptr<CfFile> file;
    std::string variable;
    RawMap raw;
    const auto on_first = [&](const auto &read) {
        on_first_rank(comm, [&] {
            try {
                read();
            } catch (const std::exception &problem) {
                throw of_file(asked, problem);
            }
        });
    };
    on_first([&] {
        file = std::make_unique<CfFile>(asked.path);
        variable = choose_variable(*file, asked.variable);
        raw.spans = find_spans(*file, variable, asked);
        const auto names = file->axes(variable).names;
        raw.lat = file->bounds(names[names.size() - 2]), raw.lon = file->bounds(names.back());
    });
    for (auto *each : {&raw.lat, &raw.lon, &raw.spans}) broadcast(comm, *each);
    const Shares lat = along_latitude(raw.lat, where), lon = along_longitude(raw.lon, where);
    EmissionMap map;
    for (std::size_t n = 0; n < raw.spans.size() / 2; ++n) {
        const double begin = raw.spans[2 * n], end = raw.spans[2 * n + 1];
        if (end <= 0 || begin >= asked.duration) continue;
        on_first([&] { read_flux(*file, variable, static_cast<std::int64_t>(n), raw); });
        broadcast(comm, raw.flux);
        map.records.push_back({begin, end, on_globe(raw, lat, lon)});
    }
    return map;
}

void check_emissions(const EmissionFile &asked, MPI_Comm comm) {
    on_first_rank(comm, [&] {
        try {
            const CfFile file(asked.path);
            find_spans(file, choose_variable(file, asked.variable), asked);
        } catch (const std::exception &problem) {
            throw of_file(asked, problem);
        }
    });
}

} // namespace squall::transport
