#include "boundary/boundary_file.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "initial/beginning.hpp"
#include "settings/calendar.hpp"

namespace squall {
namespace {

using Extents = std::vector<std::int64_t>;

constexpr const char *remedy = "write it with real.exe of WRF (ARW), together with initial.file";
constexpr const char *this_time = "md___thisbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_";
constexpr const char *next_time = "md___nextbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_";

/// netCDF's fill values are near 1e37; nothing in an atmosphere comes close.
constexpr real largest_plausible = real(1e30);

const char *suffix(Side side) {
    switch (side) {
    case Side::south:
        return "YS";
    case Side::north:
        return "YE";
    case Side::west:
        return "XS";
    default:
        return "XE";
    }
}

std::string value_name(const std::string &variable, Side side) {
    return fmt::format("{}_B{}", variable, suffix(side));
}

std::string tendency_name(const std::string &variable, Side side) {
    return fmt::format("{}_BT{}", variable, suffix(side));
}

} // namespace

BoundaryFile::BoundaryFile(const Config &config) : file_(config.boundary.file) {
    check_domain(config);
    read_records(config);
}

void BoundaryFile::fail(const std::string &what) const {
    throw std::runtime_error(fmt::format("{}: {}", file_.path(), what));
}

/// Numbers that place a domain on the globe: real.exe writes them into both files. ndown.exe leaves the
/// middle of the domain around it in the boundary file.
void BoundaryFile::check_domain(const Config &config) const {
    if (config.initial.file.empty()) return;
    const io::Reader initial(config.initial.file);
    const auto title = file_.attribute("TITLE");
    const auto *text = title ? std::get_if<std::string>(&*title) : nullptr;
    const bool of_ndown = text && text->find("NDOWN") != std::string::npos;
    std::vector<const char *> names{"DX", "DY", "MAP_PROJ", "TRUELAT1", "TRUELAT2", "STAND_LON"};
    if (!of_ndown) names.insert(names.end(), {"CEN_LAT", "CEN_LON"});
    for (const char *name : names) {
        if (!file_.attribute(name) || !initial.attribute(name)) continue;
        const double here = file_.number(name), there = initial.number(name);
        if (std::abs(here - there) > 1e-4 * std::max(1.0, std::abs(there)))
            fail(fmt::format("belongs to another domain than {}: {} is {} here and {} there; {}",
                             initial.path(), name, here, there, remedy));
    }
}

/// Some tools turn the record dimension Time into an ordinary one.
bool BoundaryFile::has_fixed_time(const std::string &name) const {
    const auto &dimensions = file_.field(name).dimensions;
    return !dimensions.empty() && dimensions[0] == "Time";
}

std::int64_t BoundaryFile::count_records(const std::string &name) const {
    if (!file_.has(name)) fail(fmt::format("has no variable {}; {}", name, remedy));
    if (has_fixed_time(name)) return file_.shape(name)[0];
    return file_.field(name).per_frame ? file_.frames() : 1;
}

Extents BoundaryFile::shape(const std::string &name) const {
    if (!file_.has(name)) fail(fmt::format("has no variable {}; {}", name, remedy));
    Extents extents = file_.shape(name);
    if (has_fixed_time(name)) extents.erase(extents.begin());
    return extents;
}

void BoundaryFile::read(const std::string &name, std::int64_t record, Extents start, Extents count,
                        void *data, io::Type type) const {
    if (has_fixed_time(name)) {
        start.insert(start.begin(), record);
        count.insert(count.begin(), 1);
    }
    file_.read(name, record, {std::move(start), std::move(count)}, data, type, {});
}

std::string BoundaryFile::read_time(const std::string &name, std::int64_t record) const {
    const Extents extent = shape(name);
    if (extent.size() != 1) fail(fmt::format("{} does not hold one string per record; {}", name, remedy));
    std::string text(std::size_t(extent[0]), '\0');
    read(name, record, {0}, extent, text.data(), io::type_of<char>);
    return text.substr(0, text.find('\0'));
}

void BoundaryFile::read_records(const Config &config) {
    const CalendarTime start = parse_time(config.run.start);
    const auto seconds = [&](const char *name, std::int64_t n) {
        const std::string text = read_time(name, n);
        try {
            return std::chrono::duration<double>(parse_time(text) - start).count();
        } catch (const std::invalid_argument &e) {
            fail(fmt::format("{} of record {}: {}; {}", name, n, e.what(), remedy));
        }
    };
    const std::int64_t count = std::min(count_records(this_time), count_records(next_time));
    if (count < 1) fail(fmt::format("holds no records; {}", remedy));
    for (std::int64_t n = 0; n < count; ++n) {
        const BoundaryRecord r{seconds(this_time, n), seconds(next_time, n)};
        if (!(r.end > r.begin))
            fail(fmt::format("record {} runs from {} to {}; {}", n, read_time(this_time, n),
                             read_time(next_time, n), remedy));
        if (n > 0 && r.begin != records_.back().end)
            fail(fmt::format("record {} begins at {}, but the one before it ends at {}; {}", n,
                             read_time(this_time, n), read_time(next_time, n - 1), remedy));
        records_.push_back(r);
    }
    const std::string first = read_time(this_time, 0), last = read_time(next_time, count - 1);
    if (records_.front().begin > beginning_of(config))
        fail(fmt::format("begins at {}, but the run begins at {}: the file is for another date, or does not "
                         "belong to initial.file",
                         first, calendar_beginning_of(config)));
    if (records_.back().end < config.run.duration)
        fail(fmt::format("ends at {}, but the run ends at {}: set run.duration to {} s or less, or write a "
                         "longer boundary file with real.exe",
                         last, format_iso(add_seconds(start, config.run.duration)),
                         std::max(0.0, records_.back().end)));
}

int BoundaryFile::record_at(double seconds) const {
    const auto after = std::ranges::upper_bound(records_, seconds, {}, &BoundaryRecord::begin);
    const auto n = std::max<std::ptrdiff_t>(after - records_.begin() - 1, 0);
    return static_cast<int>(n);
}

bool BoundaryFile::holds(const std::string &variable) const {
    const std::string name = value_name(variable, Side::west);
    if (!file_.has(name)) return false;
    const Extents extent = shape(name);
    std::size_t count = 1;
    for (const std::int64_t n : extent) count *= std::size_t(n);
    std::vector<real> values(count);
    read(name, 0, Extents(extent.size(), 0), extent, values.data(), io::type_of<real>);
    return std::ranges::any_of(values, [](real x) { return x != 0; });
}

void BoundaryFile::check(const std::string &variable, const RimField &field, const Patch &patch) const {
    const Rim rim(patch);
    for (const Side side : all_sides)
        for (const std::string &name : {value_name(variable, side), tendency_name(variable, side)}) {
            const Extents found = shape(name);
            const std::int64_t along =
                runs_east(side) ? rim.columns(field.points()) : rim.rows(field.points());
            Extents wanted{found.empty() ? 0 : found[0]};
            if (field.levels() > 1) wanted.push_back(field.levels());
            wanted.push_back(along);
            if (found != wanted)
                fail(fmt::format("{} has shape ({}), but ({}) is needed after Time: wrong staggering, or a "
                                 "file of another domain; {}",
                                 name, fmt::join(found, ", "), fmt::join(wanted, ", "), remedy));
            if (found[0] < field.width())
                fail(fmt::format("{} holds {} rows, but boundary.specified_rows + boundary.relaxation_rows = "
                                 "{}: lower them, or write more rows with real.exe (spec_bdy_width)",
                                 name, found[0], field.width()));
            if (count_records(name) < std::int64_t(records_.size()))
                fail(fmt::format("{} holds {} records, but there are times for {}; {}", name,
                                 count_records(name), records_.size(), remedy));
        }
}

void BoundaryFile::read_strip(const std::string &name, int record, const RimField &field,
                              const RimStrip &strip, KernelVector<real> &into) const {
    const bool flat = field.levels() == 1;
    Extents start{0, 0, strip.start}, count{field.width(), field.levels(), strip.length};
    if (flat) {
        start.erase(start.begin() + 1);
        count.erase(count.begin() + 1);
    }
    read(name, record, start, count, into.data(), io::type_of<real>);
    const auto wrong = std::ranges::find_if(into, [](real x) { return !(std::abs(x) < largest_plausible); });
    if (wrong == into.end()) return;
    const std::ptrdiff_t n = wrong - into.begin(), row = n / strip.length;
    fail(fmt::format(
        "{} is {} in record {} at 0-based row {}, level {}, point {}: not a number, or never written; {}",
        name, *wrong, record, row / field.levels(), row % field.levels(), strip.start + n % strip.length,
        remedy));
}

void BoundaryFile::read(const std::string &variable, int record, RimField &into) const {
    for (const Side side : all_sides) {
        if (!into.holds(side)) continue;
        RimStrip &strip = into.strip(side);
        read_strip(value_name(variable, side), record, into, strip, strip.value);
        read_strip(tendency_name(variable, side), record, into, strip, strip.tendency);
    }
}

} // namespace squall
