/// The closure of Mellor and Yamada (1982, Rev. Geophys. 20, 851-875), level 2.5, as Janjic (1990, MWR 118,
/// 1429-1443; 2002, NCEP Office Note 437) solves it: all that it says is a fraction of two polynomials in
/// (l/q)^2, whose coefficients follow from shear squared G_M and stability G_H.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall::myj {

// Of Janjic (2002), from the critical flux Richardson number and free convection.
inline constexpr double a1 = 0.659888514560862645, a2 = 0.6574209922667784586, b1 = 11.87799326209552761,
                        b2 = 7.226971804046074028, c1 = 0.000830955950095854396;
inline constexpr double buoyancy = 9.81 / 273; // of a difference of virtual potential temperature [m s-2 K-1]

inline constexpr real least_energy = real(0.2);  // q^2 [m2 s-2]
inline constexpr real least_length = real(0.32); // l [m]
inline constexpr real least_stability = real(1e-9);

/// a G_M + b G_H.
struct Linear {
    double of_shear, of_stability;
    real operator()(real shear, real stability) const {
        return static_cast<real>(of_shear) * shear + static_cast<real>(of_stability) * stability;
    }
};

// The common denominator of the stability functions, 1 + B (l/q)^2 + A G_H (l/q)^4.
inline constexpr Linear denominator_4{18 * a1 * a1 * a2 * (b2 - 3 * a2) * buoyancy,
                                      9 * a1 *a2 *a2 *(12 * a1 + 3 * b2) * buoyancy *buoyancy};
inline constexpr Linear denominator_2{6 * a1 * a1, 3 * a2 *(7 * a1 + b2) * buoyancy};
// Production, (A G_H (l/q)^4 + B (l/q)^2) over that, is 1/B1 in equilibrium.
inline constexpr double shear_by_heat = 3 * a1 * a2 * (3 * a2 + 3 * b2 * c1 + 18 * a1 * c1 - b2) * buoyancy;
inline constexpr Linear production_4{-shear_by_heat, -9 * a1 *a2 *a2 *buoyancy *buoyancy};
inline constexpr Linear production_2{a1 * (1 - 3 * c1), -a2 *buoyancy};
inline constexpr Linear equilibrium_4{b1 * shear_by_heat + denominator_4.of_shear,
                                      9 * a1 *a2 *a2 *b1 *buoyancy *buoyancy + denominator_4.of_stability};
inline constexpr Linear equilibrium_2{-b1 * production_2.of_shear + denominator_2.of_shear,
                                      -b1 *production_2.of_stability + denominator_2.of_stability};
// S_M and S_H, numerators.
inline constexpr Linear momentum_2{0, -3 * a1 *a2 *(3 * a2 + 3 * b2 * c1 + 12 * a1 * c1 - b2) * buoyancy};
inline constexpr double momentum_0 = a1 * (1 - 3 * c1);
inline constexpr Linear heat_2{18 * a1 * a1 * a2 * c1, 9 * a1 *a2 *a2 *buoyancy};
inline constexpr double heat_0 = a2;

/// G_M / G_H below which stable air is laminar.
inline constexpr double least_ratio = -equilibrium_4.of_stability / equilibrium_4.of_shear;

/// Whether shear cannot keep up turbulence against so much stability.
inline bool laminar(real shear, real stability) {
    const bool stable = stability >= least_stability;
    const bool weak = shear / stability <= static_cast<real>(least_ratio);
    return stable & weak;
}

/// The larger root of x^2 + b x + a = 0.
inline real larger_root(real a, real b) { return real(-0.5) * b + std::sqrt(real(0.25) * b * b - a); }

// Isotropy: w^2 is at least so much of q^2 where the air is stable (Janjic 2002, section 4).
inline constexpr double least_vertical =
    (1 + 1e-7) *
    (18 * least_ratio * a1 * a1 * a2 * b2 * c1 * buoyancy + 9 * a1 * a2 * a2 * b2 * buoyancy * buoyancy) /
    (least_ratio * denominator_4.of_shear + denominator_4.of_stability);
inline constexpr Linear isotropy_4{
    54 * a1 * a1 * a2 * b2 * c1 * buoyancy - 3 * least_vertical * denominator_4.of_shear,
    27 * a1 *a2 *a2 *b2 *buoyancy *buoyancy - 3 * least_vertical *denominator_4.of_stability};
inline constexpr Linear isotropy_2{18 * a1 * a1 * c1 - 3 * least_vertical * denominator_2.of_shear,
                                   (9 * a1 * a2 + 3 * a2 * b2) * buoyancy -
                                       3 * least_vertical *denominator_2.of_stability};
inline constexpr double isotropy_0 = 1 - 3 * least_vertical;

/// The longest l that turbulence of this q^2 has: that of its own equilibrium without production in unstable
/// air, that of least w^2 in stable air [m].
inline real longest(real shear, real stability, real energy) {
    if (laminar(shear, stability)) return least_length;
    real per_square = 0; // (q/l)^2
    if (stability >= least_stability) {
        constexpr auto per = static_cast<real>(1 / isotropy_0);
        per_square =
            larger_root(isotropy_4(shear, stability) * stability * per, isotropy_2(shear, stability) * per);
    } else
        per_square =
            larger_root(denominator_4(shear, stability) * stability, denominator_2(shear, stability)) +
            real(1e-7);
    return std::max(std::sqrt(energy / per_square), least_length);
}

/// Dimensionless diffusivities S of K = l q S.
struct Stability {
    real momentum, heat;
};

inline Stability diffusivities(real shear, real stability, real square) { // square: (l/q)^2
    const real a = denominator_4(shear, stability) * stability, b = denominator_2(shear, stability);
    const real per = 1 / (a * square * square + b * square + 1);
    return {(momentum_2(shear, stability) * square + static_cast<real>(momentum_0)) * per,
            (heat_2(shear, stability) * square + static_cast<real>(heat_0)) * per};
}

inline constexpr auto dissipation = static_cast<real>(1 / b1);
inline constexpr real least_shear_and_stability = real(1e-24);
inline constexpr real least_ratio_of_scales = real(1e-12); // l/q [s]

/// d(l/q)/dt, and its derivative by l/q.
struct Tendency {
    real value, slope;
};

/// Of the polynomials' coefficients; they are taken in q/l where l/q is large, so that no power overflows.
class Balance {
  public:
    Balance(real shear, real stability)
        : a_(production_4(shear, stability) * stability), b_(production_2(shear, stability)),
          c_(denominator_4(shear, stability) * stability), d_(denominator_2(shear, stability)) {}

    Tendency at(real x) const {
        const real s4 = -2 * (a_ * d_ - b_ * c_), s2 = -4 * a_, s0 = -2 * b_;
        const bool large = x > 1;
        const real y = large ? 1 / (x * x) : x * x;
        const real per = 1 / (large ? c_ + (d_ + y) * y : (c_ * y + d_) * y + 1);
        const real produced = large ? a_ + b_ * y : (a_ * y + b_) * y;
        const real steeper = large ? s4 + (s2 + s0 * y) * y : (s4 * y + s2) * y + s0;
        return {dissipation - produced * per, (large ? y / x : x) * steeper * per * per};
    }

  private:
    real a_, b_, c_, d_;
};

/// e^x, of what decays: that of -80 for anything less.
inline real decayed(real x) { return exponential(std::min(std::max(x, real(-80)), real(80))); }

/// l/q after dt of production and dissipation from l/q `before`; 0 where turbulence ends. d(l/q)/dt = 1/B1 -
/// production, which is solved twice with its slope, first around equilibrium, then around what that gave
/// (Janjic 1990, section 3).
inline real produce(real shear, real stability, real before, real dt) {
    const real per_square =
        larger_root(equilibrium_4(shear, stability) * stability, equilibrium_2(shear, stability));
    const bool calm = shear + stability * stability <= least_shear_and_stability;
    const bool still = laminar(shear, stability), none = !(per_square > 0);
    const Balance balance(shear, stability);
    const real equilibrium = std::sqrt(1 / per_square);
    const real first =
        std::max(equilibrium + (before - equilibrium) * decayed(balance.at(equilibrium).slope * dt),
                 least_ratio_of_scales);
    const Tendency t = balance.at(first);
    const real away = t.value / t.slope;
    const real after = first - away + (away + before - first) * decayed(t.slope * dt);
    // Not a number where the slope is none.
    const bool lasts = after > least_ratio_of_scales;
    return (lasts & !(calm | still | none)) ? after : real(0);
}

} // namespace squall::myj
