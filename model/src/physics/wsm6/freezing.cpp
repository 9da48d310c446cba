#include <algorithm>
#include <cmath>

#include "physics/wsm6/processes.hpp"

namespace squall::wsm6 {
namespace {

constexpr real coldest_drops = 40; ///< below freezing [K]

/// exp(0.66 (T0 - T)) - 1, the probability of freezing (Bigg 1953), bounded where all freezes.
real bigg(real cold) { return std::exp(real(0.66) * std::min(cold, real(50))) - 1; }

/// [pihtf] HL06 equation A44.
real frozen_cloud(const Cloudy &c, real dt) {
    const real q = c.x.q[Water::cloud];
    return 100 * bigg(c.air.cold) * c.x.density / rho_water / droplets * q * q * dt;
}

/// [pgfrz] LFO83 equation 45.
real frozen_rain(const Cloudy &c, real dt) {
    const real volume = c.rain.l3 * c.rain.n0;
    return 20 * pi * pi * 100 * rho_water / c.x.density * bigg(c.air.cold) * volume * c.rain.l3 * c.rain.l1 *
           dt;
}

/// [psmlt, pgmlt] LFO83 equations 32 and 47 without the vapour that condenses on melting particles.
real melted(const Cloudy &c, real ventilated, real dt) {
    return c.air.conductivity / (l_f * c.x.density) * -c.air.cold * ventilated * dt;
}

/// What freezing or melting may still do before the air is at the melting point.
class Heat {
  public:
    explicit Heat(real cold) : left_(heat_capacity * std::abs(cold) / l_f) {}
    real take(real wanted, real there) {
        const real amount = std::min({wanted, there, left_});
        left_ -= amount;
        return amount;
    }

  private:
    real left_; ///< [kg kg-1]
};

void freeze(const Cloudy &c, real dt, Exchange &e) {
    Heat heat(c.air.cold);
    const real cloud = c.x.q[Water::cloud], rain = c.x.q[Water::rain];
    if (c.air.cold > coldest_drops) // [pihmf]
        e.move(Water::cloud, Water::ice, cloud);
    else if (cloud > 0)
        e.move(Water::cloud, Water::ice, heat.take(frozen_cloud(c, dt), cloud));
    if (c.rain.any()) e.move(Water::rain, Water::graupel, heat.take(frozen_rain(c, dt), rain));
}

void melt(const Cloudy &c, real dt, Exchange &e) {
    Heat heat(c.air.cold);
    const Mixture &q = c.x.q;
    if (q[Water::ice] > 0) // [pimlt]
        e.move(Water::ice, Water::cloud, heat.take(q[Water::ice], q[Water::ice]));
    if (c.snow.any())
        e.move(Water::snow, Water::rain,
               heat.take(melted(c, ventilated_snow(c.snow, c.air), dt), q[Water::snow]));
    if (c.graupel.any())
        e.move(Water::graupel, Water::rain,
               heat.take(melted(c, ventilated_graupel(c.graupel, c.air), dt), q[Water::graupel]));
}

} // namespace

void freeze_and_melt(const Cloudy &c, real dt, Exchange &e) {
    if (c.freezing)
        freeze(c, dt, e);
    else
        melt(c, dt, e);
}

} // namespace squall::wsm6
