#include "tracers/cf_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "run/agree.hpp"

namespace squall::transport {
namespace {

const io::Attribute *attribute_of(const io::Field &field, const std::string &name) {
    const auto found = std::ranges::find(field.attributes, name, &io::Attribute::name);
    return found == field.attributes.end() ? nullptr : &*found;
}

/// A number, or `otherwise` where there is none.
double number_of(const io::Field &field, const std::string &name, double otherwise) {
    const io::Attribute *attribute = attribute_of(field, name);
    if (!attribute) return otherwise;
    return std::visit(
        [&](const auto &value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
                return otherwise;
            else
                return value.empty() ? otherwise : static_cast<double>(value[0]);
        },
        attribute->value);
}

/// Seconds in one of CF's units of time, and the instant from which they are counted.
std::pair<double, CalendarTime> units_of_time(const std::string &units) {
    const auto since = units.find(" since ");
    const std::string unit = units.substr(0, since);
    const double seconds = unit.starts_with("day")                   ? 86400
                           : unit.starts_with("hour") || unit == "h" ? 3600
                           : unit.starts_with("min")                 ? 60
                           : unit.starts_with("sec") || unit == "s"  ? 1
                                                                     : 0;
    if (since == std::string::npos || seconds == 0)
        throw std::runtime_error(
            fmt::format("has a time in \"{}\", which is no unit of time since a date", units));
    std::string date = units.substr(since + 7);
    if (date.find('.') != std::string::npos) date.resize(date.find('.'));
    return {seconds, parse_time(date)};
}

} // namespace

CfFile::Axes CfFile::axes(const std::string &name) const {
    if (!file_.has(name)) throw std::runtime_error(fmt::format("has no variable \"{}\"", name));
    const io::Field &field = file_.field(name);
    Axes axes{field.dimensions, file_.shape(name)};
    if (field.per_frame) {
        axes.names.insert(axes.names.begin(), "");
        axes.sizes.insert(axes.sizes.begin(), file_.frames());
    }
    return axes;
}

std::vector<double> CfFile::read(const std::string &name, std::int64_t frame, const io::Box &box) const {
    const io::Field &field = file_.field(name);
    const auto count = static_cast<std::size_t>(
        std::accumulate(box.count.begin(), box.count.end(), std::int64_t{1}, std::multiplies()));
    std::vector<double> values(count);
    if (field.type == io::Type::f32 || field.type == io::Type::f64) {
        file_.read(name, frame, box, values.data());
    } else {
        std::vector<std::int64_t> whole(count);
        file_.read(name, frame, box, whole.data());
        std::ranges::copy(whole, values.begin());
    }
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const double fill = field.fill.value_or(number_of(field, "_FillValue", nothing));
    const double missing = number_of(field, "missing_value", nothing);
    const double scale = number_of(field, "scale_factor", 1), offset = number_of(field, "add_offset", 0);
    for (double &value : values) value = value == fill || value == missing ? nothing : value * scale + offset;
    return values;
}

std::vector<double> CfFile::numbers(const std::string &name, std::int64_t first) const {
    const bool per_frame = file_.field(name).per_frame;
    io::Box box{{}, file_.shape(name)};
    box.start.assign(box.count.size(), 0);
    if (!per_frame) box.start[0] = first, box.count[0] = 1;
    return read(name, per_frame ? first : 0, box);
}

std::vector<double> CfFile::numbers(const std::string &name) const {
    const Axes all = axes(name);
    std::vector<double> values;
    if (all.sizes.empty()) return read(name, 0, {});
    for (std::int64_t n = 0; n < all.sizes[0]; ++n) {
        const auto part = numbers(name, n);
        values.insert(values.end(), part.begin(), part.end());
    }
    return values;
}

std::string CfFile::text(const std::string &variable, const std::string &attribute) const {
    if (!file_.has(variable)) return "";
    const io::Attribute *found = attribute_of(file_.field(variable), attribute);
    const auto *value = found ? std::get_if<std::string>(&found->value) : nullptr;
    return value ? *value : "";
}

bool CfFile::is_degrees(const std::string &dimension, char direction) const {
    std::string units = text(dimension, "units");
    for (const char *begin : {"degree", "s", "_"})
        if (units.starts_with(begin))
            units.erase(0, std::string(begin).size());
        else if (begin == std::string("degree"))
            return false;
    return !units.empty() && std::tolower(static_cast<unsigned char>(units[0])) == direction;
}

std::vector<double> CfFile::bounds(const std::string &coordinate) const {
    const std::string name = text(coordinate, "bounds");
    return !name.empty() && file_.has(name) ? numbers(name) : halfway(numbers(coordinate));
}

CfFile::Times CfFile::times(const std::string &coordinate, CalendarTime start) const {
    const std::string calendar = text(coordinate, "calendar"), bounds = text(coordinate, "bounds");
    if (!calendar.empty() && calendar != "standard" && calendar != "gregorian" &&
        calendar != "proleptic_gregorian")
        throw std::runtime_error(
            fmt::format("has the calendar \"{}\", and the run has the Gregorian one", calendar));
    const auto [seconds, epoch] = units_of_time(text(coordinate, "units"));
    const double offset = std::chrono::duration<double>(epoch - start).count();
    Times times;
    for (const double t : numbers(coordinate)) times.at.push_back(offset + t * seconds);
    if (!bounds.empty() && file_.has(bounds))
        for (const double t : numbers(bounds)) times.bounds.push_back(offset + t * seconds);
    return times;
}

std::string CfFile::time_of(const std::string &variable) const {
    const std::string name = axes(variable).names.at(0);
    if (!name.empty()) return name;
    for (const io::Field &field : file_.fields())
        if (field.per_frame && field.dimensions.empty() &&
            text(field.name, "units").find(" since ") != std::string::npos)
            return field.name;
    throw std::runtime_error("has no coordinate of time with units such as \"days since 2000-01-01\"");
}

void on_first_rank(MPI_Comm comm, const std::function<void()> &read) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    agree(comm, [&] {
        if (rank == 0) read();
    });
}

void broadcast(MPI_Comm comm, std::vector<double> &values) {
    auto size = static_cast<int>(values.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    values.resize(static_cast<std::size_t>(size));
    MPI_Bcast(values.data(), size, MPI_DOUBLE, 0, comm);
}

std::vector<double> halfway(const std::vector<double> &middles) {
    const std::size_t n = middles.size();
    if (n == 1) return {middles[0], middles[0]};
    std::vector<double> pairs;
    for (std::size_t i = 0; i < n; ++i) {
        const double before = i > 0 ? middles[i] - middles[i - 1] : middles[1] - middles[0];
        const double after = i + 1 < n ? middles[i + 1] - middles[i] : middles[n - 1] - middles[n - 2];
        pairs.push_back(middles[i] - 0.5 * before), pairs.push_back(middles[i] + 0.5 * after);
    }
    return pairs;
}

} // namespace squall::transport
