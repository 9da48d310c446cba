#include "physics/wsm6/sedimentation.hpp"

#include <algorithm>
#include <cmath>

#include "core/loop.hpp"
#include "physics/wsm6/particles.hpp"

namespace squall::wsm6 {
namespace {

/// A layer is compressed by at most this part of its depth, lest faces cross.
constexpr real most_compression = real(0.05);

/// Density in a fallen layer, linear from its lower face up.
struct Line {
    real lower, half_rise;
    real below(real part) const { return part * (lower + half_rise * part); } ///< per depth of the layer
};

/// Through the means of neighbours; constant at extremes, and where it would be negative at a face.
Line line(real below, real here, real above, real depth_below, real depth, real depth_above) {
    const real up = (above - here) / (depth_above + depth), down = (here - below) / (depth_below + depth);
    const real half_rise = real(0.5) * (up + down) * depth;
    if (up * down <= 0 || std::abs(half_rise) > here) return {here, 0};
    return {here - half_rise, half_rise};
}

} // namespace

Sedimentation::Sedimentation(int nz, const Scratch &scratch) : nz_(nz) {
    int n = 0;
    for (Columns *field : {&height_, &arrival_, &velocity_, &speed_, &thinness_})
        *field = scratch_field(scratch, n++, nz + 1);
    for (real **profile : {&content_, &laid_, &depth_, &density_})
        *profile = scratch_field(scratch, n++, nz + 1).origin;
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
        for (int i = 0; i < c.n; ++i) {
            const real fallen = lay(c, q, i, levels);
            c.rain_sum[i] += fallen;
            if (c.theta(i, 0) * c.exner(i, 0) < t0) c.snow_sum[i] += fallen;
        }
    };
    if (const int levels = levels_of(c, c.rain)) {
        find_arrival(c, levels, dt, true, [=, thinness = thinness_](int k) {
            return [q = c.rain.row(k), theta = c.theta.row(k), exner = c.exner.row(k), rho = c.density.row(k),
                    thin = thinness.row(k)](int i, real stretch) {
                const real t = theta[i] * exner[i], q_now = q[i] * stretch;
                const real snow = snow_of(q_now, rho[i], thin[i], colder_snow(t)).speed;
                return t < t0 ? snow : rain_of(q_now, rho[i], thin[i]).speed;
            };
        });
        add(c.rain, levels);
    }
    if (const int levels = levels_of(c, c.cloud)) {
        find_arrival(c, levels, dt, false, [=](int k) {
            return [q = c.cloud.row(k), theta = c.theta.row(k), exner = c.exner.row(k),
                    rho = c.density.row(k)](int i, real) {
                const real ice = ice_of(q[i], rho[i], of_any_size).speed;
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
    find_arrival(c, levels, dt, true, [=, thinness = thinness_](int k) {
        return [q = c.rain.row(k), rho = c.density.row(k), thin = thinness.row(k)](int i, real stretch) {
            return rain_of(q[i] * stretch, rho[i], thin[i]).speed;
        };
    });
    for (int i = 0; i < c.n; ++i) c.rain_sum[i] += lay(c, c.rain, i, levels);
}

void Sedimentation::fall_snow(const MoistColumns &c, real dt) {
    const int levels = levels_of(c, c.snow);
    if (levels == 0) return;
    find_arrival(c, levels, dt, true, [=, thinness = thinness_](int k) {
        return [q = c.snow.row(k), theta = c.theta.row(k), exner = c.exner.row(k), rho = c.density.row(k),
                thin = thinness.row(k)](int i, real stretch) {
            return snow_of(q[i] * stretch, rho[i], thin[i], colder_snow(theta[i] * exner[i])).speed;
        };
    });
    for (int i = 0; i < c.n; ++i) {
        const real snow = lay(c, c.snow, i, levels);
        c.snow_sum[i] += snow;
        c.rain_sum[i] += snow;
    }
}

void Sedimentation::fall_snow_and_graupel(const MoistColumns &c, real dt) {
    const int levels = std::max(levels_of(c, c.snow), levels_of(c, c.graupel));
    if (levels == 0) return;
    find_arrival(c, levels, dt, true, [=, thinness = thinness_](int k) {
        return [qs = c.snow.row(k), qg = c.graupel.row(k), theta = c.theta.row(k), exner = c.exner.row(k),
                rho = c.density.row(k), thin = thinness.row(k)](int i, real stretch) {
            const real snow = qs[i] * stretch, graupel = qg[i] * stretch;
            const real colder = colder_snow(theta[i] * exner[i]);
            return frozen_speed(snow, snow_of(snow, rho[i], thin[i], colder).speed, graupel,
                                graupel_of(graupel, rho[i], thin[i]).speed);
        };
    });
    for (int i = 0; i < c.n; ++i) {
        const real snow = lay(c, c.snow, i, levels), graupel = lay(c, c.graupel, i, levels);
        c.snow_sum[i] += snow;
        c.graupel_sum[i] += graupel;
        c.rain_sum[i] += snow + graupel;
    }
}

void Sedimentation::fall_ice(const MoistColumns &c, real dt) {
    const int levels = levels_of(c, c.ice);
    if (levels == 0) return;
    find_arrival(c, levels, dt, false, [=](int k) {
        return [q = c.ice.row(k), rho = c.density.row(k)](int i, real) { return ice_of(q[i], rho[i]).speed; };
    });
    for (int i = 0; i < c.n; ++i) {
        const real ice = lay(c, c.ice, i, levels);
        c.snow_sum[i] += ice;
        c.rain_sum[i] += ice;
    }
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

/// Sets arrival_. speed(k)(i, stretch): the speed of a layer whose density is `stretch` times that before
/// the fall. `mean`: with the mean of the speeds before and after.
template <class Speed>
void Sedimentation::find_arrival(const MoistColumns &c, int levels, real dt, bool mean, Speed speed) {
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n, [out = speed_.row(k), of = speed(k)](int i) { out[i] = of(i, 1); });
    move_faces(c, levels, dt);
    if (!mean) return;
    for (int k = 0; k < levels; ++k)
        for_each_i(0, c.n,
                   [v = speed_.row(k), of = speed(k), dz = c.depth.row(k), lower = arrival_.row(k),
                    upper = arrival_.row(k + 1)](int i) {
                       v[i] = real(0.5) * (v[i] + of(i, dz[i] / (upper[i] - lower[i])));
                   });
    move_faces(c, levels, dt);
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

/// Lays what has fallen in a column over the layers at rest; what reached the ground [kg m-2].
real Sedimentation::lay(const MoistColumns &c, Columns q, int i, int levels) {
    load(c, q, i, levels);
    real all = 0;
    for (int k = 0; k < levels; ++k) all += content_[k];
    if (!(all > 0) || !std::isfinite(all)) return 0; // a run that has blown up must get to its end
    std::fill_n(laid_, levels, real(0));
    real ground = 0;
    int k = -1; // the layer that is being filled; the first is the ground
    for (int m = 0; m < levels; ++m) {
        const Line in = m == 0 ? Line{density_[0], 0}
                               : line(density_[m - 1], density_[m], density_[m + 1], depth_[m - 1], depth_[m],
                                      depth_[m + 1]);
        const real lower = arrival_(i, m), upper = arrival_(i, m + 1);
        real given = 0;
        for (; k < levels - 1 && height_(i, k + 1) < upper; ++k) {
            if (height_(i, k + 1) <= lower) continue;
            const real below = depth_[m] * in.below((height_(i, k + 1) - lower) / depth_[m]);
            const real part = std::clamp(below, given, content_[m]);
            (k < 0 ? ground : laid_[k]) += part - given;
            given = part;
        }
        (k < 0 ? ground : laid_[k]) += content_[m] - given;
    }
    if (c.as_wrf && levels == nz_) lose_top(i);
    for (int n = 0; n < levels; ++n) q(i, n) = laid_[n] / c.mass(i, n);
    return ground;
}

/// WRF's search for what lies over a layer at rest ends at the lower face of the uppermost one that falls:
/// layers with more above that face than nothing come out empty. They are the two uppermost as soon as
/// anything falls there. No water is accounted for it.
void Sedimentation::lose_top(int i) {
    for (int n = nz_ - 1; n >= 0 && height_(i, n + 1) > arrival_(i, nz_ - 1); --n) laid_[n] = 0;
}

/// What is in the layers of a column, how deep they are after the fall, and how dense it then is.
void Sedimentation::load(const MoistColumns &c, ConstColumns q, int i, int levels) {
    for (int k = 0; k < levels; ++k) {
        content_[k] = q(i, k) * c.mass(i, k);
        depth_[k] = arrival_(i, k + 1) - arrival_(i, k);
        density_[k] = content_[k] / depth_[k];
    }
    depth_[levels] = height_(i, levels) - arrival_(i, levels);
    density_[levels] = 0;
}

} // namespace squall::wsm6
