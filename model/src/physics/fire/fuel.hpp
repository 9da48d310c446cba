/// Fuels, and how fast fire spreads in them.
///
/// Anderson, H. E. (1982): Aids to determining fuel models for estimating fire behavior. USDA Forest Service,
/// INT-122: the 13 categories. Rothermel, R. C. (1972): A mathematical model for predicting fire spread in
/// wildland fuels. USDA Forest Service, INT-115, with the constants of Albini (1976), as in Mandel, Beezley
/// and Kochanski (2011), Geosci. Model Dev. 4, 591-610, section 2.1 and appendix A.
#pragma once

#include <array>

#include "core/real.hpp"
#include "grid/fire_state.hpp"

namespace squall::fire {

inline constexpr int no_fuel = 14;                     ///< the category in which nothing burns
inline constexpr double heat_of_combustion = 17.433e6; ///< of dry fuel [J kg-1]
inline constexpr double water_of_cellulose = 0.56;     ///< mass of water that burning cellulose makes
inline constexpr double latent_heat = 2.5e6;           ///< of that water [J kg-1]

/// One category.
struct Fuel {
    double load;              ///< mass on the ground, water included [kg m-2]
    double depth;             ///< [m]
    double surface_to_volume; ///< of its particles [ft-1], as sources give it
    double extinction;        ///< moisture in which nothing burns
    double weight;            ///< of the curve of mass loss, which falls to 1/e in weight / 0.85 seconds
    bool chaparral;           ///< whose rate of spread follows the wind alone
    std::array<double, moisture_classes> classes; ///< tons per acre of each class (Anderson's table 1)

    double burn_time() const { return weight / 0.85; } ///< to 1/e [s]
    /// Share of the class in the load.
    double share(int of_class) const;
};

/// Of a category, 1 to 14. Throws std::out_of_range.
const Fuel &fuel(int category);

/// Of fuel of some moisture, what its rate of spread needs; zero without fuel.
struct Spread {
    real base;        ///< without wind and slope [m s-1]
    real wind_factor; ///< the wind's share is base x wind_factor x wind^wind_power, of a wind in ft/min
    real wind_power;
    real slope_factor; ///< the slope's is base x slope_factor x slope^2
    real chaparral;    ///< 1: the rate follows the wind alone, base is 0
    real heat; ///< that the front gives off on its way [kJ m-2]; with the rate it makes Byram's intensity
};

/// Rothermel's equations for a category, 1 to 14. `moisture`: mass of water per dry mass.
Spread spread_of(int category, double moisture);

/// Parts of a rate of spread [m s-1].
struct Rate {
    real base, wind, slope;
};

inline constexpr real feet_per_minute = real(196.850); ///< in a metre per second
inline constexpr real fastest_wind = 30;               ///< that Rothermel's wind factor is used for [m s-1]
inline constexpr real fastest_spread = 6;              ///< [m s-1]

} // namespace squall::fire
