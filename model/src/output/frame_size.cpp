#include "output/frame_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

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

/// A field of the stream, or what one is made of on the way.
const io::Field &field_called(const io::StreamSpec &spec, const std::string &name) {
    const auto source = std::ranges::find(spec.sources, name, &io::Field::name);
    return source != spec.sources.end() ? *source : *std::ranges::find(spec.fields, name, &io::Field::name);
}

/// Those that a field has in the file: of one that is made, what its reduction leaves of those before.
std::vector<std::string> dimensions_in_file(const io::StreamSpec &spec, const io::Field &field) {
    if (!field.reduction) return field.dimensions;
    const auto &r = *field.reduction;
    auto left = dimensions_in_file(spec, field_called(spec, r.of));
    if (!r.onto.empty()) {
        std::ranges::replace(left, r.over.front(), r.onto);
    } else if (!r.at.empty()) {
        const auto places = std::ranges::find(spec.places, r.at, &io::Places::name);
        const auto is_among = [&](const std::string &d) {
            const auto faces = std::ranges::find(places->staggers, d, &io::Places::Stagger::dimension);
            const auto &plain = faces == places->staggers.end() ? d : faces->of;
            return std::ranges::find(places->dimensions, plain) != places->dimensions.end();
        };
        std::erase_if(left, is_among);
        left.insert(left.begin(), r.at);
    } else {
        std::erase_if(left, [&](const auto &d) { return std::ranges::find(r.over, d) != r.over.end(); });
    }
    return left;
}

/// Points of a patch along a dimension, faces at the domain's edge included.
double extent(const std::string &dimension, Shape patch) {
    if (dimension == "west_east") return patch.nx;
    if (dimension == "west_east_stag") return patch.nx + 1;
    if (dimension == "south_north") return patch.ny;
    if (dimension == "south_north_stag") return patch.ny + 1;
    return std::numeric_limits<double>::infinity();
}

} // namespace

double stored_bytes(const io::StreamSpec &spec) {
    double bytes = 0;
    for (const auto &field : spec.fields) {
        const bool packed = field.precision.kind == io::Precision::Kind::packed;
        double points = 1;
        for (const auto &d : dimensions_in_file(spec, field))
            points *= kept_of(spec, d, std::numeric_limits<double>::infinity());
        const double frames = field.per_frame ? 1 : std::max(spec.frames_per_file, 1);
        bytes += points * size_of(packed ? io::Type::i16 : field.type) / frames;
    }
    return bytes;
}

double staged_bytes(const io::StreamSpec &spec, Shape patch) {
    double bytes = 0;
    for (const auto &field : spec.fields) {
        double points = 1;
        for (const auto &d : dimensions_in_file(spec, field)) points *= kept_of(spec, d, extent(d, patch));
        bytes += points * size_of(field.type);
    }
    return bytes;
}

} // namespace squall
