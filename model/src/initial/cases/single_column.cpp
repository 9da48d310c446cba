// A column of air under a wide flow, for single-column runs (nx = ny = 1) and for periodic domains: by
// default the stable boundary layer of GABLS1 (Cuxart, J. et al. (2006): Single-column model intercomparison
// for a stably stratified atmospheric boundary layer. Boundary-Layer Meteor. 118, 273-303; Beare, R. J. et
// al. (2006): An intercomparison of large-eddy simulations of the stable boundary layer. Ibid., 247-272).

#include <algorithm>

#include <fmt/format.h>

#include "initial/cases/cases.hpp"
#include "initial/moist_ideal.hpp"

namespace squall {
namespace {

/// Well-mixed air, stable air of the same lapse above it, in geostrophic wind.
MoistSounding mixed_layer(const Config &config) {
    const double theta = parameter(config, "theta"), depth = parameter(config, "mixed_depth");
    const double lapse = parameter(config, "lapse"), vapour = parameter(config, "vapour");
    constexpr double dz = 10;
    std::vector<SoundingLevel> levels;
    for (double z = 0; z < config.vertical.top + 2 * dz; z += dz)
        levels.push_back({z, theta + lapse * std::max(z - depth, 0.0), vapour, 0,
                          parameter(config, "geostrophic_u"), parameter(config, "geostrophic_v")});
    return MoistSounding(parameter(config, "surface_pressure"), std::move(levels));
}

void check(const Config &config) {
    const auto refuse = [&](const std::string &what) { throw ConfigError(config.file + ": " + what); };
    const bool wind = parameter(config, "geostrophic_u") != 0 || parameter(config, "geostrophic_v") != 0;
    if (wind && config.dynamics.coriolis != "f-plane")
        refuse("initial.case = \"column\" with a geostrophic wind needs the Coriolis force: set "
               "dynamics.coriolis = \"f-plane\" and f, such as \"1e-4 s-1\", or geostrophic_u and v to 0");
    const Boundaries &b = config.domain.boundaries;
    if (b.west != Boundary::periodic || b.south != Boundary::periodic)
        refuse("initial.case = \"column\" is one of a periodic domain: leave the boundaries of [domain] out");
    if (parameter(config, "surface_warming") != 0 && config.physics.boundary_layer == "none")
        refuse("initial.surface_warming has no effect without physics.boundary_layer = \"ysu\" on "
               "surface_layer = \"revised-mm5\"");
}

/// Dry land of this roughness; the air at its surface is as moist as the air above it, for nothing
/// evaporates.
void set_land(real roughness, real vapour, InitialState &s) {
    SurfaceState &surface = s.physics.surface;
    s.ground.land.fill(1);
    s.ground.wetness.fill(0);
    surface.roughness.fill(roughness);
    surface.surface_vapour.fill(std::max(vapour, real(1e-9))); // 0 stands for what is not known yet
}

InitialState make(const Config &config, const Patch &patch) {
    check(config);
    const MoistSounding sounding =
        config.initial.sounding.empty() ? mixed_layer(config) : read_sounding(config.initial.sounding);
    InitialState s = moist_atmosphere(config, patch, sounding);
    s.forcing = {.on = true,
                 .geostrophic_u = real(parameter(config, "geostrophic_u")),
                 .geostrophic_v = real(parameter(config, "geostrophic_v")),
                 .divergence = real(parameter(config, "divergence")),
                 .surface_warming = parameter(config, "surface_warming"),
                 .surface_temperature = config.physics.surface_temperature};
    const double roughness = parameter(config, "roughness");
    if (roughness > 0 && config.physics.surface_layer != "none")
        set_land(real(roughness), real(sounding.at(0).vapour), s);
    return s;
}

} // namespace

Case single_column() {
    return {"column",
            "Air under a wide flow, also a single column; by default the stable boundary layer of GABLS1",
            {{"surface_pressure", "Pa", 1e5, "of the air, where no sounding is given"},
             {"theta", "K", 265, "potential temperature of the mixed layer, where no sounding is given"},
             {"mixed_depth", "m", 100, "of that layer"},
             {"lapse", "K/m", 0.01, "growth of potential temperature above it"},
             {"vapour", "", 0, "mixing ratio of the air, where no sounding is given [kg/kg]"},
             {"geostrophic_u", "m/s", 8, "wind along x that the pressure gradient balances"},
             {"geostrophic_v", "m/s", 0, "wind along y that the pressure gradient balances"},
             {"divergence", "s-1", 0, "of the wide flow: air sinks at this times its height"},
             {"surface_warming", "K/s", 0, "of the surface, from physics.surface_temperature on"},
             {"roughness", "m", 0.1, "of dry land; 0: the sea"}},
            make};
}

} // namespace squall
