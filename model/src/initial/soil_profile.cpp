#include "initial/soil_profile.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall {
namespace {

constexpr real deepest_soil = 100; // [m]

} // namespace

void SoilProfile::add(real depth, Array2 values) {
    depth_.push_back(depth);
    values_.push_back(std::move(values));
}

real SoilProfile::at(real z, int i, int j) const {
    if (depth_.size() == 1) return values_[0](i, j);
    std::size_t n = 1;
    while (n + 1 < depth_.size() && depth_[n] < z) ++n;
    const real share = std::clamp((z - depth_[n - 1]) / (depth_[n] - depth_[n - 1]), real(0), real(1));
    return values_[n - 1](i, j) * (1 - share) + values_[n](i, j) * share;
}

void add_layers(const InputFile &file, const char *name, const Patch &patch, Limits limits,
                SoilProfile &profile) {
    if (!file.has(name) || !file.has("ZS")) return;
    const int layers = file.dimension("soil_layers_stag");
    const std::vector<real> depths = file.profile("ZS", layers);
    for (std::size_t k = 0; k < depths.size(); ++k)
        if (!(depths[k] > (k == 0 ? real(0) : depths[k - 1]) && depths[k] < deepest_soil))
            file.fail(fmt::format("ZS, the depths of {}, are {} m: they must increase from above 0 to at "
                                  "most {} m; recreate the file with `squall prepare` or real.exe of WRF",
                                  name, fmt::join(depths, ", "), deepest_soil));
    Array3 read({patch.shape.nx, patch.shape.ny, layers});
    file.volume(name, Points::cells, layers, patch, read, limits);
    for (int k = 0; k < layers; ++k) {
        Array2 layer(patch.shape);
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) layer(i, j) = read(i, k, j);
        profile.add(depths[static_cast<std::size_t>(k)], std::move(layer));
    }
}

} // namespace squall
