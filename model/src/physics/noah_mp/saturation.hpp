/// Vapour pressure over water above 0 degrees Celsius and over ice below: polynomials of Flatau et al. (1992,
/// J. Appl. Meteorol. 31, 1507), and of their slopes.
#pragma once

#include <algorithm>

#include "physics/noah_mp/column.hpp"

namespace squall::noah_mp {

struct Saturation {
    real pressure; ///< [Pa]
    real slope;    ///< [Pa K-1]
};

/// Of a surface of `temperature` [K]; `frozen`: over ice whatever it is.
inline Saturation saturation(real temperature, bool frozen = false) {
    const real t = std::clamp(temperature - freezing_point, real(-50), real(50));
    if (t > 0 && !frozen)
        return {100 * polynomial(t, real(6.107799961), real(4.436518521e-1), real(1.428945805e-2),
                                 real(2.650648471e-4), real(3.031240396e-6), real(2.034080948e-8),
                                 real(6.136820929e-11)),
                100 * polynomial(t, real(4.438099984e-1), real(2.857002636e-2), real(7.938054040e-4),
                                 real(1.215215065e-5), real(1.036561403e-7), real(3.532421810e-10),
                                 real(-7.090244804e-13))};
    return {100 * polynomial(t, real(6.109177956), real(5.034698970e-1), real(1.886013408e-2),
                             real(4.176223716e-4), real(5.824720280e-6), real(4.838803174e-8),
                             real(1.838826904e-10)),
            100 * polynomial(t, real(5.030305237e-1), real(3.773255020e-2), real(1.267995369e-3),
                             real(2.477563108e-5), real(3.005693132e-7), real(2.158542548e-9),
                             real(7.131097725e-12))};
}

/// Specific humidity of air of this vapour pressure and pressure [Pa].
inline real specific_humidity(real vapour_pressure, real pressure) {
    return real(0.622) * vapour_pressure / (pressure - real(0.378) * vapour_pressure);
}

} // namespace squall::noah_mp
