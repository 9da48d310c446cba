#include "output/restart_variables.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "grid/fire_grid.hpp"
#include "grid/scalars.hpp"
#include "output/history_fields.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/declared_state.hpp"
#include "physics/land_scheme.hpp"
#include "physics/sunlit_ground.hpp"
#include "physics/surface_layer_scheme.hpp"

namespace squall {
namespace {

bool has_surface(const Config &config) { return config.physics.surface_layer != "none"; }
bool radiates(const Config &config) { return config.physics.radiation != "none"; }

template <class T> View3<T> one_level(View2<T> v) { return {v.origin, 0, v.sj}; }

/// Collects variables. View: Field3 or ConstField3.
template <class View> struct List {
    std::vector<Variable<View>> all;
    template <class Array> void volume(const char *name, Location where, Array &a) {
        all.push_back({name, where, a.view()});
    }
    template <class Array> void plane(const char *name, Array &a) {
        all.push_back({name, at::plane, one_level(a.view())});
    }
};

/// S, P, ...: the structs, const or not.
template <class L, class S> void add_state(L &list, S &state, const Config &config) {
    list.plane("MU", state.mu);
    list.volume("U", at::x_faces, state.u), list.volume("V", at::y_faces, state.v);
    list.volume("W", at::interfaces, state.w);
    list.volume(integrates_moist_theta(config) ? "THM" : "T", at::cells, state.theta);
    list.volume("PH", at::interfaces, state.ph);
    const ScalarSet scalars = scalars_of(config);
    for (std::size_t n = 0; n < scalars.all.size(); ++n)
        list.volume(scalars.all[n].name.c_str(), at::cells, state.scalars[n]);
}

template <class L, class P> void add_clouds(L &list, P &physics) {
    list.plane("RAINNC", physics.rain), list.plane("SNOWNC", physics.snow);
    list.plane("GRAUPELNC", physics.graupel);
    list.volume("H_DIABATIC", at::cells, physics.heating);
}

/// What radiation tells the surface is radiation's.
template <class L, class S> void add_surface(L &list, S &s) {
    list.plane("TSK", s.skin_temperature), list.plane("ALBEDO", s.albedo), list.plane("EMISS", s.emissivity);
    list.plane("HFX", s.sensible_heat), list.plane("QFX", s.vapour_flux), list.plane("LH", s.latent_heat);
    list.plane("UST", s.friction_velocity), list.plane("ZNT", s.roughness);
    list.plane("MOL", s.temperature_scale), list.plane("QSFC", s.surface_vapour);
    list.plane("PBLH", s.boundary_layer_height);
    list.plane("U10", s.wind_u_10m), list.plane("V10", s.wind_v_10m);
    list.plane("T2", s.temperature_2m), list.plane("Q2", s.vapour_2m);
}

/// Of land with soil moisture and snow.
template <class L, class W> void add_land_water(L &list, W &w) {
    list.plane("CANWAT", w.canopy_water), list.plane("SNOW", w.snow_water);
    list.plane("SNOWH", w.snow_depth), list.plane("SNOWC", w.snow_cover);
    list.plane("SNOTIME", w.snow_age), list.plane("RAINBL", w.precipitation);
    list.plane("SNOWBL", w.frozen_precipitation), list.plane("GRDFLX", w.ground_heat);
    list.plane("SFROFF", w.surface_runoff), list.plane("UDROFF", w.drainage);
}

/// Of leaves, layers of snow and water below the soil.
template <class L, class C> void add_canopy(L &list, C &c, const LandConfig &land) {
    const Location snow = at::snow(CanopyState::snow_layers);
    list.volume("TSNO", snow, c.snow_temperature), list.volume("SNICE", snow, c.snow_ice);
    list.volume("SNLIQ", snow, c.snow_liquid), list.volume("DZSNO", snow, c.snow_thickness);
    list.plane("ISNOW", c.snow_count), list.plane("TV", c.leaf_temperature);
    list.plane("TG", c.ground_temperature), list.plane("EAH", c.vapour_pressure);
    list.plane("CANLIQ", c.liquid), list.plane("CANICE", c.ice);
    list.plane("ALBOLD", c.snow_albedo), list.plane("QSNOWXY", c.snowfall);
    if (land.reads_leaf_area()) list.plane("LAI", c.leaf_area);
    if (land.has_groundwater())
        list.plane("ZWT", c.below.depth), list.plane("WA", c.below.water),
            list.plane("WT", c.below.water_above);
}

template <class L, class S> void add_sea(L &list, S &sea, bool fractional) {
    list.plane("SST", sea.temperature), list.plane("SEAICE", sea.ice), list.plane("DTW", sea.warming);
    if (!fractional) return;
    list.plane("TSK_SAVE", sea.ice_alone.temperature), list.plane("QSFC_ICE", sea.ice_alone.vapour);
    list.plane("ALBEDO_ICE", sea.ice_alone.albedo), list.plane("EMISS_ICE", sea.ice_alone.emissivity);
}

template <class L, class S> void add_ocean(L &list, S &ocean) {
    list.plane("T0ML", ocean.first_temperature), list.plane("HML", ocean.depth);
    list.plane("HUML", ocean.u_transport), list.plane("HVML", ocean.v_transport);
}

template <class L, class S> void add_sublayer(L &list, S &s) {
    list.plane("AKHS", s.heat_conductance), list.plane("AKMS", s.momentum_conductance);
    list.plane("UZ0", s.u), list.plane("VZ0", s.v), list.plane("THZ0", s.theta),
        list.plane("QZ0", s.humidity);
    list.plane("Z0", s.bare_roughness);
}

template <class L, class S> void add_soil(L &list, S &s, const Config &config) {
    const int layers = surface_state_of(config, {}).soil_layers;
    if (layers == 0) return;
    list.volume("TSLB", at::soil(layers), s.soil_temperature);
    if (config.physics.land == "none" || !land_scheme(config.physics.land).water) return;
    list.volume("SMOIS", at::soil(layers), s.land_water.moisture);
    list.volume("SH2O", at::soil(layers), s.land_water.liquid);
    add_land_water(list, s.land_water);
    if (land_scheme(config.physics.land).canopy) add_canopy(list, s.canopy, config.land);
}

template <class L, class C> void add_convection(L &list, C &c, bool winds) {
    list.volume("RTHCUTEN", at::cells, c.heating), list.volume("RQVCUTEN", at::cells, c.vapour);
    list.volume("RQCCUTEN", at::cells, c.cloud), list.volume("RQRCUTEN", at::cells, c.rain);
    list.volume("RQICUTEN", at::cells, c.ice), list.volume("RQSCUTEN", at::cells, c.snow);
    list.volume("W0AVG", at::cells, c.updraught);
    list.plane("NCA", c.remaining), list.plane("PRATEC", c.rate), list.plane("RAINC", c.accumulated);
    if (winds) list.volume("RUCUTEN", at::cells, c.u), list.volume("RVCUTEN", at::cells, c.v);
}

template <class L, class R> void add_radiation(L &list, R &r, bool relief) {
    list.plane("SWDOWN", r.shortwave_down), list.plane("GSW", r.shortwave_net);
    list.plane("SWDNT", r.shortwave_down_top), list.plane("SWUPT", r.shortwave_up_top);
    list.plane("GLW", r.longwave_down), list.plane("OLR", r.longwave_up_top);
    list.plane("COSZEN", r.cosine), list.plane("SWDDIR", r.shortwave_direct);
    if (relief) list.plane("SWNORM", r.shortwave_on_relief);
    list.volume("RTHRATEN", at::cells, r.heating);
}

template <class L, class E> void add_eddies(L &list, E &e) {
    list.volume("QSQ", at::cells, e.variance), list.volume("EL_PBL", at::cells, e.length);
    list.volume("CLDFRA_BL", at::cells, e.cover);
    list.volume("QC_BL", at::cells, e.cloud_water), list.volume("QI_BL", at::cells, e.cloud_ice);
}

template <class L, class F> void add_fire(L &list, F &f, const FireConfig &config) {
    const Location cells = at::fire(config.refinement_x, config.ry());
    const auto plane = [&](const char *name, auto &a) {
        list.all.push_back({name, cells, one_level(a.view())});
    };
    plane("LFN", f.level_set), plane("TIGN_G", f.ignition_time);
    plane("FUEL_FRAC", f.fuel_left), plane("FIRE_AREA", f.area), plane("FMC_G", f.moisture);
    if (config.moisture != "model") return;
    auto &w = f.water;
    for (std::size_t n = 0; n < w.content.size(); ++n)
        list.plane(fmt::format("FMC_GC_{}", n + 1).c_str(), w.content[n]);
    list.plane("T2_OLD", w.temperature), list.plane("Q2_OLD", w.vapour);
    list.plane("PSFC_OLD", w.pressure), list.plane("RAIN_OLD", w.rain);
}

template <class View, class S, class P>
std::vector<Variable<View>> collect(S &state, P &physics, const Config &config) {
    List<View> list;
    add_state(list, state, config);
    if (scalars_of(config).moist()) add_clouds(list, physics);
    if (has_surface(config)) {
        add_surface(list, physics.surface);
        if (has_sea(config)) add_sea(list, physics.surface.sea, config.physics.fractional_sea_ice);
        if (config.physics.ocean != "none") add_ocean(list, physics.surface.ocean);
        if (keeps_turbulence(config)) list.volume("QKE", at::cells, physics.surface.turbulence);
        if (keeps_eddies(config)) add_eddies(list, physics.surface.eddies);
        if (surface_layer_scheme(config.physics.surface_layer).sublayer)
            add_sublayer(list, physics.surface.sublayer);
        if (config.wind_farm.wanted()) list.plane("POWER", physics.surface.turbine_power);
        if (config.run.as_wrf()) list.plane("PSFC", physics.surface.pressure);
        add_soil(list, physics.surface, config);
    }
    if (config.physics.cumulus != "none")
        add_convection(list, physics.convection, cumulus_scheme(config.physics.cumulus).moves_wind);
    if (radiates(config)) add_radiation(list, physics.radiation, SunlitGround::wanted(config.physics));
    if (burns(config)) add_fire(list, physics.fire, config.fire);
    return std::move(list.all);
}

} // namespace

int levels_of(const Location &where, int nz) {
    switch (where.levels) {
    case Levels::layers:
        return nz;
    case Levels::interfaces:
        return nz + 1;
    case Levels::soil:
    case Levels::snow:
        return where.soil_layers;
    case Levels::none:
        return 1;
    }
    return 1;
}

std::vector<StateVariable> state_variables(State &state, PhysicsState &physics, const Config &config) {
    return collect<Field3>(state, physics, config);
}

std::vector<ConstStateVariable> state_variables(const State &state, const PhysicsState &physics,
                                                const Config &config) {
    return collect<ConstField3>(state, physics, config);
}

PhysicsState physics_state_of(const Config &config, Shape shape) {
    PhysicsState physics;
    if (scalars_of(config).moist()) physics = PhysicsState(shape);
    if (has_surface(config)) physics.surface = surface_state_of(config, shape);
    physics.convection = convection_state_of(config, shape);
    physics.gravity_waves = gravity_wave_state_of(config, shape);
    if (radiates(config)) physics.radiation = RadiationState(shape, SunlitGround::wanted(config.physics));
    if (burns(config)) {
        physics.fire = {shape, fire_shape(shape, config.fire.refinement_x, config.fire.ry())};
        if (config.fire.moisture == "model") physics.fire.water = FuelMoistureState(shape);
    }
    return physics;
}

void share_radiation(PhysicsState &physics, const Config &config) {
    if (!radiates(config) || !has_surface(config)) return;
    physics.surface.shortwave_net.copy_from(physics.radiation.shortwave_net);
    physics.surface.shortwave_down.copy_from(physics.radiation.shortwave_reaching());
    physics.surface.longwave_down.copy_from(physics.radiation.longwave_down);
}

} // namespace squall
