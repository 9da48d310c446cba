#include "physics/radiation/table_file.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/see.hpp"

namespace squall::radiation {
namespace {

io::Reader open(const std::string &path, const std::string &remedy) {
    try {
        return io::Reader(path);
    } catch (const io::Error &e) {
        throw std::runtime_error(see(fmt::format("{}. {}", e.what(), remedy), "radiation"));
    }
}

} // namespace

TableFile::TableFile(const std::string &path, std::string remedy)
    : remedy_(std::move(remedy)), file_(open(path, remedy_)) {}

void TableFile::fail(const std::string &what) const {
    throw std::runtime_error(see(fmt::format("{}: {}. {}", file_.path(), what, remedy_), "radiation"));
}

int TableFile::size(const std::string &dimension) const {
    for (const auto &d : file_.dimensions())
        if (d.name == dimension) return static_cast<int>(d.size);
    fail("it has no dimension " + dimension);
}

template <class T>
std::vector<T> TableFile::values(const std::string &variable, const std::vector<int> &shape) const {
    if (!has(variable)) fail("it has no variable " + variable);
    const auto found = file_.shape(variable);
    io::Box box{{}, found};
    box.start.resize(found.size(), 0);
    std::size_t points = 1;
    bool same = found.size() == shape.size();
    for (std::size_t n = 0; same && n < shape.size(); ++n) {
        same = found[n] == shape[n];
        points *= static_cast<std::size_t>(shape[n]);
    }
    if (!same)
        fail(fmt::format("{} has the shape ({}), but ({}) is needed", variable, fmt::join(found, ", "),
                         fmt::join(shape, ", ")));
    std::vector<T> all(points);
    file_.read(variable, 0, box, all.data());
    return all;
}

std::vector<real> TableFile::reals(const std::string &variable, const std::vector<int> &shape) const {
    return reals_scaled(variable, shape, 1);
}

std::vector<real> TableFile::reals_scaled(const std::string &variable, const std::vector<int> &shape,
                                          double factor) const {
    const auto all = values<double>(variable, shape);
    std::vector<real> scaled;
    scaled.reserve(all.size());
    for (const double x : all) {
        scaled.push_back(real(factor * x));
        if (!std::isfinite(scaled.back())) fail(fmt::format("{} holds a value that is not finite", variable));
    }
    return scaled;
}

std::vector<int> TableFile::integers(const std::string &variable, const std::vector<int> &shape) const {
    return values<int>(variable, shape);
}

double TableFile::number(const std::string &variable) const { return values<double>(variable, {})[0]; }

std::vector<std::string> TableFile::texts(const std::string &variable, int count) const {
    if (!has(variable)) fail("it has no variable " + variable);
    auto all = file_.texts(variable, 0, {{0}, {count}});
    if (static_cast<int>(all.size()) != count)
        fail(fmt::format("{} has {} strings, but {} are needed", variable, all.size(), count));
    return all;
}

} // namespace squall::radiation
