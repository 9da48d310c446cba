#include "initial/input_file.hpp"

#include <cmath>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netcdf.h>

namespace squall {
namespace {

/// netCDF's fill values are near 1e37; nothing in an atmosphere comes close.
constexpr real largest_plausible = real(1e30);

template <class T>
int get(int file, int variable, const std::size_t *start, const std::size_t *count, T *out) {
    if constexpr (std::is_same_v<T, float>)
        return nc_get_vara_float(file, variable, start, count, out);
    else
        return nc_get_vara_double(file, variable, start, count, out);
}

std::vector<std::size_t> dimensions_of(int file, int variable) {
    int n = 0;
    nc_inq_varndims(file, variable, &n);
    std::vector<int> ids(n);
    nc_inq_vardimid(file, variable, ids.data());
    std::vector<std::size_t> lengths(n);
    for (int d = 0; d < n; ++d) nc_inq_dimlen(file, ids[d], &lengths[d]);
    return lengths;
}

/// The index in the file of element `n` of a box.
std::vector<std::size_t> place(std::size_t n, const std::vector<std::size_t> &start,
                               const std::vector<std::size_t> &count) {
    std::vector<std::size_t> index(start);
    for (std::size_t d = count.size(); d-- > 0; n /= count[d]) index[d] += n % count[d];
    return index;
}

} // namespace

InputFile::InputFile(const std::string &path, std::string remedy) : path_(path), remedy_(std::move(remedy)) {
    if (!std::filesystem::exists(path)) throw std::runtime_error(fmt::format("{}: no such file", path));
    if (int status = nc_open(path.c_str(), NC_NOWRITE, &ncid_); status != NC_NOERR)
        throw std::runtime_error(
            fmt::format("{}: not a readable netCDF file, or cut short ({})", path, nc_strerror(status)));
}

InputFile::~InputFile() { nc_close(ncid_); }

void InputFile::fail(const std::string &what) const {
    throw std::runtime_error(fmt::format("{}: {}", path_, what));
}

bool InputFile::has_dimension(const std::string &name) const {
    int dimid = 0;
    return nc_inq_dimid(ncid_, name.c_str(), &dimid) == NC_NOERR;
}

int InputFile::dimension(const std::string &name) const {
    int dimid = 0;
    std::size_t length = 0;
    if (nc_inq_dimid(ncid_, name.c_str(), &dimid) != NC_NOERR)
        fail(fmt::format("has no dimension {}; {}", name, remedy_));
    nc_inq_dimlen(ncid_, dimid, &length);
    return int(length);
}

bool InputFile::has(const std::string &variable) const {
    int varid = 0;
    return nc_inq_varid(ncid_, variable.c_str(), &varid) == NC_NOERR;
}

bool InputFile::has_attribute(const std::string &name) const {
    return nc_inq_att(ncid_, NC_GLOBAL, name.c_str(), nullptr, nullptr) == NC_NOERR;
}

double InputFile::number(const std::string &attribute) const {
    double value = 0;
    std::size_t length = 0;
    if (nc_inq_attlen(ncid_, NC_GLOBAL, attribute.c_str(), &length) != NC_NOERR || length != 1 ||
        nc_get_att_double(ncid_, NC_GLOBAL, attribute.c_str(), &value) != NC_NOERR)
        fail(fmt::format("has no numeric global attribute {}; {}", attribute, remedy_));
    return value;
}

std::string InputFile::text(const std::string &attribute) const {
    std::size_t length = 0;
    nc_type type = NC_NAT;
    if (nc_inq_att(ncid_, NC_GLOBAL, attribute.c_str(), &type, &length) != NC_NOERR || type != NC_CHAR)
        fail(fmt::format("has no global text attribute {}; {}", attribute, remedy_));
    std::string value(length, '\0');
    nc_get_att_text(ncid_, NC_GLOBAL, attribute.c_str(), value.data());
    return value.substr(0, value.find('\0'));
}

int InputFile::id(const std::string &variable) const {
    int varid = 0;
    if (nc_inq_varid(ncid_, variable.c_str(), &varid) != NC_NOERR)
        fail(fmt::format("has no variable {}; {}", variable, remedy_));
    return varid;
}

std::string InputFile::string(const std::string &variable) const {
    const int varid = id(variable);
    const auto extent = dimensions_of(ncid_, varid);
    if (extent.size() != 2 || extent[0] < 1) fail(fmt::format("{} holds no record", variable));
    std::string value(extent[1], '\0');
    const std::size_t start[] = {0, 0}, count[] = {1, extent[1]};
    if (int status = nc_get_vara_text(ncid_, varid, start, count, value.data()); status != NC_NOERR)
        fail(fmt::format("cannot read {}: {}", variable, nc_strerror(status)));
    return value.substr(0, value.find('\0'));
}

real InputFile::scalar(const std::string &variable) const { return box(variable, {0}, {1}, {})[0]; }

std::vector<real> InputFile::profile(const std::string &variable, int n) const {
    const auto length = std::size_t(n);
    return box(variable, {0, 0}, {1, length}, {length});
}

/// Reads a box of the first record; `extent` is what the variable's dimensions after Time must be.
std::vector<real> InputFile::box(const std::string &variable, const std::vector<std::size_t> &start,
                                 const std::vector<std::size_t> &count,
                                 const std::vector<std::size_t> &extent) const {
    const int varid = id(variable);
    auto found = dimensions_of(ncid_, varid);
    if (found.empty() || found[0] < 1) fail(fmt::format("{} holds no record", variable));
    found.erase(found.begin());
    if (found != extent)
        fail(fmt::format("{} has shape ({}) where ({}) is needed after Time: wrong staggering or a file "
                         "of another domain",
                         variable, fmt::join(found, ", "), fmt::join(extent, ", ")));
    std::vector<real> values(
        std::accumulate(count.begin(), count.end(), std::size_t(1), std::multiplies<>()));
    if (int status = get(ncid_, varid, start.data(), count.data(), values.data()); status != NC_NOERR)
        fail(fmt::format("cannot read {}: {}; the file may be cut short", variable, nc_strerror(status)));
    for (std::size_t n = 0; n < values.size(); ++n)
        if (!(std::abs(values[n]) < largest_plausible))
            fail(fmt::format("{} is {} at 0-based index ({}): not a number, or never written", variable,
                             values[n], fmt::join(place(n, start, count), ", ")));
    return values;
}

void InputFile::plane(const std::string &variable, Points points, const Patch &patch, Array2 &into) const {
    const int ex = points == Points::x_faces, ey = points == Points::y_faces;
    const int nx = patch.shape.nx + ex, ny = patch.shape.ny + ey;
    const auto values = box(variable, {0, std::size_t(patch.y0), std::size_t(patch.x0)},
                            {1, std::size_t(ny), std::size_t(nx)},
                            {std::size_t(patch.ny_domain + ey), std::size_t(patch.nx_domain + ex)});
    auto next = values.begin();
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) into(i, j) = *next++;
}

void InputFile::volume(const std::string &variable, Points points, int nk, const Patch &patch,
                       Array3 &into) const {
    const int ex = points == Points::x_faces, ey = points == Points::y_faces;
    const int nx = patch.shape.nx + ex, ny = patch.shape.ny + ey;
    const auto values =
        box(variable, {0, 0, std::size_t(patch.y0), std::size_t(patch.x0)},
            {1, std::size_t(nk), std::size_t(ny), std::size_t(nx)},
            {std::size_t(nk), std::size_t(patch.ny_domain + ey), std::size_t(patch.nx_domain + ex)});
    auto next = values.begin();
    for (int k = 0; k < nk; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) into(i, k, j) = *next++;
}

} // namespace squall
