#include "physics/lin/sedimentation.hpp"

#include <algorithm>

#include "core/loop.hpp"
#include "physics/lin/air.hpp"

namespace squall::lin {
namespace {

constexpr real shortest_part = real(1e-3); ///< of a step: a run that has blown up must get to its end

/// How many layers from the ground up have something that falls in any column.
int levels_of(const MoistColumns &c, ConstColumns q) {
    for (int k = c.nz - 1; k >= 0; --k) {
        int any = 0;
        for (int i = 0; i < c.n; ++i) any |= q(i, k) > q_least;
        if (any) return k + 1;
    }
    return 0;
}

void add(real *sum, const real *more, int n) {
    for_each_i(0, n, [=](int i) { sum[i] += more[i]; });
}

} // namespace

Sedimentation::Sedimentation(int nz)
    : nz_(nz), storage_(1, nz), rows_(5, 1), speed_(storage_.field(0)), part_(rows_.field(0).row(0)),
      left_(rows_.field(1).row(0)), falling_(rows_.field(2).row(0)), longest_(rows_.field(3).row(0)),
      ground_(rows_.field(4).row(0)) {}

void Sedimentation::fall(const MoistColumns &c, real dt) {
    fall(c, c.rain, dt, [](real q, real density) { return rain_of(q, density).speed; });
    add(c.rain_sum, ground_, c.n);
    fall(c, c.snow, dt, [](real q, real density) { return snow_of(q, density).speed; });
    add(c.rain_sum, ground_, c.n);
    add(c.snow_sum, ground_, c.n);
    fall(c, c.graupel, dt, [](real q, real density) { return graupel_of(q, density).speed; });
    add(c.rain_sum, ground_, c.n);
    add(c.graupel_sum, ground_, c.n);
    fall(c, c.ice, dt, ice_speed);
    add(c.rain_sum, ground_, c.n);
    add(c.snow_sum, ground_, c.n);
}

/// Sets ground_. Columns that are through the step wait for the others, in parts of no length.
template <class Speed> void Sedimentation::fall(const MoistColumns &c, Columns q, real dt, Speed speed) {
    std::fill_n(ground_, c.n, real(0));
    const int levels = levels_of(c, q);
    if (levels == 0) return;
    std::fill_n(left_, c.n, dt);
    std::fill_n(longest_, c.n, dt);
    do {
        for (int k = 0; k < levels; ++k)
            for_each_i(0, c.n, [=, v = speed_.row(k), q = q.row(k), density = c.density.row(k)](int i) {
                v[i] = speed(q[i], density[i]);
            });
        const bool more = next_part(c, levels, dt);
        move(c, q, levels);
        if (!more) return;
    } while (true);
}

/// Sets part_, and tells whether any time is left after it in any column.
bool Sedimentation::next_part(const MoistColumns &c, int levels, real dt) {
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n,
                   [longest = longest_, v = speed_.row(k), z = c.height.row(k), depth = c.depth.row(k),
                    below = c.height.row(std::max(k - 1, 0)), lowest = k == 0](int i) {
                       const real way = lowest ? depth[i] / 2 : z[i] - below[i];
                       longest[i] = v[i] > 0 ? std::min(longest[i], real(0.9) * way / v[i]) : longest[i];
                   });
    int more = 0;
    const real shortest = shortest_part * dt;
    for (int i = 0; i < c.n; ++i) {
        part_[i] = std::min(std::max(longest_[i], shortest), left_[i]);
        left_[i] -= part_[i];
        more |= left_[i] > 0;
    }
    return more;
}

void Sedimentation::move(const MoistColumns &c, Columns q, int levels) {
    std::fill_n(falling_, c.n, real(0));
    for (int k = levels - 1; k >= 0; --k)
        for_each_i(0, c.n,
                   [part = part_, falling = falling_, q = q.row(k), v = speed_.row(k),
                    density = c.density.row(k), mass = c.mass.row(k)](int i) {
                       const real there = q[i] * mass[i];
                       const real given = std::min(density[i] * v[i] * part[i] * q[i], there);
                       q[i] += (falling[i] - given) / mass[i];
                       falling[i] = given;
                   });
    for_each_i(0, c.n, [ground = ground_, falling = falling_](int i) { ground[i] += falling[i]; });
}

} // namespace squall::lin
