#include "tracers/linoz.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "config/units.hpp"
#include "tracers/amounts.hpp"
#include "tracers/cf_file.hpp"

namespace squall::transport {
namespace {

constexpr int months = 12;
constexpr std::array<const char *, 7> names{"ozone",
                                            "temperature",
                                            "column",
                                            "production",
                                            "production_by_ozone",
                                            "production_by_temperature",
                                            "production_by_column"};
/// Where x lies between the numbers of a list that grows: the place before it, and the share of the next.
struct Between {
    std::size_t low;
    double share;
};
Between find(const std::vector<double> &list, double x) {
    if (list.size() == 1 || x <= list.front()) return {0, 0};
    if (x >= list.back()) return {list.size() - 2, 1};
    const auto high = std::ranges::upper_bound(list, x);
    const auto low = static_cast<std::size_t>(high - list.begin()) - 1;
    return {low, (x - list[low]) / (list[low + 1] - list[low])};
}

} // namespace

LinozBalance balance_of(const LinozPoint &p, double temperature, double column) {
    const double lifetime = -1 / p.by_ozone;
    const double away =
        p.production + p.by_temperature * (temperature - p.temperature) + p.by_column * (column - p.column);
    return {std::max(p.ozone + away * lifetime, 0.0), lifetime};
}

LinozTable::LinozTable(const std::string &path, MPI_Comm comm) {
    on_first_rank(comm, [&] {
        try {
            read(path);
            check();
        } catch (const std::exception &problem) {
            throw std::runtime_error(fmt::format("\"{}\" {}", path, problem.what()));
        }
    });
    broadcast(comm, lat_);
    broadcast(comm, pressure_);
    for (auto &each : values_) broadcast(comm, each);
    for (const double p : pressure_) heights_.push_back(-std::log(p));
}

void LinozTable::read(const std::string &path) {
    const CfFile file(path);
    for (const char *name : {"lat", "lev"}) file.axes(name);
    lat_ = file.numbers("lat"), pressure_ = file.numbers("lev");
    for (double &p : pressure_) p *= parse_unit(file.text("lev", "units")).factor;
    for (std::size_t v = 0; v < variables; ++v) {
        const auto sizes = file.axes(names[v]).sizes;
        if (sizes != std::vector<std::int64_t>{months, std::ssize(lat_), std::ssize(pressure_)})
            throw std::runtime_error(fmt::format("has {} of {} points, and 12 months x {} latitudes x {} "
                                                 "pressures are wanted",
                                                 names[v], fmt::join(sizes, " x "), lat_.size(),
                                                 pressure_.size()));
        values_[v] = file.numbers(names[v]);
    }
}

void LinozTable::check() const {
    if (lat_.empty() || !std::ranges::is_sorted(lat_))
        throw std::runtime_error("has latitudes that do not go from south to north");
    if (pressure_.empty() || !std::ranges::is_sorted(pressure_, std::greater()) || !(pressure_.back() > 0))
        throw std::runtime_error("has pressures that do not fall from the ground upwards");
    for (std::size_t v = 0; v < variables; ++v)
        for (const double value : values_[v])
            if (!std::isfinite(value))
                throw std::runtime_error(fmt::format("has a {} that is no number", names[v]));
    for (const double value : values_[4])
        if (value >= 0)
            throw std::runtime_error(fmt::format(
                "has {} = {}: ozone would grow without end, it must be below 0", names[4], value));
}

LinozPoint LinozTable::at(int month, double lat, double pressure) const {
    const Between y = find(lat_, lat), z = find(heights_, -std::log(pressure));
    const std::size_t ny = lat_.size(), nz = pressure_.size();
    const auto value = [&](std::size_t v) {
        const auto in_row = [&](std::size_t row) {
            const double *levels = &values_[v][(static_cast<std::size_t>(month) * ny + row) * nz];
            const std::size_t above = std::min(z.low + 1, nz - 1);
            return (1 - z.share) * levels[z.low] + z.share * levels[above];
        };
        return (1 - y.share) * in_row(y.low) + y.share * in_row(std::min(y.low + 1, ny - 1));
    };
    return {value(0), value(1), value(2), value(3), value(4), value(5), value(6)};
}

void Linoz::apply(const TracerRow &row, double begin, double step) const {
    using namespace std::chrono;
    const year_month_day date(floor<days>(add_seconds(start_, begin + 0.5 * step)));
    const auto month = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
    const double lat = row.where.lat(row.j) * 180 / pi;
    for (int i = 0; i < row.nx(); ++i) {
        double above = 0; // [DU]
        for (int k = row.nz() - 1; k >= 0; --k) {
            const double pressure = row.air.middle_pressure(i, k), air = row.cell_air(k)[i];
            if (pressure > table_.lowest()) break;
            const double before = row.mass(k)[i] / air;
            const double own = before * row.air.mass(i, k) * dobson_per_mole / molar_mass_of_air;
            const auto balance =
                balance_of(table_.at(month, lat, pressure), row.air.temperature(i, k), above + 0.5 * own);
            const double after =
                balance.ozone + (before - balance.ozone) * std::exp(-step / balance.lifetime);
            // what is lost takes its share of all moments along; what is made is spread evenly
            if (after < before)
                row.scale(i, k, after / before);
            else
                row.mass(k)[i] += (after - before) * air;
            above += own;
        }
    }
}

} // namespace squall::transport
