#include "physics/declared_state.hpp"

#include "physics/boundary_layer_scheme.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/surface_layer_scheme.hpp"
#include "settings/config.hpp"

namespace squall {
namespace {

std::vector<Water> waters_of(const std::string &microphysics) {
    if (microphysics == "none") return {};
    if (microphysics == "vapour") return {Water::vapour};
    return microphysics_scheme(microphysics).waters;
}

std::vector<Number> numbers_of(const std::string &microphysics) {
    if (microphysics == "none" || microphysics == "vapour") return {};
    return microphysics_scheme(microphysics).numbers;
}

} // namespace

ScalarSet scalars_of(const Config &config) {
    ScalarSet set;
    const auto add = [&](const char *name, const char *units, const char *description) {
        set.all.push_back({name, units, description});
        return set.size() - 1;
    };
    const auto water = [&](const char *name, const char *description) {
        return add(name, "kg kg-1", description);
    };
    for (const Water species : waters_of(config.physics.microphysics)) {
        switch (species) {
        case Water::vapour:
            set.vapour = water("QVAPOR", "Water vapor mixing ratio");
            break;
        case Water::cloud:
            set.cloud = water("QCLOUD", "Cloud water mixing ratio");
            break;
        case Water::rain:
            set.rain = water("QRAIN", "Rain water mixing ratio");
            break;
        case Water::ice:
            set.ice = water("QICE", "Ice mixing ratio");
            break;
        case Water::snow:
            set.snow = water("QSNOW", "Snow mixing ratio");
            break;
        case Water::graupel:
            set.graupel = water("QGRAUP", "Graupel mixing ratio");
            break;
        }
    }
    set.waters = set.size();
    for (const Number species : numbers_of(config.physics.microphysics)) {
        switch (species) {
        case Number::rain:
            set.rain_number = add("QNRAIN", "kg-1", "Rain number concentration");
            break;
        case Number::ice:
            set.ice_number = add("QNICE", "kg-1", "Ice number concentration");
            break;
        case Number::snow:
            add("QNSNOW", "kg-1", "Snow number concentration");
            break;
        case Number::graupel:
            add("QNGRAUPEL", "kg-1", "Graupel number concentration");
            break;
        case Number::droplets:
            set.droplet_number = add("QNCLOUD", "kg-1", "Cloud droplet number concentration");
            break;
        case Number::nuclei:
            set.nuclei = add("QNCCN", "kg-1", "Number concentration of cloud condensation nuclei");
            set.all.back().elsewhere = config.physics.condensation_nuclei;
            break;
        case Number::water_friendly:
            add("QNWFA", "kg-1", "Water-friendly aerosol number concentration");
            break;
        case Number::ice_friendly:
            add("QNIFA", "kg-1", "Ice-friendly aerosol number concentration");
            break;
        }
    }
    set.first_tracer = set.size();
    for (const TracerConfig &tracer : config.tracers)
        set.all.push_back({tracer.name, "kg kg-1", "Mixing ratio of tracer " + tracer.name});
    set.tracers = set.size() - set.first_tracer;
    const std::string &mixing = config.physics.boundary_layer;
    if (mixing != "none" && boundary_layer_scheme(mixing).predicts_turbulence)
        set.qke = add("QKE", "m2 s-2", "Twice the turbulence kinetic energy of the boundary layer");
    if (config.diffusion.scheme == "tke") set.tke = add("TKE", "m2 s-2", "Turbulence kinetic energy");
    return set;
}

bool has_sea(const Config &config) {
    if (config.physics.surface_layer == "none") return false;
    return !config.boundary.lower_file.empty() || config.identity.sea_changes ||
           config.physics.sea_skin != "none" || config.physics.fractional_sea_ice;
}

bool keeps_turbulence(const Config &config) {
    const std::string &mixing = config.physics.boundary_layer;
    return mixing != "none" && boundary_layer_scheme(mixing).keeps_turbulence;
}

bool keeps_eddies(const Config &config) {
    const std::string &mixing = config.physics.boundary_layer;
    return mixing != "none" && boundary_layer_scheme(mixing).keeps_eddies;
}

SurfaceState surface_state_of(const Config &config, Shape shape) {
    if (config.physics.surface_layer == "none") return {};
    const std::string &land = config.physics.land;
    SurfaceState surface(shape, 0);
    if (land != "none") {
        const LandEntry &scheme = land_scheme(land);
        surface = {shape, static_cast<int>(scheme.thickness.size()), scheme.water};
        if (scheme.canopy) surface.canopy = CanopyState(shape);
        if (scheme.canopy && config.land.reads_leaf_area()) surface.canopy.leaf_area = Array2(shape);
        if (scheme.canopy && config.land.has_groundwater()) surface.canopy.below = AquiferState(shape);
    }
    if (has_sea(config)) surface.sea = SeaState(shape);
    if (config.physics.ocean != "none") surface.ocean = OceanState(shape);
    if (config.physics.fractional_sea_ice) surface.sea.ice_alone = IceState(shape);
    if (keeps_turbulence(config)) surface.turbulence = Array3(shape);
    if (keeps_eddies(config)) surface.eddies = EddyState(shape);
    if (surface_layer_scheme(config.physics.surface_layer).sublayer) surface.sublayer = SublayerState(shape);
    if (config.wind_farm.wanted()) surface.turbine_power = Array2(shape);
    if (config.run.as_wrf()) surface.pressure = Array2(shape);
    return surface;
}

ConvectionState convection_state_of(const Config &config, Shape shape) {
    const std::string &cumulus = config.physics.cumulus;
    if (cumulus == "none") return {};
    return ConvectionState(shape, cumulus_scheme(cumulus).moves_wind);
}

GravityWaveState gravity_wave_state_of(const Config &config, Shape shape) {
    return config.physics.gravity_wave_drag == "none" ? GravityWaveState{} : GravityWaveState(shape);
}

} // namespace squall
