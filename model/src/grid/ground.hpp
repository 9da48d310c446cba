/// What is below the air, and what is known of each column for all time.
#pragma once

#include "core/array.hpp"
#include "grid/subgrid_orography.hpp"

namespace squall {

/// Of land that keeps account of its water and snow (LandEntry::water): numbers of classes, and what the
/// season does. Empty in a run without.
struct LandCover {
    LandCover() = default;
    explicit LandCover(Shape s)
        : vegetation(s), soil(s), green(s), least_green(s), most_green(s), deep_temperature(s),
          snow_albedo(s), ice(s) {}

    Array2 vegetation;              ///< row of noah::vegetation (IVGTYP)
    Array2 soil;                    ///< class of noah::soil (ISLTYP)
    Array2 green;                   ///< share under green leaves, 0 to 1 (VEGFRA)
    Array2 least_green, most_green; ///< in the year (SHDMIN, SHDMAX)
    Array2 deep_temperature;        ///< of the deep ground [K] (TMN)
    Array2 snow_albedo;             ///< of deep snow (SNOALB)
    Array2 ice;                     ///< noah::Ice
};

/// What hills within cells and the form of the terrain do to the wind near the ground. Empty in a run without
/// physics.terrain_wind.
struct TerrainWind {
    TerrainWind() = default;
    explicit TerrainWind(Shape s) : hills(s), drag(s), shelter(s) {}

    Array2 hills;   ///< in a cell, as its scheme wants them: variance of height [m2] (VAR_SSO), or its root
    Array2 drag;    ///< by which the drag of the ground is multiplied
    Array2 shelter; ///< of the wind at 10 m, what the surface layer finds; the rest is the lowest layer's
};

/// Constant in time; owned columns. But for the orography empty in a run without boundary layer and
/// radiation.
struct Ground {
    Ground() = default;
    explicit Ground(Shape s)
        : temperature(s), wetness(s), land(s), thermal_inertia(s), snow_cover(s), albedo(s), emissivity(s) {}

    Array2 temperature;     ///< of the surface; where a surface layer is, at the start [K]
    Array2 wetness;         ///< evaporation over that of open water: 1 on water, 0 on dry ground
    Array2 land;            ///< 1 on land and on sea ice, 0 on water
    Array2 thermal_inertia; ///< of soil [cal cm-2 K-1 s-1/2]
    Array2 snow_cover;      ///< 0 to 1
    Array2 albedo;          ///< of sunlight, for radiation without a surface layer
    Array2 emissivity;      ///< of thermal radiation, likewise
    LandCover cover;
    SubgridOrography orography;
    TerrainWind terrain_wind;
    /// What the ground gives to the lowest layer of aerosols on which droplets form [kg-1 s-1] (QNWFA2D);
    /// below 0: as much as usual. Empty where the air carries none.
    Array2 aerosol_source;
    Array2 aerosol; ///< optical depth at 550 nm of what floats above; empty without physics.aerosol_file
};

} // namespace squall
