#include "read/source_check.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "common/sizes.hpp"

namespace squall::io {
namespace {

[[noreturn]] void undeclared(const Field &field, const std::string &dimension) {
    throw Error(fmt::format(
        "field {} has the dimension {}, which the file does not declare; it is damaged, use another copy",
        field.name, dimension));
}

} // namespace

std::vector<std::int64_t> shape_of(const Source &source, const Field &field) {
    std::vector<std::int64_t> shape;
    for (const auto &name : field.dimensions) {
        const auto d = std::ranges::find(source.dimensions, name, &Dimension::name);
        if (d == source.dimensions.end()) undeclared(field, name);
        shape.push_back(d->size);
    }
    return shape;
}

void check_source(const Source &source) {
    if (source.frames < 0) throw Error("its number of frames is negative; it is damaged, use another copy");
    std::unordered_map<std::string, std::int64_t> sizes;
    for (const auto &d : source.dimensions)
        if (!sizes.emplace(d.name, d.size).second)
            throw Error(
                fmt::format("dimension {} is declared twice; it is damaged, use another copy", d.name));
    for (const auto &f : source.fields) {
        std::vector<std::int64_t> shape;
        for (const auto &name : f.dimensions) {
            const auto d = sizes.find(name);
            if (d == sizes.end()) undeclared(f, name);
            shape.push_back(d->second);
        }
        try {
            points_in(shape, sizeof(double)); // whatever they are converted to
        } catch (const Error &e) {
            throw Error(fmt::format("field {}: {}", f.name, e.what()));
        }
    }
}

} // namespace squall::io
