#include "physics/wsm6/sedimentation.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/loop.hpp"
#include "physics/wsm6/particles.hpp"

namespace squall::wsm6 {
namespace {

/// A layer is compressed by at most this part of its depth, lest faces cross.
constexpr real most_compression = real(0.05);

} // namespace

Sedimentation::Sedimentation(int nz, const Scratch &scratch) : nz_(nz) {
    int n = 0;
    for (Columns *field :
         {&height_, &arrival_, &velocity_, &speed_, &thinness_, &content_, &depth_, &density_, &laid_})
        *field = scratch_field(scratch, n++, nz + 1);
}

void Sedimentation::fall(const MoistColumns &c, real dt) {
    find_heights(c);
    fall_rain(c, dt);
    fall_solids(c, dt);
}

void Sedimentation::fall_frozen(const MoistColumns &c, real dt) {
    find_heights(c);
    fall_solids(c, dt);
}

void Sedimentation::fall_solids(const MoistColumns &c, real dt) {
    c.graupel.origin ? fall_snow_and_graupel(c, dt) : fall_snow(c, dt);
    fall_ice(c, dt);
}

void Sedimentation::fall_by_temperature(const MoistColumns &c, real dt) {
    find_heights(c);
    const auto add = [&](Columns q, int levels) {
        real *ground = content_.row(nz_);
        lay(c, q, levels, ground);
        for (int i = 0; i < c.n; ++i) {
            const real fallen = ground[i];
            c.rain_sum[i] += fallen;
            if (c.theta(i, 0) * c.exner(i, 0) < t0) c.snow_sum[i] += fallen;
        }
    };
    if (const int levels = levels_of(c, c.rain)) {
        find_arrival(c, levels, dt, {{c.rain, {}}, q_least, true}, [=, thinness = thinness_](int k) {
            return [q = c.rain.row(k), theta = c.theta.row(k), exner = c.exner.row(k), rho = c.density.row(k),
                    thin = thinness.row(k)](int i, real stretch, auto collecting) {
                const real t = theta[i] * exner[i], q_now = q[i] * stretch;
                const real snow = snow_of<collecting>(q_now, rho[i], thin[i], colder_snow(t)).speed;
                return t < t0 ? snow : rain_of<collecting>(q_now, rho[i], thin[i]).speed;
            };
        });
        add(c.rain, levels);
    }
    if (const int levels = levels_of(c, c.cloud)) {
        find_arrival(c, levels, dt, {{c.cloud, {}}, 0, false}, [=](int k) {
            return [q = c.cloud.row(k), theta = c.theta.row(k), exner = c.exner.row(k),
                    rho = c.density.row(k)](int i, real, auto some) {
                const real ice = some ? ice_of(q[i], rho[i], of_any_size).speed : real(0);
                return (theta[i] * exner[i] < t0) & (q[i] > 0) ? ice : real(0);
            };
        });
        add(c.cloud, levels);
    }
}

void Sedimentation::find_heights(const MoistColumns &c) {
    for_each_i(0, c.n, [ground = height_.row(0)](int i) { ground[i] = 0; });
    for (int k = 0; k < nz_; ++k)
        for_each_i(0, c.n,
                   [above = height_.row(k + 1), z = height_.row(k), dz = c.depth.row(k),
                    thin = thinness_.row(k), rho = c.density.row(k)](int i) {
                       above[i] = z[i] + dz[i];
                       thin[i] = std::sqrt(rho0 / rho[i]);
                   });
}

void Sedimentation::fall_rain(const MoistColumns &c, real dt) {
    const int levels = levels_of(c, c.rain);
    if (levels == 0) return;
    find_arrival(c, levels, dt, {{c.rain, {}}, q_least, true}, [=, thinness = thinness_](int k) {
        return [q = c.rain.row(k), rho = c.density.row(k), thin = thinness.row(k)](int i, real stretch,
                                                                                   auto collecting) {
            return rain_of<collecting>(q[i] * stretch, rho[i], thin[i]).speed;
        };
    });
    real *ground = content_.row(nz_);
    lay(c, c.rain, levels, ground);
    for_each_i(0, c.n, [=, sum = c.rain_sum](int i) { sum[i] += ground[i]; });
}

void Sedimentation::fall_snow(const MoistColumns &c, real dt) {
    const int levels = levels_of(c, c.snow);
    if (levels == 0) return;
    find_arrival(c, levels, dt, {{c.snow, {}}, q_least, true}, [=, thinness = thinness_](int k) {
        return [q = c.snow.row(k), theta = c.theta.row(k), exner = c.exner.row(k), rho = c.density.row(k),
                thin = thinness.row(k)](int i, real stretch, auto collecting) {
            return snow_of<collecting>(q[i] * stretch, rho[i], thin[i], colder_snow(theta[i] * exner[i]))
                .speed;
        };
    });
    lay_snow(c, c.snow, levels);
}

void Sedimentation::fall_snow_and_graupel(const MoistColumns &c, real dt) {
    const int levels = std::max(levels_of(c, c.snow), levels_of(c, c.graupel));
    if (levels == 0) return;
    find_arrival(c, levels, dt, {{c.snow, c.graupel}, q_least, true}, [=, thinness = thinness_](int k) {
        return [qs = c.snow.row(k), qg = c.graupel.row(k), theta = c.theta.row(k), exner = c.exner.row(k),
                rho = c.density.row(k), thin = thinness.row(k)](int i, real stretch, auto collecting) {
            const real snow = qs[i] * stretch, graupel = qg[i] * stretch;
            const real colder = colder_snow(theta[i] * exner[i]);
            return frozen_speed(snow, snow_of<collecting>(snow, rho[i], thin[i], colder).speed, graupel,
                                graupel_of<collecting>(graupel, rho[i], thin[i]).speed);
        };
    });
    real *snow = content_.row(nz_), *graupel = laid_.row(nz_);
    lay(c, c.snow, levels, snow);
    lay(c, c.graupel, levels, graupel);
    for_each_i(0, c.n, [=, snow_sum = c.snow_sum, graupel_sum = c.graupel_sum, sum = c.rain_sum](int i) {
        snow_sum[i] += snow[i];
        graupel_sum[i] += graupel[i];
        sum[i] += snow[i] + graupel[i];
    });
}

void Sedimentation::fall_ice(const MoistColumns &c, real dt) {
    const int levels = levels_of(c, c.ice);
    if (levels == 0) return;
    find_arrival(c, levels, dt, {{c.ice, {}}, 0, false}, [=](int k) {
        return [q = c.ice.row(k), rho = c.density.row(k)](int i, real, auto some) {
            return some ? ice_of(q[i], rho[i]).speed : real(0);
        };
    });
    lay_snow(c, c.ice, levels);
}

/// Lays what counts as snow.
void Sedimentation::lay_snow(const MoistColumns &c, Columns q, int levels) {
    real *ground = content_.row(nz_);
    lay(c, q, levels, ground);
    for_each_i(0, c.n, [=, snow_sum = c.snow_sum, sum = c.rain_sum](int i) {
        snow_sum[i] += ground[i];
        sum[i] += ground[i];
    });
}

/// How many layers from the ground up have to do with the fall of `q`: those with some of it in any
/// column, and two empty ones. 0: there is none.
int Sedimentation::levels_of(const MoistColumns &c, ConstColumns q) const {
    for (int k = nz_ - 1; k >= 0; --k) {
        bool any = false;
        for (int i = 0; i < c.n; ++i) any |= !(q(i, k) <= 0);
        if (any) return std::min(k + 3, nz_);
    }
    return 0;
}

/// Sets arrival_. speed(k)(i, stretch, full): the speed of a layer whose density is `stretch` times that
/// before the fall; `full`: whether any of its row holds more than a little.
template <class Speed>
void Sedimentation::find_arrival(const MoistColumns &c, int levels, real dt, const Falling &what,
                                 Speed speed) {
    const Columns stretch = velocity_; // which is found only after it
    for (int k = 0; k < levels; ++k) {
        for_each_i(0, c.n, [s = stretch.row(k)](int i) { s[i] = 1; });
        for_row_of(what, c.n, k, [&](auto full) {
            for_each_i(0, c.n, [=, out = speed_.row(k), of = speed(k)](int i) { out[i] = of(i, 1, full); });
        });
    }
    move_faces(c, levels, dt);
    if (!what.mean) return;
    for (int k = 0; k < levels; ++k) {
        for_each_i(0, c.n,
                   [s = stretch.row(k), dz = c.depth.row(k), lower = arrival_.row(k),
                    upper = arrival_.row(k + 1)](int i) { s[i] = dz[i] / (upper[i] - lower[i]); });
        for_row_of(what, c.n, k, [&](auto full) {
            for_each_i(0, c.n, [=, v = speed_.row(k), s = stretch.row(k), of = speed(k)](int i) {
                v[i] = real(0.5) * (v[i] + of(i, s[i], full));
            });
        });
    }
    move_faces(c, levels, dt);
}

/// Calls work(full) for a row of layers, whose densities are stretched.
template <class Work> void Sedimentation::for_row_of(const Falling &what, int n, int k, Work work) const {
    int full = 0;
    for (const ConstColumns &field : what.q) {
        const real *q = field.origin ? field.row(k) : nullptr, *stretch = velocity_.row(k);
        if (!q) continue;
#pragma omp simd reduction(| : full)
        for (int i = 0; i < n; ++i) full |= !(q[i] * stretch[i] <= what.little);
    }
    full ? work(std::true_type{}) : work(std::false_type{});
}

void Sedimentation::move_faces(const MoistColumns &c, int levels, real dt) {
    for (int k = levels; k >= 0; --k) move_face(c, k, levels, dt);
}

/// Speeds of faces from those of layers, to third order inside; what is on top of a gap does not slow down
/// what falls into it.
void Sedimentation::move_face(const MoistColumns &c, int k, int levels, real dt) {
    const auto layer = [&](int n) { return speed_.row(std::clamp(n, 0, levels - 1)); };
    const bool inside = k > 1 && k < levels - 1, end = k == 0 || k == levels;
    const real outer = inside ? real(1.0 / 16) : real(0), inner = real(0.5) + outer;
    for_each_i(0, c.n,
               [=, v = velocity_.row(k), here = layer(k), below = layer(k - 1), above = layer(k + 1),
                far_below = layer(k - 2)](int i) {
                   const real mean = inner * (here[i] + below[i]) - outer * (above[i] + far_below[i]);
                   v[i] = end ? (k == 0 ? here[i] : below[i]) : here[i] == 0 ? below[i] : mean;
               });
    if (k < levels)
        for_each_i(0, c.n,
                   [=, v = velocity_.row(k), upper = velocity_.row(k + 1), dz = c.depth.row(k)](int i) {
                       v[i] = std::max(v[i], upper[i] - most_compression * dz[i] / dt);
                   });
    for_each_i(0, c.n, [=, z = arrival_.row(k), from = height_.row(k), v = velocity_.row(k)](int i) {
        z[i] = from[i] - v[i] * dt;
    });
}

/// Lays what has fallen over the layers at rest. `ground`: what reached it in each column [kg m-2].
void Sedimentation::lay(const MoistColumns &c, Columns q, int levels, real *ground) {
    load(c, q, levels);
    find_lines(c.n, levels);
    real *all = speed_.row(nz_);
    for_each_i(0, c.n, [=](int i) { all[i] = ground[i] = 0; });
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n, [=, content = content_.row(k), laid = laid_.row(k)](int i) {
            all[i] += content[i];
            laid[i] = 0;
        });
    for (int i = 0; i < c.n; ++i) {
        if (!std::isfinite(all[i])) all[i] = 0; // a run that has blown up must get to its end
        if (!(all[i] > 0)) continue;
        ground[i] = lay_column(i, levels);
        if (c.as_wrf && levels == nz_) lose_top(i);
    }
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n, [=, to = q.row(k), laid = laid_.row(k), mass = c.mass.row(k)](int i) {
            to[i] = all[i] > 0 ? laid[i] / mass[i] : to[i];
        });
}

/// Sets laid_ of a column; what reached the ground.
real Sedimentation::lay_column(int i, int levels) {
    const Columns foot = velocity_, rise = speed_; // of find_lines()
    real ground = 0;
    int k = -1; // the layer that is being filled; the first is the ground
    for (int m = 0; m < levels; ++m) {
        const real content = content_(i, m);
        if (content == 0) continue;
        const real lower = arrival_(i, m), upper = arrival_(i, m + 1), depth = depth_(i, m);
        real given = 0;
        for (; k < levels - 1 && height_(i, k + 1) < upper; ++k) {
            if (height_(i, k + 1) <= lower) continue;
            const real part = (height_(i, k + 1) - lower) / depth;
            const real below = depth * (part * (foot(i, m) + rise(i, m) * part));
            const real now = std::clamp(below, given, content);
            (k < 0 ? ground : laid_(i, k)) += now - given;
            given = now;
        }
        (k < 0 ? ground : laid_(i, k)) += content - given;
    }
    return ground;
}

/// WRF's search for what lies over a layer at rest ends at the lower face of the uppermost one that falls:
/// layers with more above that face than nothing come out empty. They are the two uppermost as soon as
/// anything falls there. No water is accounted for it.
void Sedimentation::lose_top(int i) {
    for (int n = nz_ - 1; n >= 0 && height_(i, n + 1) > arrival_(i, nz_ - 1); --n) laid_(i, n) = 0;
}

/// What is in layers, how deep they are after the fall, and how dense it then is.
void Sedimentation::load(const MoistColumns &c, ConstColumns q, int levels) {
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n,
                   [content = content_.row(k), depth = depth_.row(k), density = density_.row(k), q = q.row(k),
                    mass = c.mass.row(k), lower = arrival_.row(k), upper = arrival_.row(k + 1)](int i) {
                       content[i] = q[i] * mass[i];
                       depth[i] = upper[i] - lower[i];
                       density[i] = content[i] / depth[i];
                   });
    for_each_i(0, c.n,
               [depth = depth_.row(levels), density = density_.row(levels), rest = height_.row(levels),
                arrival = arrival_.row(levels)](int i) {
                   depth[i] = rest[i] - arrival[i];
                   density[i] = 0;
               });
}

/// The density in fallen layers, linear from the foot of each up, through the means of neighbours; constant
/// at extremes, where it would be negative at a face, and in the lowest layer. (The rows of speeds are free.)
void Sedimentation::find_lines(int n, int levels) {
    for (int k = 0; k < levels; ++k) {
        const int lower = std::max(k - 1, 0);
        for_each_i(0, n,
                   [=, foot = velocity_.row(k), rise = speed_.row(k), below = density_.row(lower),
                    here = density_.row(k), above = density_.row(k + 1), depth_below = depth_.row(lower),
                    depth = depth_.row(k), depth_above = depth_.row(k + 1)](int i) {
                       const real up = (above[i] - here[i]) / (depth_above[i] + depth[i]);
                       const real down = (here[i] - below[i]) / (depth[i] + depth_below[i]);
                       const real half_rise = real(0.5) * (up + down) * depth[i];
                       const bool constant = (k == 0) | (up * down <= 0) | (std::abs(half_rise) > here[i]);
                       rise[i] = constant ? real(0) : half_rise;
                       foot[i] = here[i] - rise[i];
                   });
    }
}

} // namespace squall::wsm6
