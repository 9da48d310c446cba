/// A layer of a batch of columns, as points.
#pragma once

#include "core/loop.hpp"
#include "physics/moist_columns.hpp"
#include "physics/wsm6/reactions.hpp"

namespace squall::wsm6 {

/// Whether there is ice with snow, and graupel; what there is not is 0 and stays so. `Kind`: of the points;
/// it knows the scheme's heats and saturation.
template <bool with_ice, bool with_graupel, class Kind = Point> struct Row {
    Row(const MoistColumns &c, int k)
        : exner(c.exner.row(k)), pressure(c.pressure.row(k)), density(c.density.row(k)),
          theta(c.theta.row(k)), vapour(c.vapour.row(k)), cloud(c.cloud.row(k)), rain(c.rain.row(k)),
          ice(with_ice ? c.ice.row(k) : nullptr), snow(with_ice ? c.snow.row(k) : nullptr),
          graupel(with_graupel ? c.graupel.row(k) : nullptr) {}

    /// Of `room` points in rows one after another: those that do not change, then those that do.
    Row(real *data, int room)
        : exner(data), pressure(data + room), density(data + 2 * room), theta(data + 3 * room),
          vapour(data + 4 * room), cloud(data + 5 * room), rain(data + 6 * room),
          ice(with_ice ? data + 7 * room : nullptr), snow(with_ice ? data + 8 * room : nullptr),
          graupel(with_graupel ? data + 9 * room : nullptr) {}
    static constexpr int rows = 10;

    const real *exner, *pressure, *density;
    real *theta, *vapour, *cloud, *rain, *ice, *snow, *graupel;

    /// Sets what reactions change of point i to that of point n of another row.
    void take(int i, const Row &from, int n) const {
        theta[i] = from.theta[n], vapour[i] = from.vapour[n];
        cloud[i] = from.cloud[n], rain[i] = from.rain[n];
        if constexpr (with_ice) ice[i] = from.ice[n], snow[i] = from.snow[n];
        if constexpr (with_graupel) graupel[i] = from.graupel[n];
    }

    /// All water but vapour.
    real condensate(int i) const {
        real all = cloud[i] + rain[i];
        if constexpr (with_ice) all = all + ice[i] + snow[i];
        if constexpr (with_graupel) all += graupel[i];
        return all;
    }

    Kind point(int i) const {
        Kind x{};
        x.temperature = theta[i] * exner[i], x.pressure = pressure[i], x.density = density[i];
        x.vapour = vapour[i], x.cloud = cloud[i], x.rain = rain[i];
        if constexpr (with_ice) x.ice = ice[i], x.snow = snow[i];
        if constexpr (with_graupel) x.graupel = graupel[i];
        x.set_heats();
        return x;
    }

    /// theta changes by what the temperature does, so that where nothing happens it keeps its bits.
    void set(int i, const Kind &x) const {
        theta[i] += (x.temperature - theta[i] * exner[i]) / exner[i];
        vapour[i] = x.vapour;
        cloud[i] = x.cloud;
        rain[i] = x.rain;
        if constexpr (with_ice) ice[i] = x.ice, snow[i] = x.snow;
        if constexpr (with_graupel) graupel[i] = x.graupel;
    }

    /// What transport left negative is filled up from vapour.
    void fill_up(int n) const {
        int negative = 0;
#pragma omp simd reduction(| : negative)
        for (int i = 0; i < n; ++i) {
            negative |= (vapour[i] < 0) | (cloud[i] < 0) | (rain[i] < 0);
            if constexpr (with_ice) negative |= (ice[i] < 0) | (snow[i] < 0);
            if constexpr (with_graupel) negative |= graupel[i] < 0;
        }
        if (!negative) return;
        for (int i = 0; i < n; ++i) {
            Kind x = point(i);
            wsm6::fill_up(x);
            set(i, x);
        }
    }

    /// Whether there is no water but vapour in the layer, and nowhere too much of it.
    bool at_rest(int n) const {
        int active = 0;
        for (int i = 0; i < n; ++i) {
            active |= !(condensate(i) <= 0);
        }
        if (active) return false;
#pragma omp simd reduction(| : active)
        for (int i = 0; i < n; ++i)
            active |= !(vapour[i] <= Kind::least_saturation(theta[i] * exner[i], pressure[i]));
        return !active;
    }
};

/// Runs react(point, i) on all points of a layer, a Row, unless nothing can happen there. All of a point's
/// processes are in the loop itself, so that it runs on vectors: they are more than compilers put there on
/// their own.
template <class Layer, class React>
[[gnu::flatten]] inline void react_layer(const Layer &row, int n, React react) {
    if (row.at_rest(n)) return;
    for_each_i(0, n, [=](int i) {
        auto x = row.point(i);
        react(x, i);
        row.set(i, x);
    });
}

} // namespace squall::wsm6
