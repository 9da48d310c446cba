#include "physics/kain_fritsch/parcel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace squall::kain_fritsch {
namespace {

constexpr real a = real(17.67), b = real(17.67 * 273.15), c = real(29.65); // Bolton's equation 10
constexpr real e0 = real(611.2), epsilon = real(0.622);

/// The logarithm that WRF's scheme looks up: straight between points of a table. In dry air the dew point is
/// some tenths of a kelvin off by that, which decides about shallow clouds.
real tabled_logarithm(real x) {
    constexpr real first = real(1e-3), step = real(0.075);
    const real low = first + step * std::floor((x - first) / step);
    const real share = (x - low) / step;
    return share * std::log(low + step) + (1 - share) * std::log(low);
}

} // namespace

real saturation_pressure(real t) { return e0 * std::exp((a * t - b) / (t - c)); }

real saturation(real t, real p) {
    const real e = std::min(saturation_pressure(t), real(0.99) * p);
    return epsilon * e / (p - e);
}

real saturation_growth(real t) { return (b - a * c) / ((t - c) * (t - c)); }

real theta_factor(real p, real q) { return std::pow(real(1e5) / p, real(0.2854) * (1 - real(0.28) * q)); }

real saturation_temperature(real p, real t, real q) {
    const real logarithm = tabled_logarithm(std::max(q * p / (epsilon + q) / e0, real(1e-3)));
    const real dew = (b - c * logarithm) / (a - logarithm);
    return dew - (real(0.212) + real(1.571e-3) * (dew - melting) - real(4.36e-4) * (t - melting)) * (t - dew);
}

real equivalent(real p, real t, real q, real saturated) {
    return t * theta_factor(p, q) *
           std::exp((real(3374.6525) / saturated - real(2.5403)) * q * (1 + real(0.81) * q));
}

real equivalent(real p, real t, real q) { return equivalent(p, t, q, saturation_temperature(p, t, q)); }

namespace {

Saturated solve_saturated(real p, real theta_e) {
    constexpr int most = 15;
    // From air that is as warm as if all its heat were sensible, or a bound, downwards.
    real t = std::min(theta_e / theta_factor(p, 0), real(320)), q = 0;
    for (int n = 0; n < most; ++n) {
        q = saturation(t, p);
        const real here = equivalent(p, t, q, t);
        const real slope = 1 / t + real(3374.6525) / t * q * saturation_growth(t);
        const real step = std::clamp(std::log(here / theta_e) / slope, real(-15), real(15));
        t -= step;
        if (std::abs(step) < real(1e-3)) break;
    }
    return {t, saturation(t, p)};
}

/// Saturated air by pressure and by equivalent potential temperature from that of 150 K on: WRF's table,
/// which is three times as fast as to solve, and decides as WRF's about clouds that hardly rise.
class Table {
  public:
    Table() : least_(pressures), air_(static_cast<std::size_t>(pressures) * thetas) {
        for (int n = 0; n < pressures; ++n) {
            const real p = top + static_cast<real>(n) * step;
            least_[index(n)] = equivalent(p, coldest, saturation(coldest, p), coldest);
            for (int m = 0; m < thetas; ++m)
                air_[index(n) * thetas + index(m)] =
                    solve_saturated(p, least_[index(n)] + static_cast<real>(m));
        }
    }

    Saturated at(real p, real theta_e) const {
        const real x = (p - top) / step;
        const int n = static_cast<int>(x);
        if (x < 0 || n + 1 >= pressures) return solve_saturated(p, theta_e);
        const real share = x - static_cast<real>(n);
        const real y = theta_e - (least_[index(n)] + (least_[index(n + 1)] - least_[index(n)]) * share);
        const int m = static_cast<int>(y);
        if (y < 0 || m + 1 >= thetas) return solve_saturated(p, theta_e);
        const real rest = y - static_cast<real>(m);
        const auto between = [&](real Saturated::*of) {
            const auto value = [&](int up, int on) {
                return air_[index(n + up) * thetas + index(m + on)].*of;
            };
            const real low = value(0, 0), warm = value(0, 1), high = value(1, 0), both = value(1, 1);
            return low + (warm - low) * rest + (high - low) * share +
                   (low - warm - high + both) * rest * share;
        };
        return {between(&Saturated::temperature), between(&Saturated::vapour)};
    }

  private:
    static constexpr int pressures = 220, thetas = 250;
    static constexpr real top = 5000, step = real(105000) / (pressures - 1), coldest = 150; // [Pa], [K]
    static std::size_t index(int n) { return static_cast<std::size_t>(n); }

    std::vector<real> least_;
    std::vector<Saturated> air_;
};

} // namespace

Saturated saturated_air(real p, real theta_e) {
    static const Table table;
    return table.at(p, theta_e);
}

real saturate(real p, real theta_e, Parcel &parcel) {
    const Saturated s = saturated_air(p, theta_e);
    parcel.temperature = s.temperature;
    const real lacking = s.vapour - parcel.vapour;
    if (lacking <= 0) {
        parcel.vapour = s.vapour;
        return -lacking;
    }
    const real condensate = parcel.liquid + parcel.ice;
    if (condensate >= lacking) {
        const real share = lacking / (condensate + real(1e-10));
        parcel.liquid -= share * parcel.liquid;
        parcel.ice -= share * parcel.ice;
        parcel.vapour = s.vapour;
        return 0;
    }
    // All evaporates, and it stays drier and so warmer than saturated.
    const real still = lacking - condensate;
    parcel.temperature += vaporisation(s.temperature) * (still / (1 + still)) /
                          (real(1004.5) * (1 + real(0.89) * parcel.vapour));
    parcel.vapour += condensate;
    parcel.liquid = parcel.ice = 0;
    return 0;
}

real freeze(real p, real water, Parcel &parcel) {
    const real off = parcel.temperature - melting;
    const real of_vapour = real(2.5e6) - real(2369.276) * off, of_ice = real(2833922) - real(259.532) * off;
    const real capacity = real(1004.5) * (1 + real(0.89) * parcel.vapour);
    parcel.temperature += (of_ice - of_vapour) * water /
                          (capacity + of_ice * parcel.vapour * saturation_growth(parcel.temperature));
    const real vapour = saturation(parcel.temperature, p);
    parcel.ice -= vapour - parcel.vapour;
    parcel.vapour = vapour;
    return equivalent(p, parcel.temperature, vapour, parcel.temperature);
}

} // namespace squall::kain_fritsch
