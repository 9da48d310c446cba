#include "initial/blank.hpp"

#include "initial/land_use.hpp"
#include "physics/declared_state.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/sunlit_ground.hpp"

namespace squall {
namespace {

/// Albedo of open water.
constexpr real of_water = real(0.08);

} // namespace

/// Built-in cases lie over water.
static void set_ocean(InitialState &s) {
    const LandUse water = land_use(LandClasses::usgs, water_of(LandClasses::usgs), true);
    SurfaceState &surface = s.physics.surface;
    surface.skin_temperature.copy_from(s.ground.temperature);
    surface.albedo.fill(water.albedo);
    surface.emissivity.fill(water.emissivity);
    surface.roughness.fill(water.roughness);
    s.ground.thermal_inertia.fill(water.thermal_inertia);
}

InitialState blank_state(const Config &config, Shape shape, double dx, double dy) {
    InitialState s;
    s.scalars = scalars_of(config);
    s.state = State(shape, s.scalars.size());
    for (std::size_t n = 0; n < s.scalars.all.size(); ++n)
        s.state.scalars[n].fill(real(s.scalars.all[n].elsewhere));
    for (std::size_t n = 0; n < config.tracers.size(); ++n)
        s.state.scalars[static_cast<std::size_t>(s.scalars.first_tracer) + n].fill(
            real(config.tracers[n].initial));
    if (s.scalars.moist()) s.physics = PhysicsState(shape);
    const bool radiates = config.physics.radiation != "none";
    if (radiates) s.physics.radiation = RadiationState(shape, SunlitGround::wanted(config.physics));
    if (config.physics.boundary_layer != "none" || radiates) {
        s.ground = Ground(shape);
        s.ground.temperature.fill(real(config.physics.surface_temperature));
        s.ground.wetness.fill(1);
        s.ground.albedo.fill(of_water);
        s.ground.emissivity.fill(real(0.98));
    }
    s.physics.convection = convection_state_of(config, shape);
    s.physics.gravity_waves = gravity_wave_state_of(config, shape);
    if (config.physics.gravity_wave_drag != "none") s.ground.orography = SubgridOrography(shape);
    if (config.physics.terrain_wind != "none") s.ground.terrain_wind = TerrainWind(shape);
    if (!config.physics.aerosol_file.empty()) s.ground.aerosol = Array2(shape);
    if (carries_aerosol(config.physics)) {
        s.ground.aerosol_source = Array2(shape);
        s.ground.aerosol_source.fill(-1);
    }
    s.physics.surface = surface_state_of(config, shape);
    if (s.physics.surface.has_land_water()) s.ground.cover = LandCover(shape);
    if (config.physics.surface_layer != "none") set_ocean(s);
    Grid &g = s.grid;
    g.shape = shape;
    g.dx = real(dx);
    g.dy = real(dy);
    g.rdx = real(1) / g.dx;
    g.rdy = real(1) / g.dy;
    g.qv_base.assign(static_cast<std::size_t>(shape.nz), 0);
    for (Array2 *a : {&g.msftx, &g.msfty, &g.msfux, &g.msfuy, &g.msfvx, &g.msfvy, &g.cosa}) {
        *a = Array2(shape);
        a->fill(1);
    }
    for (Array2 *a : {&g.f, &g.e, &g.sina, &g.lat, &g.lon, &g.terrain, &g.mub}) *a = Array2(shape);
    for (Array3 *a : {&g.phb, &g.pb, &g.alb, &g.theta_init, &g.phb_residual}) *a = Array3(shape);
    return s;
}

} // namespace squall
