#include "initial/cases/wide_flow.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "initial/moist_ideal.hpp"
#include "initial/number_table.hpp"
#include "physics/prescribed_surface.hpp"

namespace squall {
namespace {

constexpr const char *flux_layer = "prescribed-fluxes"; // physics.surface_layer

[[noreturn]] void refuse(const Config &config, const std::string &what) {
    throw ConfigError(config.file + ": " + what);
}

bool has_fluxes(const Config &config) {
    return parameter(config, "sensible_heat") != 0 || parameter(config, "latent_heat") != 0;
}

void check_flow(const Config &config, const GeostrophicWind &wind) {
    if (wind.blows() && config.dynamics.coriolis != "f-plane")
        refuse(config,
               fmt::format("initial.case = \"{}\" with a geostrophic wind needs the Coriolis force: set "
                           "dynamics.coriolis = \"f-plane\" and f, such as \"1e-4 s-1\", or "
                           "geostrophic_u and v to 0",
                           config.initial.case_name));
    const Boundaries &b = config.domain.boundaries;
    if (b.west != Boundary::periodic || b.south != Boundary::periodic)
        refuse(
            config,
            fmt::format("initial.case = \"{}\" needs a periodic domain: leave the boundaries of [domain] out",
                        config.initial.case_name));
    if (!(std::abs(parameter(config, "latitude")) <= 90))
        refuse(config, "initial.latitude must lie between -90 and 90 degrees");
    if (parameter(config, "noise") < 0 || !(parameter(config, "noise_depth") > 0))
        refuse(config, "initial.noise must be an amplitude of 0 or more, and noise_depth more than 0 m");
}

/// Fluxes that are given go with the surface layer that takes them, a skin that changes with those that look
/// at it.
void check_surface(const Config &config, const SurfaceSeries &series) {
    const bool given = config.physics.surface_layer == flux_layer, table = !config.initial.surface.empty();
    const bool fluxes = has_fluxes(config), warms = parameter(config, "surface_warming") != 0;
    if (warms && config.physics.boundary_layer == "none")
        refuse(config, "initial.surface_warming has no effect without physics.boundary_layer = \"ysu\" and "
                       "surface_layer = \"revised-mm5\"");
    if (table && config.physics.surface_layer == "none")
        refuse(config, "initial.surface has no effect without physics.surface_layer");
    if (table && (fluxes || warms))
        refuse(config, "initial.surface prescribes the surface: leave out surface_warming, sensible_heat and "
                       "latent_heat");
    if (!given &&
        (fluxes || (table && !series.sensible_heat.empty()) || parameter(config, "friction_velocity") > 0))
        refuse(config, "prescribed fluxes and friction_velocity need physics.surface_layer = "
                       "\"prescribed-fluxes\"");
    if (given && (warms || !series.temperature.empty()))
        refuse(config, "physics.surface_layer = \"prescribed-fluxes\" does not use a surface temperature: "
                       "set \"revised-mm5\"");
    if (given && !fluxes && !table)
        refuse(config, "physics.surface_layer = \"prescribed-fluxes\" needs initial.sensible_heat or "
                       "latent_heat, such as \"15 W/m2\", or a table of them, initial.surface");
    if (given && !(parameter(config, "friction_velocity") > 0) && !(parameter(config, "roughness") > 0))
        refuse(config, "physics.surface_layer = \"prescribed-fluxes\" needs initial.roughness, such as "
                       "\"0.1 m\", or friction_velocity, such as \"0.25 m/s\"");
}

SurfaceSeries surface_of(const Config &config) {
    if (!config.initial.surface.empty())
        return read_surface_series(config.files, config.initial.surface, config.run.duration);
    if (config.physics.surface_layer != flux_layer) return {};
    return {.seconds = {0},
            .temperature = {},
            .sensible_heat = {parameter(config, "sensible_heat")},
            .latent_heat = {parameter(config, "latent_heat")}};
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

/// From -1 to 1, of a place and nothing else, so that any decomposition has the same.
double random_at(std::int64_t i, std::int64_t j, std::int64_t k) {
    std::uint64_t x = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15 +
                      static_cast<std::uint64_t>(j) * 0xbf58476d1ce4e5b9 + static_cast<std::uint64_t>(k);
    for (const std::uint64_t odd : {0xff51afd7ed558ccdULL, 0xc4ceb9fe1a85ec53ULL}) {
        x ^= x >> 33;
        x *= odd;
    }
    x ^= x >> 33;
    return 2 * (double(x >> 11) / 9007199254740992.0) - 1;
}

void add_noise(const Config &config, const Patch &patch, const MoistSounding &sounding, InitialState &s) {
    const double most = parameter(config, "noise"), depth = parameter(config, "noise_depth");
    if (most == 0) return;
    const auto cell = [](double x, double dx) { return std::llround(2 * x / dx); };
    add_disturbance(
        config, patch, sounding,
        [&](double x, double y, double z, double) {
            if (z >= depth) return 0.0;
            return most * (1 - z / depth) *
                   random_at(cell(x, config.domain.dx), cell(y, config.domain.dy), std::llround(10 * z));
        },
        s);
}

} // namespace

GeostrophicWind::GeostrophicWind(const Config &config)
    : all_{{0}, {{{0}, {parameter(config, "geostrophic_u")}, {parameter(config, "geostrophic_v")}}}} {
    if (config.initial.geostrophic.empty()) return;
    if (blows())
        refuse(config, "initial.geostrophic prescribes the geostrophic wind: set geostrophic_u and v to 0");
    all_ = read_wind_profiles(config.files, config.initial.geostrophic, config.run.duration);
}

namespace {

double between(const std::vector<double> &height, const std::vector<double> &values, double z) {
    return SurfaceSeries{.seconds = height, .temperature = {}, .sensible_heat = {}, .latent_heat = {}}.at(
        values, z);
}

} // namespace

double GeostrophicWind::u(double z, std::size_t time) const {
    return between(all_.profiles[time].height, all_.profiles[time].u, z);
}
double GeostrophicWind::v(double z, std::size_t time) const {
    return between(all_.profiles[time].height, all_.profiles[time].v, z);
}

bool GeostrophicWind::blows() const {
    const auto any = [](const std::vector<double> &all) {
        return std::ranges::any_of(all, [](double x) { return x != 0; });
    };
    return std::ranges::any_of(all_.profiles, [&](const WindProfile &p) { return any(p.u) || any(p.v); });
}

namespace {

/// By layer, whose middles lie at these heights.
void set_geostrophic(const GeostrophicWind &wind, const std::vector<real> &heights,
                     LargeScaleForcing &forcing) {
    WindSeries series{wind.seconds(), {}, {}};
    for (std::size_t n = 0; n < series.seconds.size(); ++n) {
        series.u.emplace_back(), series.v.emplace_back();
        for (const real z : heights) {
            series.u.back().push_back(real(wind.u(double(z), n)));
            series.v.back().push_back(real(wind.v(double(z), n)));
        }
    }
    forcing.geostrophic_u = series.u.front(), forcing.geostrophic_v = series.v.front();
    if (series.seconds.size() > 1) forcing.geostrophic = std::move(series);
}

} // namespace

std::vector<CaseParameter> with_wide_flow(std::vector<CaseParameter> own, const WideFlowDefaults &d) {
    const std::vector<CaseParameter> shared{
        {"geostrophic_u", "m/s", d.geostrophic_u, "geostrophic wind along x"},
        {"geostrophic_v", "m/s", d.geostrophic_v, "geostrophic wind along y"},
        {"divergence", "s-1", d.divergence, "large-scale divergence: air sinks at this times its height"},
        {"surface_warming", "K/s", 0,
         "warming rate of the surface, starting from physics.surface_temperature"},
        {"roughness", "m", d.roughness, "roughness length of dry land; 0: the sea"},
        {"sensible_heat", "W/m2", d.sensible_heat,
         "upward sensible heat flux at the surface, with physics.surface_layer = \"prescribed-fluxes\""},
        {"latent_heat", "W/m2", d.latent_heat,
         "upward latent heat flux at the surface, with physics.surface_layer = \"prescribed-fluxes\""},
        {"friction_velocity", "m/s", d.friction_velocity,
         "friction velocity of physics.surface_layer = \"prescribed-fluxes\", in place of a roughness; 0: "
         "computed from the roughness"},
        {"latitude", "degrees", 0, "latitude for the sun and the ozone of radiation"},
        {"longitude", "degrees", 0, "longitude for the sun of radiation"},
        {"noise", "K", d.noise,
         "amplitude of random temperature perturbations near the ground, which start eddies"},
        {"noise_depth", "m", d.noise_depth, "height at which the random perturbations vanish"},
    };
    own.insert(own.end(), shared.begin(), shared.end());
    return own;
}

InitialState under_wide_flow(const Config &config, const Patch &patch, const MoistSounding &sounding) {
    const GeostrophicWind wind(config);
    SurfaceSeries series = surface_of(config);
    check_flow(config, wind);
    check_surface(config, series);
    InitialState s = moist_atmosphere(config, patch, sounding);
    add_noise(config, patch, sounding, s);
    s.forcing.on = true;
    set_geostrophic(wind, s.grid.z_base, s.forcing);
    s.forcing.divergence = real(parameter(config, "divergence"));
    s.forcing.surface_warming = parameter(config, "surface_warming");
    s.forcing.surface_temperature = config.physics.surface_temperature;
    s.forcing.surface = std::move(series);
    s.forcing.friction_velocity = parameter(config, "friction_velocity");
    s.grid.lat.fill(real(parameter(config, "latitude")));
    s.grid.lon.fill(real(parameter(config, "longitude")));
    const double roughness = parameter(config, "roughness");
    if (config.physics.surface_layer == "none") return s;
    if (roughness > 0) set_land(real(roughness), real(sounding.at(0).vapour), s);
    if (s.forcing.friction_velocity > 0) s.physics.surface.roughness.fill(0); // what it means to the scheme
    prescribe_surface(s.forcing, 0, s.ground, s.physics.surface);
    return s;
}

} // namespace squall
