#include <algorithm>
#include <cmath>

#include "physics/wsm6/processes.hpp"

namespace squall::wsm6 {
namespace {

/// The vapour that may be taken out of (positive) or put into (negative) the air until it is
/// saturated, shared by processes in turn.
class Excess {
  public:
    explicit Excess(real amount) : left_(amount) {}
    real left() const { return left_; }

    /// As much of `wanted` as there is, and not more than `there` out of a species.
    real take(real wanted, real there) {
        const real bounded = std::clamp(wanted, std::min(left_, real(0)), std::max(left_, real(0)));
        const real amount = std::max(bounded, -there);
        left_ -= amount;
        return amount;
    }

  private:
    real left_;
};

/// [prevp] LFO83 equation 52.
void evaporate_rain(const Cloudy &c, real dt, Exchange &e, Excess &excess) {
    if (!c.rain.any()) return;
    const real s = c.x.q[Water::vapour] / c.air.qs_water - 1;
    const real rate = s * ventilated_rain(c.rain, c.air) / c.air.resistance_water;
    e.swap(Water::vapour, Water::rain, excess.take(rate * dt, c.x.q[Water::rain]));
}

/// [pidep, psdep, pgdep] HDC04 equations 9 and 14, LFO83 equation 46. Snow is of plates, whose
/// capacity is 2 / pi of a sphere's.
void deposit(const Cloudy &c, real dt, Exchange &e, Excess &excess) {
    const real drive = (c.x.q[Water::vapour] / c.air.qs_ice - 1) / c.air.resistance_ice * dt;
    const auto grow = [&](Water w, real conductance) {
        e.swap(Water::vapour, w, excess.take(drive * conductance, c.x.q[w]));
    };
    if (c.ice.number > 0) grow(Water::ice, 4 * c.ice.diameter * c.ice.number);
    if (c.snow.any()) grow(Water::snow, 2 / pi * ventilated_snow(c.snow, c.air));
    if (c.graupel.any()) grow(Water::graupel, ventilated_graupel(c.graupel, c.air));
}

/// [pigen] HDC04 equations 7 and 8: crystals up to the number of active nuclei.
void nucleate(const Cloudy &c, Exchange &e, Excess &excess) {
    if (excess.left() <= 0) return;
    const real nuclei = real(1e3) * std::exp(real(0.1) * c.air.cold);
    const real q = real(4.92e-11) * std::pow(nuclei, real(1.33)) / c.x.density;
    const real missing = std::max(q - c.x.q[Water::ice], real(0));
    e.move(Water::vapour, Water::ice, excess.take(missing, 0));
}

/// [psevp, pgevp] HL06 equations A35 and A25: melting particles are wet and evaporate as water does.
void evaporate_melting(const Cloudy &c, real dt, Exchange &e, Excess &excess) {
    const real s = std::min(c.x.q[Water::vapour] / c.air.qs_water - 1, real(0));
    const real drive = s / c.air.resistance_water * dt;
    if (c.snow.any())
        e.swap(Water::vapour, Water::snow,
               excess.take(drive * 2 / pi * ventilated_snow(c.snow, c.air), c.x.q[Water::snow]));
    if (c.graupel.any())
        e.swap(Water::vapour, Water::graupel,
               excess.take(drive * ventilated_graupel(c.graupel, c.air), c.x.q[Water::graupel]));
}

} // namespace

void exchange_vapour(const Cloudy &c, real dt, Exchange &e) {
    const real vapour = c.x.q[Water::vapour];
    Excess over_water(adjustable(vapour, c.air.qs_water, l_v, c.x.temperature));
    evaporate_rain(c, dt, e, over_water);
    if (!c.freezing) {
        evaporate_melting(c, dt, e, over_water);
        return;
    }
    Excess over_ice(adjustable(vapour, c.air.qs_ice, l_s, c.x.temperature));
    deposit(c, dt, e, over_ice);
    nucleate(c, e, over_ice);
}

void adjust_cloud(const Point &x, Exchange &e) {
    const real qs = saturation_over_water(x.temperature, x.pressure);
    const real excess = adjustable(x.q[Water::vapour], qs, l_v, x.temperature);
    e.swap(Water::vapour, Water::cloud, std::max(excess, -x.q[Water::cloud]));
}

} // namespace squall::wsm6
