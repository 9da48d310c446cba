/// Aerosols: water-friendly, on which droplets form, and ice-friendly, dust, on which crystals do (Thompson
/// and Eidhammer 2014, J. Atmos. Sci. 71, 3636-3658: TE14).
#pragma once

#include <algorithm>

namespace squall::thompson {

// What there is at least and at most [m-3].
inline constexpr double least_water_friendly = 11.1e6, least_ice_friendly = 0.005e6, most_aerosol = 9999e6;
inline constexpr double water_friendly_size = 0.04e-6, ice_friendly_size = 0.8e-6; ///< diameters [m]

inline double bounded_aerosol(double number, double fewest) {
    return std::clamp(number, fewest, most_aerosol);
}

/// What collects them.
struct Collector {
    double diameter, speed; ///< [m], [m s-1]
};

/// What part of the aerosol of a diameter [m] in its way a collector takes up: by diffusion, interception and
/// inertia (Slinn 1983; Wang, Zhang and Moran 2010, ACP 10, 5685-5705, equation 6).
double collection_efficiency(const Collector &collector, double aerosol, double temperature, double density,
                             double viscosity);

/// Nuclei of deposition and freezing [m-3] among ice-friendly aerosol [m-3] (DeMott et al. 2010, PNAS 107,
/// 11217-11222, equation 1). `density`: of the air [kg m-3].
double ice_nuclei(double celsius, double density, double ice_friendly);

/// Water-friendly aerosol [m-3] that has taken up water and freezes in dt seconds without nuclei, of `number`
/// [m-3], at a relative humidity of water (Koop et al. 2000, Nature 406, 611-614), a hundredth as fast.
double frozen_haze(double temperature, double humidity, double number, double dt);

/// Aerosol of air that nothing else is known of, by height above the ground and the ground's [m]: less above
/// some hundred metres, above mountains from the ground on [kg-1].
double usual_water_friendly(double height, double ground);
double usual_ice_friendly(double height, double ground);

/// What the ground gives to its lowest layer of this depth [m] and water-friendly aerosol [kg-1], which holds
/// up the latter [kg-1 s-1].
double usual_source(double water_friendly, double depth);

} // namespace squall::thompson
