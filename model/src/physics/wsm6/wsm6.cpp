#include "physics/wsm6/wsm6.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "physics/wsm6/processes.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall {
namespace wsm6 {

Cloudy cloudy(const Point &x) {
    return {.x = x,
            .air = air_of(x),
            .rain = rain_of(x.q[Water::rain], x.density),
            .snow = snow_of(x.q[Water::snow], x.density, x.temperature),
            .graupel = graupel_of(x.q[Water::graupel], x.density),
            .ice = ice_of(x.q[Water::ice], x.density),
            .freezing = x.temperature < t0};
}

namespace {

/// What transport left negative is filled up from vapour.
void fill_up(Point &x) {
    if (*std::min_element(x.q.q.begin(), x.q.q.end()) >= 0) return;
    Exchange debts;
    for (const Water w : {Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel}) {
        debts.move(Water::vapour, w, -x.q[w]);
    }
    debts.apply(x);
    for (real &q : x.q.q) q = std::max(q, real(0));
}

bool at_rest(const Point &x) {
    if (x.q.condensate() > 0) return false;
    const real qs = x.temperature < t0 ? saturation_over_ice(x.temperature, x.pressure)
                                       : saturation_over_water(x.temperature, x.pressure);
    return x.q[Water::vapour] <= qs;
}

void react(Point &x, real dt) {
    if (at_rest(x)) return;
    if (x.q.condensate() > 0) {
        Exchange phase;
        freeze_and_melt(cloudy(x), dt, phase);
        phase.apply(x);
    }
    Exchange growth, cloud;
    const Cloudy c = cloudy(x);
    convert(c, dt, growth);
    collect(c, dt, growth);
    exchange_vapour(c, dt, growth);
    growth.apply(x);
    adjust_cloud(x, cloud);
    cloud.apply(x);
}

class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz) {
        for (std::vector<real> *profile : {&air_.temperature, &air_.density, &air_.mass, &air_.depth})
            profile->resize(static_cast<std::size_t>(nz));
    }

    void advance(const MoistColumns &c) override {
        const int steps = std::max(1, static_cast<int>(std::lround(c.dt / longest_step)));
        const real dt = c.dt / static_cast<real>(steps);
        at_every_point(c, fill_up);
        for (int n = 0; n < steps; ++n) {
            for (int i = 0; i < c.n; ++i) fall(c, i, dt);
            at_every_point(c, [dt](Point &x) { react(x, dt); });
        }
    }

  private:
    template <class F> static void at_every_point(const MoistColumns &c, F change) {
        for (int k = 0; k < c.nz; ++k)
            for (int i = 0; i < c.n; ++i) at_point(c, i, k, change);
    }

    /// Does `change` to a point; theta changes by what the temperature does, so that where nothing
    /// happens it keeps its bits.
    template <class F> static void at_point(const MoistColumns &c, int i, int k, F change) {
        const real before = c.theta(i, k) * c.exner(i, k);
        Point x{before,
                c.pressure(i, k),
                c.density(i, k),
                {{c.vapour(i, k), c.cloud(i, k), c.rain(i, k), c.ice(i, k), c.snow(i, k), c.graupel(i, k)}}};
        change(x);
        c.theta(i, k) += (x.temperature - before) / c.exner(i, k);
        c.vapour(i, k) = x.q[Water::vapour];
        c.cloud(i, k) = x.q[Water::cloud];
        c.rain(i, k) = x.q[Water::rain];
        c.ice(i, k) = x.q[Water::ice];
        c.snow(i, k) = x.q[Water::snow];
        c.graupel(i, k) = x.q[Water::graupel];
    }

    void fall(const MoistColumns &c, int i, real dt) {
        for (int k = 0; k < c.nz; ++k) {
            air_.temperature[k] = c.theta(i, k) * c.exner(i, k);
            air_.density[k] = c.density(i, k);
            air_.mass[k] = c.mass(i, k);
            air_.depth[k] = c.depth(i, k);
        }
        const real rain = sedimentation_.fall(Water::rain, air_, c.rain, i, dt);
        const real snow = sedimentation_.fall(Water::snow, air_, c.snow, i, dt) +
                          sedimentation_.fall(Water::ice, air_, c.ice, i, dt);
        const real graupel = sedimentation_.fall(Water::graupel, air_, c.graupel, i, dt);
        c.rain_sum[i] += rain + snow + graupel;
        c.snow_sum[i] += snow;
        c.graupel_sum[i] += graupel;
    }

    Sedimentation sedimentation_;
    ColumnAir air_;
};

} // namespace
} // namespace wsm6

MicrophysicsEntry wsm6_scheme() {
    return {"six classes of water with ice, Hong and Lim (2006)",
            {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
            [](int nz) { return std::make_unique<wsm6::Scheme>(nz); }};
}

} // namespace squall
