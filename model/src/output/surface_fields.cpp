#include "output/surface_fields.hpp"

#include <map>
#include <string>

#include "physics/boundary_layer_scheme.hpp"
#include "physics/declared_state.hpp"
#include "physics/land_scheme.hpp"

namespace squall {
namespace {

using Source = const HistorySource &;

/// Fields of planes of a part of the surface's state.
template <class Part> struct PlanesOf {
    const Part &(*part)(Source);

    HistoryField operator()(const char *name, const char *description, const char *units,
                            const char *standard_name, Array2 Part::*member, bool by_default = true) const {
        return {
            name,      description,
            units,     standard_name,
            at::plane, [part = part, member](Source s) -> FieldPoints { return (part(s).*member).view(); },
            by_default};
    }
};

constexpr PlanesOf<SurfaceState> plane{[](Source s) -> const SurfaceState & { return s.physics.surface; }};
constexpr PlanesOf<LandWaterState> water_plane{
    [](Source s) -> const LandWaterState & { return s.physics.surface.land_water; }};
constexpr PlanesOf<CanopyState> canopy_plane{
    [](Source s) -> const CanopyState & { return s.physics.surface.canopy; }};
constexpr PlanesOf<AquiferState> aquifer_plane{
    [](Source s) -> const AquiferState & { return s.physics.surface.canopy.below; }};
constexpr PlanesOf<SeaState> sea_plane{[](Source s) -> const SeaState & { return s.physics.surface.sea; }};
constexpr PlanesOf<OceanState> ocean_plane{
    [](Source s) -> const OceanState & { return s.physics.surface.ocean; }};

/// Depths and thicknesses of the layers of a land scheme [m], which live as long as the program.
struct SoilLayers {
    std::vector<real> depth, thickness;
};

const SoilLayers &soil_layers(const std::string &land) {
    static const std::map<std::string, SoilLayers> all = [] {
        std::map<std::string, SoilLayers> made;
        for (const auto &[name, scheme] : land_schemes()) {
            double top = 0;
            for (const double thickness : scheme.thickness) {
                made[name].thickness.push_back(real(thickness));
                made[name].depth.push_back(real(top + thickness / 2));
                top += thickness;
            }
        }
        return made;
    }();
    return all.at(land);
}

std::vector<HistoryField> soil(const std::string &land) {
    const SoilLayers &soil = soil_layers(land);
    const int layers = static_cast<int>(soil.depth.size());
    std::vector<HistoryField> fields{
        {"ZS", "DEPTHS OF CENTERS OF SOIL LAYERS", "m", "depth", at::soil_column(layers),
         [&soil](Source) -> FieldPoints { return &soil.depth; }},
        {"DZS", "THICKNESSES OF SOIL LAYERS", "m", "cell_thickness", at::soil_column(layers),
         [&soil](Source) -> FieldPoints { return &soil.thickness; }}};
    for (HistoryField &field : fields) field.fixed = true;
    fields.push_back({"TSLB", "SOIL TEMPERATURE", "K", "soil_temperature", at::soil(layers),
                      [](Source s) -> FieldPoints { return s.physics.surface.soil_temperature.view(); }});
    return fields;
}

/// Of land that keeps account of soil moisture and snow.
std::vector<HistoryField> land_water(const LandEntry &scheme) {
    using W = LandWaterState;
    const int layers = static_cast<int>(scheme.thickness.size());
    return {
        {"SMOIS", "SOIL MOISTURE", "m3 m-3", "volume_fraction_of_condensed_water_in_soil", at::soil(layers),
         [](Source s) -> FieldPoints { return s.physics.surface.land_water.moisture.view(); }},
        {"SH2O", "SOIL LIQUID WATER", "m3 m-3", "", at::soil(layers),
         [](Source s) -> FieldPoints { return s.physics.surface.land_water.liquid.view(); }},
        water_plane("CANWAT", "CANOPY WATER", "kg m-2", "canopy_water_amount", &W::canopy_water),
        water_plane("SNOW", "SNOW WATER EQUIVALENT", "kg m-2", "surface_snow_amount", &W::snow_water),
        water_plane("SNOWH", "PHYSICAL SNOW DEPTH", "m", "surface_snow_thickness", &W::snow_depth),
        water_plane("SNOWC", "FRACTION OF GROUND COVERED BY SNOW", "", "surface_snow_area_fraction",
                    &W::snow_cover),
        water_plane("GRDFLX", "GROUND HEAT FLUX", "W m-2", "upward_heat_flux_at_ground_level_in_soil",
                    &W::ground_heat),
        water_plane("SFROFF", "SURFACE RUNOFF", "kg m-2", "surface_runoff_amount", &W::surface_runoff),
        water_plane("UDROFF", "UNDERGROUND RUNOFF", "kg m-2", "subsurface_runoff_amount", &W::drainage),
        water_plane("SNOTIME", "SECONDS SINCE THE LAST SNOWFALL", "s", "age_of_surface_snow", &W::snow_age,
                    false),
    };
}

/// Of layers of snow, the lowest one last.
HistoryField snow_layers(const char *name, const char *description, const char *units,
                         const char *standard_name, Array3 CanopyState::*member) {
    return {name,
            description,
            units,
            standard_name,
            at::snow(CanopyState::snow_layers),
            [member](Source s) -> FieldPoints { return (s.physics.surface.canopy.*member).view(); }};
}

/// Of land with an aquifer below the soil.
std::vector<HistoryField> aquifer() {
    using A = AquiferState;
    return {aquifer_plane("ZWT", "WATER TABLE DEPTH", "m", "water_table_depth", &A::depth),
            aquifer_plane("WA", "WATER IN AQUIFER", "kg m-2", "", &A::water),
            aquifer_plane("WT", "WATER IN AQUIFER AND SATURATED SOIL", "kg m-2", "", &A::water_above)};
}

/// Of land with leaves and layers of snow of their own.
std::vector<HistoryField> canopy(const LandConfig &land) {
    using C = CanopyState;
    std::vector<HistoryField> fields{
        canopy_plane("TV", "VEGETATION TEMPERATURE", "K", "canopy_temperature", &C::leaf_temperature),
        canopy_plane("TG", "GROUND TEMPERATURE", "K", "", &C::ground_temperature),
        canopy_plane("EAH", "CANOPY AIR VAPOR PRESSURE", "Pa", "", &C::vapour_pressure, false),
        canopy_plane("CANLIQ", "INTERCEPTED LIQUID WATER", "kg m-2", "", &C::liquid),
        canopy_plane("CANICE", "INTERCEPTED ICE", "kg m-2", "", &C::ice),
        canopy_plane("ALBOLD", "ALBEDO OF SNOW AS IT AGES", "", "", &C::snow_albedo, false),
        canopy_plane("QSNOWXY", "SNOWFALL ON THE GROUND", "kg m-2 s-1", "snowfall_flux", &C::snowfall, false),
        canopy_plane("ISNOW", "NUMBER OF SNOW LAYERS, NEGATIVE", "", "", &C::snow_count),
        snow_layers("TSNO", "SNOW TEMPERATURE", "K", "temperature_in_surface_snow", &C::snow_temperature),
        snow_layers("SNICE", "ICE OF SNOW LAYERS", "kg m-2", "", &C::snow_ice),
        snow_layers("SNLIQ", "LIQUID WATER OF SNOW LAYERS", "kg m-2", "", &C::snow_liquid),
        snow_layers("DZSNO", "THICKNESS OF SNOW LAYERS", "m", "", &C::snow_thickness),
    };
    if (land.reads_leaf_area())
        fields.push_back(canopy_plane("LAI", "LEAF AREA INDEX", "", "leaf_area_index", &C::leaf_area));
    if (land.has_groundwater())
        for (HistoryField &field : aquifer()) fields.push_back(std::move(field));
    return fields;
}

std::vector<HistoryField> sea() {
    return {
        sea_plane("SST", "SEA SURFACE TEMPERATURE", "K", "sea_surface_temperature", &SeaState::temperature),
        sea_plane("SEAICE", "SEA ICE FLAG", "", "sea_ice_area_fraction", &SeaState::ice),
        sea_plane("DTW", "WARM LAYER TEMP DIFF", "K", "", &SeaState::warming)};
}

std::vector<HistoryField> ocean() {
    using O = OceanState;
    return {ocean_plane("HML", "OCEAN MIXED-LAYER DEPTH", "m", "ocean_mixed_layer_thickness", &O::depth),
            ocean_plane("T0ML", "INITIAL OCEAN MIXED-LAYER TEMPERATURE", "K", "", &O::first_temperature),
            ocean_plane("HUML", "OCEAN MIXED-LAYER DEPTH * U-CURRENT", "m2 s-1", "", &O::u_transport),
            ocean_plane("HVML", "OCEAN MIXED-LAYER DEPTH * V-CURRENT", "m2 s-1", "", &O::v_transport)};
}

HistoryField eddies(const char *name, const char *description, const char *units, Array3 EddyState::*field) {
    return {name,      description,
            units,     "",
            at::cells, [field](Source s) -> FieldPoints { return (s.physics.surface.eddies.*field).view(); }};
}

/// What the boundary layer keeps in its columns.
std::vector<HistoryField> turbulence(const Config &config) {
    std::vector<HistoryField> fields;
    if (keeps_turbulence(config)) {
        const bool below = boundary_layer_scheme(config.physics.boundary_layer).at_interfaces;
        fields.push_back(
            {"QKE",
             std::string("TWICE THE TURBULENCE KINETIC ENERGY") + (below ? " AT THE BOTTOM OF LAYERS" : ""),
             "m2 s-2", "", at::cells,
             [](Source s) -> FieldPoints { return s.physics.surface.turbulence.view(); }});
    }
    if (!keeps_eddies(config)) return fields;
    fields.push_back(
        eddies("CLDFRA_BL", "CLOUD FRACTION OF THE BOUNDARY LAYER SCHEME", "1", &EddyState::cover));
    fields.push_back(
        eddies("QC_BL", "CLOUD WATER OF THE BOUNDARY LAYER SCHEME", "kg kg-1", &EddyState::cloud_water));
    fields.push_back(
        eddies("QI_BL", "CLOUD ICE OF THE BOUNDARY LAYER SCHEME", "kg kg-1", &EddyState::cloud_ice));
    return fields;
}

} // namespace

std::vector<HistoryField> surface_fields(const Config &config) {
    if (config.physics.surface_layer == "none") return {};
    using S = SurfaceState;
    std::vector<HistoryField> fields{
        plane("TSK", "SURFACE SKIN TEMPERATURE", "K", "surface_temperature", &S::skin_temperature),
        plane("T2", "TEMP at 2 M", "K", "air_temperature", &S::temperature_2m),
        plane("Q2", "QV at 2 M", "kg kg-1", "humidity_mixing_ratio", &S::vapour_2m),
        plane("U10", "U at 10 M", "m s-1", "x_wind", &S::wind_u_10m),
        plane("V10", "V at 10 M", "m s-1", "y_wind", &S::wind_v_10m),
        plane("HFX", "UPWARD HEAT FLUX AT THE SURFACE", "W m-2", "surface_upward_sensible_heat_flux",
              &S::sensible_heat),
        plane("QFX", "UPWARD MOISTURE FLUX AT THE SURFACE", "kg m-2 s-1", "water_evapotranspiration_flux",
              &S::vapour_flux),
        plane("LH", "LATENT HEAT FLUX AT THE SURFACE", "W m-2", "surface_upward_latent_heat_flux",
              &S::latent_heat),
        plane("UST", "U* IN SIMILARITY THEORY", "m s-1", "magnitude_of_surface_friction_velocity_in_air",
              &S::friction_velocity),
        plane("PBLH", "PBL HEIGHT", "m", "atmosphere_boundary_layer_thickness", &S::boundary_layer_height),
        plane("ZNT", "TIME-VARYING ROUGHNESS LENGTH", "m", "surface_roughness_length", &S::roughness),
        plane("ALBEDO", "ALBEDO", "", "surface_albedo", &S::albedo),
        plane("EMISS", "SURFACE EMISSIVITY", "", "surface_longwave_emissivity", &S::emissivity),
        plane("MOL", "T* IN SIMILARITY THEORY", "K", "", &S::temperature_scale, false),
        plane("QSFC", "SPECIFIC HUMIDITY AT LOWER BOUNDARY", "kg kg-1", "", &S::surface_vapour, false),
    };
    if (has_sea(config))
        for (HistoryField &field : sea()) fields.push_back(std::move(field));
    if (config.physics.ocean != "none")
        for (HistoryField &field : ocean()) fields.push_back(std::move(field));
    for (HistoryField &field : turbulence(config)) fields.push_back(std::move(field));
    if (config.wind_farm.wanted())
        fields.push_back(plane("POWER", "POWER PRODUCTION BY WIND TURBINES", "W", "", &S::turbine_power));
    if (config.physics.land == "none") return fields;
    for (HistoryField &field : soil(config.physics.land)) fields.push_back(std::move(field));
    if (const LandEntry &scheme = land_scheme(config.physics.land); scheme.water)
        for (HistoryField &field : land_water(scheme)) fields.push_back(std::move(field));
    if (land_scheme(config.physics.land).canopy)
        for (HistoryField &field : canopy(config.land)) fields.push_back(std::move(field));
    return fields;
}

} // namespace squall
