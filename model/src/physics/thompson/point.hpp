/// A point of a column: what is in the air, and its size distributions.
#pragma once

#include <array>
#include <cmath>

#include "physics/thompson/air.hpp"
#include "physics/thompson/distributions.hpp"

namespace squall::thompson {

/// Mixing ratios [kg kg-1] and numbers [kg-1] per mass of dry air.
struct Point {
    double temperature, pressure;
    double vapour, cloud, rain, ice, snow, graupel;
    double rain_number, ice_number, droplet_number;
    double water_friendly = 0, ice_friendly = 0; ///< aerosols [kg-1], where they are counted

    double celsius() const { return temperature - t0; }
};

/// Whether droplets and aerosols are counted, or droplets as many everywhere (`droplets`).
enum class Counted { no, yes };

/// Moments of snow that growth depends on; 0 where there is none.
struct Snow {
    double number = 0, first = 0, second = 0, third = 0; ///< moments 0 to 3
    double swept = 0;                                    ///< the one that collection depends on
    double ventilated = 0;                               ///< the one that ventilation depends on
    double diameter = 0;                                 ///< mean by mass [m]

    double
    in_distribution() const; ///< number that the distribution itself has, not the fit of its moments [m-3]
};

/// Points that are looked at together: a loop over so many doubles runs on all lanes.
inline constexpr int points_at_once = 8;
using Lanes = std::array<double, points_at_once>;

/// Contents [kg m-3] and what the rates depend on. A content is `least` where there is none.
struct Contents {
    Contents() = default;
    explicit Contents(const Point &x, Counted counted = Counted::no);

    double density, cloud, rain, ice, snow, graupel;
    bool has_cloud, has_rain, has_ice, has_snow, has_graupel;
    double droplet_number;               ///< [m-3]
    double water_friendly, ice_friendly; ///< aerosols within their bounds [m-3]
    Exponential rain_sizes, ice_sizes, graupel_sizes;
    double over_water, over_ice;     ///< saturation mixing ratios
    double excess_water, excess_ice; ///< vapour over them, less 1
    double latent_heat;              ///< of vaporisation [J kg-1]
    Transfer air;
    double by_vapour; ///< the factor of this name, of sublimation
    Snow flakes;
};

/// Of the first n of points_at_once points, n > 0.
void find_contents(const std::array<const Point *, points_at_once> &points, int n, Counted counted,
                   std::array<Contents, points_at_once> &contents);

} // namespace squall::thompson
