/// The surface between air and ground as physics leaves it from one step to the next: what radiation, surface
/// layer, boundary layer and land tell one another.
#pragma once

#include "core/array.hpp"

namespace squall {

/// What land with soil moisture and snow is besides. Empty in a run without (LandEntry::water).
struct LandWaterState {
    LandWaterState() = default;
    LandWaterState(Shape s, int layers)
        : moisture({s.nx, s.ny, layers}), liquid({s.nx, s.ny, layers}), canopy_water(s), snow_water(s),
          snow_depth(s), snow_cover(s), snow_age(s), precipitation(s), frozen_precipitation(s),
          ground_heat(s), surface_runoff(s), drainage(s) {}

    Array3 moisture; ///< of soil, liquid and frozen, layer k from the surface down [m3 m-3] (SMOIS)
    Array3 liquid;   ///< of it liquid [m3 m-3] (SH2O)

    Array2 canopy_water; ///< on leaves [kg m-2] (CANWAT)
    Array2 snow_water;   ///< [kg m-2] (SNOW)
    Array2 snow_depth;   ///< [m] (SNOWH)
    Array2 snow_cover;   ///< 0 to 1 (SNOWC)
    Array2 snow_age;     ///< since the last fall [s] (SNOTIME)

    /// Since land last looked: set by clouds, taken by land.
    Array2 precipitation;        ///< of all kinds [kg m-2]
    Array2 frozen_precipitation; ///< of it snow, graupel and ice [kg m-2]

    Array2 ground_heat;    ///< upward out of the ground [W m-2] (GRDFLX)
    Array2 surface_runoff; ///< accumulated [kg m-2] (SFROFF)
    Array2 drainage;       ///< below the soil, accumulated [kg m-2] (UDROFF)
};

/// Water below the soil (land.runoff). Empty in a run without.
struct AquiferState {
    AquiferState() = default;
    explicit AquiferState(Shape s) : depth(s), water(s), water_above(s) {}

    Array2 depth;       ///< of the water table [m] (ZWT)
    Array2 water;       ///< in the aquifer [kg m-2] (WA)
    Array2 water_above; ///< that and the water of saturated soil [kg m-2] (WT)
};

/// What land with leaves and layers of snow of their own is besides. Empty in a run without
/// (LandEntry::canopy).
struct CanopyState {
    static constexpr int snow_layers = 3;

    CanopyState() = default;
    explicit CanopyState(Shape s)
        : snow_temperature({s.nx, s.ny, snow_layers}), snow_ice({s.nx, s.ny, snow_layers}),
          snow_liquid({s.nx, s.ny, snow_layers}), snow_thickness({s.nx, s.ny, snow_layers}), snow_count(s),
          leaf_temperature(s), ground_temperature(s), vapour_pressure(s), liquid(s), ice(s), snow_albedo(s),
          snowfall(s) {}

    /// Of layers of snow, the lowest one last; 0 where there are fewer.
    Array3 snow_temperature;      ///< [K] (TSNO)
    Array3 snow_ice, snow_liquid; ///< [kg m-2] (SNICE, SNLIQ)
    Array3 snow_thickness;        ///< [m] (DZSNO)
    Array2 snow_count;            ///< of layers, negative (ISNOW)

    Array2 leaf_temperature, ground_temperature; ///< [K] (TV, TG)
    Array2 vapour_pressure;                      ///< between leaves [Pa] (EAH)
    Array2 liquid, ice;                          ///< on leaves [kg m-2] (CANLIQ, CANICE)
    Array2 snow_albedo;                          ///< of snow as it ages, 0 to 1 (ALBOLD)
    Array2 snowfall;                             ///< in the last step [kg m-2 s-1] (QSNOWXY)

    Array2 leaf_area; ///< one-sided, over that of the ground (LAI); null where a table has it
    AquiferState below;
    bool has_aquifer() const { return below.depth.bytes() > 0; }
};

/// The ice alone of cells that are partly under it (physics.fractional_sea_ice), where SurfaceState has the
/// mean of ice and water. Empty in a run without.
struct IceState {
    IceState() = default;
    explicit IceState(Shape s) : temperature(s), vapour(s), albedo(s), emissivity(s) {}

    Array2 temperature;        ///< of its surface [K] (TSK_SAVE)
    Array2 vapour;             ///< mixing ratio at its surface [kg kg-1]; 0 before the first step
    Array2 albedo, emissivity; ///< 0 to 1
};

/// What the sea is besides, where it changes or has a skin of its own. Empty in a run without.
struct SeaState {
    SeaState() = default;
    explicit SeaState(Shape s) : temperature(s), ice(s), warming(s) {}

    Array2 temperature; ///< of the water below the skin [K] (SST)
    Array2 ice;         ///< share of the sea under ice, 0 to 1 (SEAICE)
    Array2 warming;     ///< of the layer that the sun warms, over what is below it [K] (DTW)
    IceState ice_alone;
    bool has_ice_alone() const { return ice_alone.temperature.bytes() > 0; }
};

/// Mixed layer of an ocean that storms stir. Empty in a run without (physics.ocean); its temperature is the
/// skin's.
struct OceanState {
    OceanState() = default;
    explicit OceanState(Shape s) : first_temperature(s), depth(s), u_transport(s), v_transport(s) {}

    Array2 first_temperature;        ///< at the start [K]; 0: none yet (T0ML)
    Array2 depth;                    ///< [m] (HML)
    Array2 u_transport, v_transport; ///< along the grid, velocity times depth [m2 s-1] (HUML, HVML)
};

/// What the surface layer of the Eta model carries. Empty in a run with another
/// (SurfaceLayerEntry::sublayer).
struct SublayerState {
    SublayerState() = default;
    explicit SublayerState(Shape s)
        : heat_conductance(s), momentum_conductance(s), u(s), v(s), theta(s), humidity(s), bare_roughness(s) {
    }

    /// From z0 to the middle of the lowest layer [m s-1]; 0 before the first step (AKHS, AKMS).
    Array2 heat_conductance, momentum_conductance;
    /// At z0, over water the top of the viscous sublayer: wind along the grid [m s-1], potential temperature
    /// [K], specific humidity [kg kg-1] (UZ0, VZ0, THZ0, QZ0).
    Array2 u, v, theta, humidity;
    Array2 bare_roughness; ///< of land without snow [m]; 0: land does not say (Z0)
};

/// What a boundary layer with plumes and clouds of its own carries (BoundaryLayerEntry::keeps_eddies), as of
/// the last step; 0 before the first one. Empty in a run with another.
struct EddyState {
    EddyState() = default;
    explicit EddyState(Shape s) : variance(s), length(s), cover(s), cloud_water(s), cloud_ice(s) {}

    Array3 variance; ///< of all water in eddies [kg2 kg-2] (QSQ)
    Array3 length;   ///< of eddies, at the interface below layer k [m] (EL_PBL)
    /// Of clouds smaller than the cell: share of the layer, water and ice of its mean air [kg kg-1]
    /// (CLDFRA_BL, QC_BL, QI_BL).
    Array3 cover, cloud_water, cloud_ice;
};

/// Owned columns of a patch; halos are not filled. Part of a restart. Empty in a run without surface layer,
/// land and radiation. Fluxes are upward positive unless their name says down.
struct SurfaceState {
    SurfaceState() = default;
    /// `with_water`: land keeps account of soil moisture and snow.
    SurfaceState(Shape s, int layers, bool with_water = false)
        : skin_temperature(s), albedo(s), emissivity(s), shortwave_net(s), shortwave_down(s),
          longwave_down(s), sensible_heat(s), vapour_flux(s), friction_velocity(s), roughness(s),
          temperature_scale(s), surface_vapour(s), latent_heat(s), boundary_layer_height(s), wind_u_10m(s),
          wind_v_10m(s), temperature_2m(s), vapour_2m(s), soil_layers(layers) {
        if (layers > 0) soil_temperature = Array3({s.nx, s.ny, layers});
        if (with_water) land_water = LandWaterState(s, layers);
    }

    /// Set by land (over the sea from the start on), read by radiation.
    Array2 skin_temperature; ///< [K] (TSK)
    Array2 albedo;           ///< of shortwave radiation, 0 to 1 (ALBEDO)
    Array2 emissivity;       ///< of longwave radiation, 0 to 1 (EMISS)

    /// Set by radiation, read by land.
    Array2 shortwave_net;  ///< absorbed by the ground: down less reflected [W m-2] (GSW)
    Array2 shortwave_down; ///< [W m-2] (SWDOWN)
    Array2 longwave_down;  ///< [W m-2] (GLW)

    /// Set by surface layer and land, read by the boundary layer and by themselves in the next step.
    Array2 sensible_heat;     ///< [W m-2] (HFX)
    Array2 vapour_flux;       ///< [kg m-2 s-1] (QFX)
    Array2 friction_velocity; ///< [m s-1] (UST)
    Array2 roughness;         ///< for momentum [m]; of the sea it follows the wind (ZNT)
    Array2 temperature_scale; ///< theta* of Monin-Obukhov similarity [K] (MOL)
    Array2 surface_vapour;    ///< mixing ratio at the surface [kg kg-1]; 0 before the first step (QSFC)

    Array2 latent_heat;           ///< of vapour_flux [W m-2] (LH)
    Array2 boundary_layer_height; ///< above the ground [m], set by the boundary layer (PBLH)

    /// Diagnosed by the surface layer, as of the beginning of the last step.
    Array2 wind_u_10m, wind_v_10m; ///< along the grid, 10 m above the ground [m s-1] (U10, V10)
    Array2 temperature_2m;         ///< 2 m above the ground [K] (T2)
    Array2 vapour_2m;              ///< [kg kg-1] (Q2)
    /// Weight of the air at the ground, water included, as of the beginning of the last step [Pa] (PSFC).
    /// Null where the history has the pressure of its own time.
    Array2 pressure;
    bool has_pressure() const { return pressure.bytes() > 0; }

    int soil_layers = 0;
    Array3 soil_temperature; ///< layer k counted from the surface down [K] (TSLB); null without layers
    LandWaterState land_water;
    /// Whether the run has it.
    bool has_land_water() const { return land_water.moisture.bytes() > 0; }
    CanopyState canopy;
    bool has_canopy() const { return canopy.leaf_temperature.bytes() > 0; }
    SeaState sea;
    bool has_sea() const { return sea.temperature.bytes() > 0; }
    OceanState ocean;
    bool has_ocean() const { return ocean.depth.bytes() > 0; }
    /// Twice the kinetic energy of turbulence [m2 s-2] (QKE), of a boundary layer that keeps it, in layer k
    /// or at the interface below (BoundaryLayerEntry::keeps_turbulence, at_interfaces); 0 before the first
    /// step. Null without.
    Array3 turbulence;
    bool has_turbulence() const { return turbulence.bytes() > 0; }
    EddyState eddies;
    bool has_eddies() const { return eddies.variance.bytes() > 0; }
    SublayerState sublayer;
    bool has_sublayer() const { return sublayer.heat_conductance.bytes() > 0; }
    Array2 turbine_power; ///< of a cell's wind turbines in the last step [W] (POWER); null without any
    bool has_turbines() const { return turbine_power.bytes() > 0; }
};

} // namespace squall
