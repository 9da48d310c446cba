#include "output/frame_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "squall/io_encode.hpp"

namespace squall {
namespace {

double size_of(io::Type type) {
    switch (type) {
    case io::Type::character:
    case io::Type::i8:
    case io::Type::u8:
        return 1;
    case io::Type::i16:
        return 2;
    case io::Type::f64:
        return 8;
    default:
        return 4;
    }
}

/// Of a run of `most` points at most along a dimension, how many the stream keeps.
double kept_of(const io::StreamSpec &spec, const std::string &dimension, double most) {
    const auto declared = std::ranges::find(spec.dimensions, dimension, &io::Dimension::name);
    const auto cut = std::ranges::find(spec.subset, dimension, &io::Selection::dimension);
    const auto size = static_cast<double>(declared->size);
    if (cut == spec.subset.end()) return std::min(size, most);
    const double all =
        std::ceil(static_cast<double>(cut->stop - cut->start) / static_cast<double>(cut->stride));
    return std::min(all, std::ceil(most / static_cast<double>(cut->stride)));
}

/// "west_east_d02" is the second domain's west_east.
struct DimensionOf {
    std::string dimension;
    std::size_t domain; ///< from 0
};

DimensionOf dimension_of(const std::string &name) {
    const auto at = name.rfind("_d");
    if (at == std::string::npos) return {name, 0};
    const auto digits = name.substr(at + 2);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return {name, 0};
    return {name.substr(0, at), std::stoul(digits) - 1};
}

double size_along(const io::StreamSpec &spec, const std::string &dimension) {
    return static_cast<double>(std::ranges::find(spec.dimensions, dimension, &io::Dimension::name)->size);
}

/// How many of the fire's cells, along a dimension of these, are in one of the atmosphere's.
double refinement(const io::StreamSpec &spec, std::string name) {
    const double cells = size_along(spec, name);
    const std::string of_fire = "_subgrid";
    return cells / size_along(spec, name.erase(name.find(of_fire), of_fire.size()));
}

/// Points of a patch along a dimension, faces at the domain's edge included.
double extent(const io::StreamSpec &spec, const std::string &name, const std::vector<Shape> &patches) {
    const auto [dimension, domain] = dimension_of(name);
    if (domain >= patches.size()) return std::numeric_limits<double>::infinity();
    const Shape &patch = patches[domain];
    if (dimension == "west_east") return patch.nx;
    if (dimension == "west_east_stag") return patch.nx + 1;
    if (dimension == "south_north") return patch.ny;
    if (dimension == "south_north_stag") return patch.ny + 1;
    if (dimension == "west_east_subgrid") return patch.nx * refinement(spec, name);
    if (dimension == "south_north_subgrid") return patch.ny * refinement(spec, name);
    return std::numeric_limits<double>::infinity();
}

/// Of what is sent to servers to have others made of it, all of which is kept; `most_of`: points at most
/// along a dimension.
template <class Most> double bytes_sent(const io::StreamSpec &spec, Most most_of) {
    if (spec.reduce != "servers") return 0;
    double bytes = 0;
    for (const auto &field : io::sent_fields(spec)) {
        double points = 1;
        for (const auto &d : field.dimensions) {
            const auto declared = std::ranges::find(spec.dimensions, d, &io::Dimension::name);
            points *= std::min(static_cast<double>(declared->size), most_of(d));
        }
        bytes += points * size_of(field.type);
    }
    return bytes;
}

/// How many points of a quantile are made of cells of several patches, in one of them: with coarse cells
/// those on its sides, else all.
double shared_points(const io::StreamSpec &spec, const io::Field &field, const std::vector<Shape> &patches) {
    const auto parts = [&](const std::string &d) { return extent(spec, d, patches) < size_along(spec, d); };
    const auto &r = *field.reduction;
    bool shared = std::ranges::any_of(r.over, parts);
    double points = 1, blocks = 1, around = 0;
    for (const auto &d : field.dimensions) {
        const auto c = std::ranges::find(r.coarsen, d, &io::Coarsening::onto);
        if (c == r.coarsen.end()) {
            points *= std::min(size_along(spec, d), extent(spec, d, patches));
            continue;
        }
        const double along = std::min(size_along(spec, d),
                                      std::ceil(extent(spec, c->dimension, patches) / double(c->factor)) + 1);
        if (parts(c->dimension)) shared = true, around += 2 / along;
        blocks *= along;
    }
    if (!shared) return 0;
    return points * blocks * (around > 0 ? std::min(around, 1.0) : 1);
}

} // namespace

double stored_bytes(const io::StreamSpec &spec) {
    double bytes = 0;
    for (const auto &field : spec.fields) {
        const bool packed = field.precision.kind == io::Precision::Kind::packed;
        double points = 1;
        for (const auto &d : field.dimensions)
            points *= kept_of(spec, d, std::numeric_limits<double>::infinity());
        const double frames = field.per_frame ? 1 : std::max(spec.frames_per_file, 1);
        bytes += points * size_of(packed ? io::Type::i16 : field.type) / frames;
    }
    return bytes;
}

double source_bytes(const io::StreamSpec &spec) {
    double bytes = 0;
    for (const auto &field : spec.sources) {
        if (!field.per_frame || field.reduction) continue;
        double points = 1;
        for (const auto &d : field.dimensions)
            points *= kept_of(spec, d, std::numeric_limits<double>::infinity());
        bytes += points * size_of(field.type);
    }
    return bytes;
}

double sent_bytes(const io::StreamSpec &spec) {
    return bytes_sent(spec, [](const std::string &) { return std::numeric_limits<double>::infinity(); });
}

double bins_bytes(const io::StreamSpec &spec, const std::vector<Shape> &patches) {
    double bytes = 0;
    for (const auto &field : spec.fields) {
        if (!field.reduction || field.reduction->method != "quantile") continue;
        double points = 1;
        if (spec.reduce == "servers")
            for (const auto &d : field.dimensions) points *= size_along(spec, d);
        else
            points = shared_points(spec, field, patches);
        bytes += points * field.reduction->bins * static_cast<double>(io::bytes_of_bin(*field.reduction));
    }
    return bytes;
}

double staged_bytes(const io::StreamSpec &spec, const std::vector<Shape> &patches) {
    double bytes = bytes_sent(spec, [&](const std::string &d) { return extent(spec, d, patches); });
    for (const auto &field : spec.fields) {
        double points = 1;
        for (const auto &d : field.dimensions) points *= kept_of(spec, d, extent(spec, d, patches));
        bytes += points * size_of(field.type);
    }
    return bytes;
}

} // namespace squall
