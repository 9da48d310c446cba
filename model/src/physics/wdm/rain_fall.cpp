#include "physics/wdm/rain_fall.hpp"

#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/wdm/drops.hpp"

namespace squall::wdm {

RainFall::RainFall(int nz, const Scratch &scratch)
    : speed_(scratch_field(scratch, 0, nz)), number_speed_(scratch_field(scratch, 1, nz)) {
    int n = fields * nz;
    for (real **row : {&part_, &parts_, &fallen_, &number_}) *row = scratch.row(n++, 0);
}

void RainFall::fall(const MoistColumns &c, real dt) {
    const int levels = levels_of(c);
    for (int k = 0; k < levels; ++k) set_speeds(c, k);
    const int most = set_parts(c, levels, dt);
    for (int n = 1; levels > 0 && n <= most; ++n) {
        for_each_i(0, c.n, [fallen = fallen_, number = number_](int i) { fallen[i] = number[i] = 0; });
        for (int k = levels - 1; k >= 0; --k) fall_through(c, k, n, levels, dt);
        for_each_i(0, c.n, [sum = c.rain_sum, fallen = fallen_, parts = parts_, n](int i) {
            sum[i] += real(n) <= parts[i] ? fallen[i] : real(0);
        });
        for (int k = 0; k < levels; ++k) set_speeds(c, k);
    }
}

/// How many layers from the ground up have to do with the fall. 0: there is no rain.
int RainFall::levels_of(const MoistColumns &c) const {
    for (int k = c.nz - 1; k >= 0; --k)
        for (int i = 0; i < c.n; ++i)
            if (!(c.rain(i, k) <= 0) || !(c.rain_number(i, k) <= 0)) return k + 1;
    return 0;
}

void RainFall::set_speeds(const MoistColumns &c, int k) {
    for_each_i(0, c.n,
               [speed = speed_.row(k), number_speed = number_speed_.row(k), q = c.rain.row(k),
                number = c.rain_number.row(k), rho = c.density.row(k), dz = c.depth.row(k),
                as_wrf = c.as_wrf](int i) {
                   const real in_volume = as_wrf ? number[i] : number[i] * rho[i];
                   const Drops d = drops_of(q[i], rho[i], in_volume, std::sqrt(wsm6::rho0 / rho[i]));
                   speed[i] = d.speed / dz[i];
                   number_speed[i] = d.number_speed / dz[i];
               });
}

/// Sets in how many parts each column's rain falls; the most.
int RainFall::set_parts(const MoistColumns &c, int levels, real dt) {
    constexpr real most_parts = 1000; // a run that has blown up must get to its end
    for_each_i(0, c.n, [parts = parts_](int i) { parts[i] = 1; });
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n,
                   [=, parts = parts_, speed = speed_.row(k), number_speed = number_speed_.row(k)](int i) {
                       const real layers = std::max(speed[i], number_speed[i]) * dt;
                       parts[i] = std::max(parts[i], std::floor(std::min(layers, most_parts) + 1));
                   });
    real most = 1;
    for (int i = 0; i < c.n; ++i) most = std::max(most, parts_[i]);
    for_each_i(0, c.n, [part = part_, parts = parts_](int i) { part[i] = 1 / parts[i]; });
    return static_cast<int>(most);
}

/// Layer k in part n of the step.
void RainFall::fall_through(const MoistColumns &c, int k, int n, int levels, real dt) {
    const bool as_wrf = c.as_wrf, bounded = as_wrf && c.graupel.origin && k + 1 < levels;
    const int above = std::min(k + 1, levels - 1);
    for_each_i(0, c.n,
               [=, q = c.rain.row(k), number = c.rain_number.row(k), q_above = c.rain.row(above),
                number_above = c.rain_number.row(above), mass = c.mass.row(k), dz = c.depth.row(k),
                speed = speed_.row(k), number_speed = number_speed_.row(k), parts = parts_, part = part_,
                fallen = fallen_, fallen_number = number_](int i) {
                   const bool falls = real(n) <= parts[i];
                   const real time = dt * part[i], weight = as_wrf ? dz[i] : mass[i];
                   const real share = speed[i] * time, number_share = number_speed[i] * time;
                   const real leaves = q[i] * (as_wrf ? share : std::min(share, real(1)));
                   const real number_leaves =
                       number[i] * (as_wrf ? number_share : std::min(number_share, real(1)));
                   real gain = fallen[i] / mass[i], number_gain = fallen_number[i] / weight;
                   real loss = leaves, number_loss = number_leaves;
                   if (bounded) {
                       gain = std::min(gain, q_above[i]),
                       number_gain = std::min(number_gain, number_above[i]);
                       loss = std::min(loss, q[i]), number_loss = std::min(number_loss, number[i]);
                   }
                   q[i] = falls ? std::max(q[i] - loss + gain, real(0)) : q[i];
                   number[i] = falls ? std::max(number[i] - number_loss + number_gain, real(0)) : number[i];
                   fallen[i] = leaves * mass[i];
                   fallen_number[i] = number_leaves * weight;
               });
}

} // namespace squall::wdm
