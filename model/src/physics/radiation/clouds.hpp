/// How much of a layer is cloudy, and how large what its clouds are made of is.
#pragma once

namespace squall::radiation {

/// Cloudy part of a layer whose mean air has this condensate [kg kg-1], relative humidity and saturation
/// mixing ratio [kg kg-1] (Xu and Randall 1996, JAS 53, 3084-3102, equation 1).
double cloud_cover(double condensate, double humidity, double saturation);

/// Effective radii [um] by content in cloud [kg m-3].
///
/// Drops: as many per volume as in air of the continents or of the sea (Martin, Johnson and Spice 1994, JAS
/// 51, 1823-1842, equation 11).
double drop_radius(double content, bool over_land);
/// So many per volume [m-3], the cube of their radius by mean volume being `breadth` of their effective
/// one's.
double counted_drop_radius(double content, double number, double breadth);
/// Crystals (Wyser 1998, J. Climate 11, 1793-1802, equations 14 and 42).
double crystal_radius(double content, double temperature);
/// Flakes: spheres of 100 kg m-3 distributed by size as WSM6 has them (Hong, Dudhia and Chen 2004, equations
/// 5 and 6), as ice of the same mass and cross-section.
double flake_radius(double content, double temperature);

/// Effective radii [um] of the Community Atmosphere Model, by temperature [K] (Collins et al. 2004,
/// NCAR/TN-464+STR, section 4.8.4.1), which WRF's RRTMG takes where the microphysics gives none.
///
/// Drops: 14 over water, over land from 8 in warm air to 14 at 20 K below freezing or over snow of 100 kg
/// m-2.
double drop_radius_at(double temperature, bool over_land, double snow_below);
/// Crystals and flakes (Kristjansson, Edwards and Mitchell 2000, JGR 105, 10063-10079).
double crystal_radius_at(double temperature);

} // namespace squall::radiation
