#include "initial/input_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall {
namespace {

using Extents = std::vector<std::int64_t>;

/// What to do about a value that cannot be.
constexpr const char *mend = "correct it there, or recreate the file from a correct source";

std::size_t points_in(const Extents &count) {
    return std::size_t(std::accumulate(count.begin(), count.end(), std::int64_t(1), std::multiplies<>()));
}

/// The index after Time of element `n` of a box.
Extents index_of(std::size_t n, Extents start, const Extents &count) {
    for (std::size_t d = count.size(); d-- > 0; n /= std::size_t(count[d]))
        start[d] += std::int64_t(n % std::size_t(count[d]));
    return start;
}

} // namespace

InputFile::InputFile(const std::string &path, std::string remedy) : remedy_(std::move(remedy)), file_(path) {}

void InputFile::fail(const std::string &what) const {
    throw std::runtime_error(fmt::format("{}: {}", file_.path(), what));
}

/// Latitude and longitude, of a face those of a cell beside it; "" where the file has none, or all lies at
/// 0, as on an idealised plane.
std::string InputFile::on_earth(std::int64_t j, std::int64_t i) const {
    if (!has("XLAT") || !has("XLONG")) return "";
    if (records("XLAT") <= record_ || records("XLONG") <= record_) return "";
    const Extents cells = shape("XLAT");
    if (cells.size() != 2 || shape("XLONG") != cells) return "";
    const Extents at{std::min(j, cells[0] - 1), std::min(i, cells[1] - 1)};
    real lat = 0, lon = 0;
    file_.read("XLAT", record_, in_record("XLAT", at, {1, 1}), &lat);
    file_.read("XLONG", record_, in_record("XLONG", at, {1, 1}), &lon);
    if ((lat == 0 && lon == 0) || !(std::abs(lat) <= 90 && std::abs(lon) <= 720)) return "";
    return fmt::format("{:.2f} {}, {:.2f} {}", std::abs(lat), lat < 0 ? 'S' : 'N', std::abs(lon),
                       lon < 0 ? 'W' : 'E');
}

std::string InputFile::place(std::int64_t j, std::int64_t i) const {
    const std::string earth = on_earth(j, i);
    return fmt::format("at 0-based south_north {}, west_east {}{}", j, i,
                       earth.empty() ? "" : " (" + earth + ")");
}

void InputFile::refuse(const std::string &what, std::int64_t j, std::int64_t i,
                       const std::string &possible) const {
    fail(fmt::format("{} {}: {}; {}", what, place(j, i), possible, mend));
}

bool InputFile::has_dimension(const std::string &name) const {
    return std::ranges::find(file_.dimensions(), name, &io::Dimension::name) != file_.dimensions().end();
}

int InputFile::dimension(const std::string &name) const {
    if (!has_dimension(name)) fail(fmt::format("has no dimension {}; {}", name, remedy_));
    return int(file_.size(name));
}

bool InputFile::has(const std::string &variable) const { return file_.has(variable); }

bool InputFile::has_attribute(const std::string &name) const { return file_.attribute(name).has_value(); }

double InputFile::number(const std::string &attribute) const {
    if (!has_attribute(attribute)) fail(fmt::format("has no global attribute {}; {}", attribute, remedy_));
    return file_.number(attribute);
}

std::string InputFile::text(const std::string &attribute) const { return file_.text(attribute); }

/// Some tools turn the record dimension Time into an ordinary one.
bool InputFile::has_fixed_time(const std::string &variable) const {
    const auto &dimensions = file_.field(variable).dimensions;
    return !dimensions.empty() && dimensions[0] == "Time";
}

std::int64_t InputFile::records(const std::string &variable) const {
    if (!has(variable)) fail(fmt::format("has no variable {}; {}", variable, remedy_));
    if (has_fixed_time(variable)) return file_.shape(variable)[0];
    return file_.field(variable).per_frame ? file_.frames() : 1;
}

Extents InputFile::shape(const std::string &variable) const {
    if (!has(variable)) fail(fmt::format("has no variable {}; {}", variable, remedy_));
    Extents extents = file_.shape(variable);
    if (const auto held = records(variable); held <= record_)
        fail(held < 1 ? fmt::format("{} holds no records; {}", variable, remedy_)
                      : fmt::format("{} holds {} records, fewer than there are times; {}", variable, held,
                                    remedy_));
    if (has_fixed_time(variable)) extents.erase(extents.begin());
    return extents;
}

io::Box InputFile::in_record(const std::string &variable, Extents start, Extents count) const {
    if (has_fixed_time(variable)) {
        start.insert(start.begin(), record_);
        count.insert(count.begin(), 1);
    }
    return {std::move(start), std::move(count)};
}

std::string InputFile::string(const std::string &variable) const {
    const Extents extent = shape(variable);
    std::string value(points_in(extent), '\0');
    file_.read(variable, record_, in_record(variable, Extents(extent.size()), extent), value.data());
    return value.substr(0, value.find('\0'));
}

real InputFile::scalar(const std::string &variable, Limits limits) const {
    return read(variable, {}, limits)[0];
}

std::vector<real> InputFile::profile(const std::string &variable, int n, Limits limits) const {
    return read(variable, {{0}, {n}, {n}}, limits);
}

std::vector<real> InputFile::read(const std::string &variable, const Part &part, Limits limits) const {
    if (const Extents found = shape(variable); found != part.extent)
        fail(fmt::format(
            "{} has shape ({}), but ({}) is needed after Time: wrong staggering or a file of another domain",
            variable, fmt::join(found, ", "), fmt::join(part.extent, ", ")));
    std::vector<real> values(points_in(part.count));
    file_.read(variable, record_, in_record(variable, part.start, part.count), values.data());
    check(variable, part, limits, values);
    return values;
}

void InputFile::check(const std::string &variable, const Part &part, Limits limits,
                      const std::vector<real> &values) const {
    if (limits.any) return;
    const auto wrong =
        std::ranges::find_if(values, [=](real x) { return !(x >= limits.low && x <= limits.high); });
    if (wrong == values.end()) return;
    const bool filled = !(std::abs(*wrong) < Limits{}.high);
    const Extents at = index_of(std::size_t(wrong - values.begin()), part.start, part.count);
    fail(fmt::format("{} is {} at 0-based index {}: {}; {}", variable, *wrong, index(variable, at),
                     filled ? "not a number, or never written"
                            : fmt::format("it must be from {} to {}", limits.low, limits.high),
                     mend));
}

std::string InputFile::index(const std::string &variable, const Extents &at) const {
    const auto &dimensions = file_.field(variable).dimensions;
    const bool of_plane = at.size() >= 2 && dimensions.back().starts_with("west_east");
    const std::string earth = of_plane ? on_earth(at[at.size() - 2], at.back()) : "";
    return fmt::format("({}){}", fmt::join(at, ", "), earth.empty() ? "" : " (" + earth + ")");
}

void InputFile::plane(const std::string &variable, Points points, const Patch &patch, Array2 &into,
                      Limits limits) const {
    const int ex = points == Points::x_faces, ey = points == Points::y_faces;
    const int nx = patch.shape.nx + ex, ny = patch.shape.ny + ey;
    const auto values = read(
        variable, {{patch.y0, patch.x0}, {ny, nx}, {patch.ny_domain + ey, patch.nx_domain + ex}}, limits);
    auto next = values.begin();
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) into(i, j) = *next++;
}

void InputFile::volume(const std::string &variable, Points points, int nk, const Patch &patch, Array3 &into,
                       Limits limits) const {
    const int ex = points == Points::x_faces, ey = points == Points::y_faces;
    const int nx = patch.shape.nx + ex, ny = patch.shape.ny + ey;
    const auto values = read(
        variable, {{0, patch.y0, patch.x0}, {nk, ny, nx}, {nk, patch.ny_domain + ey, patch.nx_domain + ex}},
        limits);
    auto next = values.begin();
    for (int k = 0; k < nk; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) into(i, k, j) = *next++;
}

} // namespace squall
