#include "physics/wsm6/wsm6.hpp"

#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/wsm6/reactions.hpp"
#include "physics/wsm6/sedimentation.hpp"

namespace squall {
namespace wsm6 {
namespace {

/// A layer of a batch.
struct Row {
    explicit Row(const MoistColumns &c, int k)
        : exner(c.exner.row(k)), pressure(c.pressure.row(k)), density(c.density.row(k)),
          theta(c.theta.row(k)), vapour(c.vapour.row(k)), cloud(c.cloud.row(k)), rain(c.rain.row(k)),
          ice(c.ice.row(k)), snow(c.snow.row(k)), graupel(c.graupel.row(k)) {}

    const real *exner, *pressure, *density;
    real *theta, *vapour, *cloud, *rain, *ice, *snow, *graupel;

    Point point(int i) const {
        const real temperature = theta[i] * exner[i];
        return {temperature,
                pressure[i],
                density[i],
                vapour[i],
                cloud[i],
                rain[i],
                ice[i],
                snow[i],
                graupel[i],
                heat_capacity_of(vapour[i]),
                vaporisation(temperature)};
    }

    /// theta changes by what the temperature does, so that where nothing happens it keeps its bits.
    void set(int i, const Point &x) const {
        theta[i] += (x.temperature - theta[i] * exner[i]) / exner[i];
        vapour[i] = x.vapour;
        cloud[i] = x.cloud;
        rain[i] = x.rain;
        ice[i] = x.ice;
        snow[i] = x.snow;
        graupel[i] = x.graupel;
    }
};

/// What transport left negative is filled up from vapour.
void fill_up(const Row &row, int n) {
    int negative = 0;
#pragma omp simd reduction(| : negative)
    for (int i = 0; i < n; ++i)
        negative |= (row.vapour[i] < 0) | (row.cloud[i] < 0) | (row.rain[i] < 0) | (row.ice[i] < 0) |
                    (row.snow[i] < 0) | (row.graupel[i] < 0);
    if (!negative) return;
    for (int i = 0; i < n; ++i) {
        Point x = row.point(i);
        fill_up(x);
        row.set(i, x);
    }
}

/// Whether there is no water but vapour in a layer, and nowhere too much of it.
bool at_rest(const Row &row, int n) {
    int active = 0;
    for (int i = 0; i < n; ++i)
        active |= !(row.cloud[i] + row.rain[i] + row.ice[i] + row.snow[i] + row.graupel[i] <= 0);
    if (active) return false;
#pragma omp simd reduction(| : active)
    for (int i = 0; i < n; ++i) {
        const Saturation qs = saturation(row.theta[i] * row.exner[i], row.pressure[i]);
        active |= !(row.vapour[i] <= std::min(qs.water, qs.ice));
    }
    return !active;
}

class Scheme final : public MicrophysicsScheme {
  public:
    explicit Scheme(int nz) : sedimentation_(nz) {}

    void advance(const MoistColumns &c) override {
        const int steps = parts_of_step(c.dt, longest_step);
        const real dt = c.dt / static_cast<real>(steps);
        for (int k = 0; k < c.nz; ++k) fill_up(Row(c, k), c.n);
        for (int n = 0; n < steps; ++n) {
            sedimentation_.fall(c, dt);
            for (int k = 0; k < c.nz; ++k)
                c.as_wrf ? react_layer<true>(Row(c, k), c.n, dt) : react_layer<false>(Row(c, k), c.n, dt);
        }
    }

  private:
    /// All of a point's processes in the loop itself, so that it runs on vectors: they are more than
    /// compilers put there on their own.
    template <bool as_wrf> [[gnu::flatten]] static void react_layer(const Row &row, int n, real dt) {
        if (at_rest(row, n)) return;
        for_each_i(0, n, [=](int i) {
            Point x = row.point(i);
            react<as_wrf>(x, dt);
            row.set(i, x);
        });
    }

    Sedimentation sedimentation_;
};

} // namespace
} // namespace wsm6

MicrophysicsEntry wsm6_scheme() {
    return {"six classes of water with ice, Hong and Lim (2006)",
            {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
            [](int nz) { return std::make_unique<wsm6::Scheme>(nz); },
            {},
            wsm6::longest_step};
}

} // namespace squall
