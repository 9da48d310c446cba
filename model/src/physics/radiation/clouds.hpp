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
/// Crystals (Wyser 1998, J. Climate 11, 1793-1802, equations 14 and 42).
double crystal_radius(double content, double temperature);
/// Flakes: spheres of 100 kg m-3 distributed by size as WSM6 has them (Hong, Dudhia and Chen 2004, equations
/// 5 and 6), as ice of the same mass and cross-section.
double flake_radius(double content, double temperature);

} // namespace squall::radiation
