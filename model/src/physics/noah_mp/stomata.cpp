#include "physics/noah_mp/stomata.hpp"

#include <algorithm>
#include <cmath>

namespace squall::noah_mp {
namespace {

constexpr real carbon_dioxide = real(395e-6), oxygen = real(0.209); // share of the air

real per_ten_kelvin(real factor, real celsius) { return std::pow(factor, (celsius - 25) / 10); }

/// Of enzymes that heat destroys.
real inhibition(real celsius) {
    const real t = celsius + real(273.16);
    return 1 + std::exp((real(-2.2e5) + 710 * t) / (real(8.314) * t));
}

/// Of C3 plants [umol m-2 s-1], pressures [Pa].
struct Photosynthesis {
    real light, carboxylation; ///< greatest rates
    real compensation, half;   ///< pressures of CO2: none is taken up, and half of what enzymes could

    real rate(real within) const {
        const real more = std::max(within - compensation, real(0));
        return std::min({more * light / (within + 2 * compensation), more * carboxylation / (within + half),
                         real(0.5) * carboxylation});
    }
};

Photosynthesis photosynthesis(const Vegetation &v, const LeafClimate &l) {
    const real celsius = l.temperature - freezing_point, o2 = oxygen * l.pressure;
    const real for_carbon = 30 * per_ten_kelvin(real(2.1), celsius),
               for_oxygen = real(3e4) * per_ten_kelvin(real(1.2), celsius);
    const real fed = std::min(1 / std::max(tiny, v.nitrogen), real(1));
    return {real(4.6) * l.light * v.quantum_yield,
            v.carboxylation / inhibition(celsius) * fed * l.moist * per_ten_kelvin(real(2.4), celsius),
            real(0.5) * for_carbon / for_oxygen * o2 * real(0.21), for_carbon * (1 + o2 / for_oxygen)};
}

/// The larger root of a x^2 + b x + c.
real larger_root(real a, real b, real c) {
    const real root = std::sqrt(b * b - 4 * a * c);
    const real q = real(-0.5) * (b >= 0 ? b + root : b - root);
    return std::max(q / a, c / q);
}

} // namespace

real stomatal_resistance(const Vegetation &v, const LeafClimate &l) {
    const real per_mole =
        l.pressure / (real(8.314) * l.air_temperature) * real(1e6); // s m-1 over s m2 umol-1
    if (l.light <= 0) return per_mole / v.least_conductance;
    const Photosynthesis p = photosynthesis(v, l);
    const real around = l.resistance / per_mole, co2 = carbon_dioxide * l.pressure;
    const real humid = std::max(real(0.25) * l.saturation, std::min(l.vapour_pressure, l.saturation));
    real within = real(0.7) * co2, resistance = 0;
    for (int n = 0; n < 3; ++n) {
        const real taken = l.growing ? p.rate(within) * l.pressure : real(0);
        const real at_leaf = std::max(co2 - real(1.37) * around * taken, tiny);
        const real open = v.ball_berry * taken / at_leaf;
        resistance = larger_root(open * humid / l.saturation + v.least_conductance,
                                 (open + v.least_conductance) * around - 1, -around);
        within = std::max(at_leaf - taken * real(1.65) * resistance, real(0));
    }
    return resistance * per_mole;
}

} // namespace squall::noah_mp
