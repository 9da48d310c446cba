// A column of air under a wide flow, for single-column runs (nx = ny = 1) and for periodic domains: by
// default the stable boundary layer of GABLS1 (Cuxart, J. et al. (2006): Single-column model intercomparison
// for a stably stratified atmospheric boundary layer. Boundary-Layer Meteor. 118, 273-303; Beare, R. J. et
// al. (2006): An intercomparison of large-eddy simulations of the stable boundary layer. Ibid., 247-272).

#include <algorithm>

#include "initial/cases/wide_flow.hpp"

namespace squall {
namespace {

/// Well-mixed air, stable air of the same lapse above it, in geostrophic wind.
MoistSounding mixed_layer(const Config &config) {
    const double theta = parameter(config, "theta"), depth = parameter(config, "mixed_depth");
    const double lapse = parameter(config, "lapse"), vapour = parameter(config, "vapour");
    const GeostrophicWind wind(config);
    constexpr double dz = 10;
    std::vector<SoundingLevel> levels;
    for (double z = 0; z < config.vertical.top + 2 * dz; z += dz)
        levels.push_back({z, theta + lapse * std::max(z - depth, 0.0), vapour, 0, wind.u(z), wind.v(z)});
    return MoistSounding(parameter(config, "surface_pressure"), std::move(levels));
}

InitialState make(const Config &config, const Patch &patch) {
    return under_wide_flow(config, patch,
                           config.initial.sounding.empty()
                               ? mixed_layer(config)
                               : read_sounding(config.files, config.initial.sounding));
}

} // namespace

Case single_column() {
    return {
        "column",
        "Air in a geostrophic wind, also as a single column; by default the stable boundary layer of GABLS1",
        with_wide_flow(
            {{"surface_pressure", "Pa", 1e5, "surface pressure, unless a sounding is given"},
             {"theta", "K", 265, "potential temperature of the mixed layer, unless a sounding is given"},
             {"mixed_depth", "m", 100, "depth of the mixed layer"},
             {"lapse", "K/m", 0.01, "lapse rate of potential temperature above the mixed layer"},
             {"vapour", "", 0, "vapour mixing ratio, unless a sounding is given [kg/kg]"}},
            {.geostrophic_u = 8, .roughness = 0.1}),
        make};
}

} // namespace squall
