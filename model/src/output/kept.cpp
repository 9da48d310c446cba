#include "output/kept.hpp"

#include <fmt/format.h>

#include "output/location.hpp"

namespace squall {

std::string kept_name(const std::string &stream, const RunningField &field) {
    return fmt::format("{}.{}", stream, field.name);
}

std::string interval_name(const std::string &stream) { return stream + ".interval_began"; }

void put_kept(io::Frame &restart, const std::string &stream, const Patch &patch,
              const SinceLastFrame &since) {
    for (const auto &k : since.kept())
        put_points(restart, kept_name(stream, *k.field), patch, at::plane, k.value.view());
}

void read_kept(const io::Reader &file, const std::string &stream, const Patch &patch, SinceLastFrame &since) {
    for (auto &k : since.kept()) {
        const std::string name = kept_name(stream, *k.field);
        const Field2 view = k.value.view();
        if (file.has(name))
            file.read(name, file.frames() - 1, box_of(patch, at::plane), view.origin, strides_of(view));
    }
}

} // namespace squall
