#include "physics/moist_patch.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "core/elementary.hpp"

namespace squall {
namespace {

/// WRF's mp_tend_lim: theta changes no faster [K s-1].
constexpr real max_heating = 10;

/// Fields of some columns that the scratch holds.
enum Stored {
    theta_now,
    theta_before,
    vapour_before,
    exner,
    pressure,
    density,
    mass,
    depth,
    height,
    stored_fields
};
/// Rows after them: what falls in a step.
enum Fallen { fallen, fallen_snow, fallen_graupel, fallen_rows };

/// Some neighbouring columns of a row, in their scratch.
struct Batch {
    int i0, n, j, nz;
    Scratch scratch;
    Batch(const Range &columns, int levels, const Scratch &s)
        : i0(columns.i0), n(columns.i1 - columns.i0), j(columns.j0), nz(levels), scratch(s) {}
    Columns stored(Stored f) const { return scratch_field(scratch, f, nz); }
    real *row(Fallen f) const { return scratch.row(stored_fields * nz + f, 0); }
    Columns of(Field3 field) const { return field.origin ? columns_at(field, i0, j) : Columns{}; }
    ConstColumns of(ConstField3 field) const { return columns_at(field, i0, j); }
};

MoistColumns moist_columns(const MoistPatch &p, const Batch &b) {
    const auto species = [&](Water water) { return b.of(p.waters[static_cast<std::size_t>(water)]); };
    const auto number = [&](Number of) { return b.of(p.numbers[static_cast<std::size_t>(of)]); };
    return {.n = b.n,
            .nz = b.nz,
            .dt = p.dt,
            .as_wrf = p.as_wrf,
            .exner = b.stored(exner),
            .pressure = b.stored(pressure),
            .density = b.stored(density),
            .mass = b.stored(mass),
            .depth = b.stored(depth),
            .height = b.stored(height),
            .updraught = b.of(p.w),
            .theta = b.stored(theta_now),
            .vapour = species(Water::vapour),
            .cloud = species(Water::cloud),
            .rain = species(Water::rain),
            .ice = species(Water::ice),
            .snow = species(Water::snow),
            .graupel = species(Water::graupel),
            .rain_number = number(Number::rain),
            .ice_number = number(Number::ice),
            .rain_sum = b.row(fallen),
            .snow_sum = b.row(fallen_snow),
            .graupel_sum = b.row(fallen_graupel),
            .snow_number = number(Number::snow),
            .graupel_number = number(Number::graupel),
            .droplet_number = number(Number::droplets),
            .nuclei = number(Number::nuclei),
            .water_friendly = number(Number::water_friendly),
            .ice_friendly = number(Number::ice_friendly),
            .land = p.land.origin ? p.land.row(b.j) + b.i0 : nullptr,
            .aerosol_source = p.aerosol_source.origin ? p.aerosol_source.row(b.j) + b.i0 : nullptr};
}

} // namespace

int MoistPatch::scratch_rows(int nz) { return stored_fields * nz + fallen_rows; }

MoistColumns MoistPatch::prepare(const Range &columns, const Scratch &scratch) const {
    using namespace constants;
    const Batch b(columns, grid.nz, scratch);
    const MoistColumns c = moist_columns(*this, b);
    for (const Fallen f : {fallen, fallen_snow, fallen_graupel})
        for_each_i(0, b.n, [row = b.row(f)](int i) { row[i] = 0; });
    const ConstColumns height_now = b.of(ph), height_base = b.of(grid.phb);
    for (int k = 0; k < b.nz; ++k) {
        const auto to = [&](Stored f) { return b.stored(f).row(k); };
        const auto from = [&](ConstField3 f) { return b.of(f).row(k); };
        for_each_i(0, b.n,
                   [=, p = to(pressure), rho = to(density), dz = to(depth), z = to(height),
                    lower = height_now.row(k), upper = height_now.row(k + 1), lower_b = height_base.row(k),
                    upper_b = height_base.row(k + 1), dp = from(p), pb = from(grid.pb), al = from(al),
                    alb = from(grid.alb)](int i) {
                       p[i] = dp[i] + pb[i];
                       rho[i] = 1 / (al[i] + alb[i]);
                       const real bottom = (lower[i] + lower_b[i]) / g, top = (upper[i] + upper_b[i]) / g;
                       dz[i] = top - bottom;
                       z[i] = real(0.5) * (bottom + top);
                   });
        for_each_i(0, b.n,
                   [=, mass = to(mass), mub = grid.mub.row(b.j) + b.i0, mu = mu.row(b.j) + b.i0,
                    c1 = grid.c1h[k], c2 = grid.c2h[k],
                    dnw = grid.dnw[k]](int i) { mass[i] = -dnw * (c1 * (mub[i] + mu[i]) + c2) / g; });
        for_each_i(0, b.n,
                   [th = to(theta_now), before = to(theta_before), qv_before = to(vapour_before),
                    qv = c.vapour.row(k), dtheta = from(theta), moist = moist_theta](int i) {
                       const real full = dtheta[i] + theta0;
                       th[i] = moist ? full / (1 + constants::rv_over_rd * qv[i]) : full;
                       before[i] = th[i];
                       qv_before[i] = qv[i];
                   });
        for_each_i(0, b.n, [pi = to(exner), p = to(pressure)](int i) { pi[i] = power(p[i] / p0, kappa); });
    }
    return c;
}

/// The change of moist theta is formed from the changes, so that air in which nothing happens keeps its bits.
void MoistPatch::finish(const Range &columns, const MoistColumns &c, const Scratch &scratch) const {
    const Batch b(columns, grid.nz, scratch);
    const real limit = max_heating * dt;
    for (int k = 0; k < b.nz; ++k)
        for_each_i(0, b.n,
                   [=, th = c.theta.row(k), before = b.stored(theta_before).row(k), qv = c.vapour.row(k),
                    qv_before = b.stored(vapour_before).row(k), state = b.of(theta).row(k),
                    rate = b.of(heating).row(k), moist = moist_theta, dt = dt](int i) {
                       real change = std::max(-limit, std::min(limit, th[i] - before[i]));
                       if (moist)
                           change = change * (1 + constants::rv_over_rd * qv[i]) +
                                    constants::rv_over_rd * (qv[i] - qv_before[i]) * th[i];
                       state[i] += change;
                       rate[i] = change / dt;
                   });
    const auto add = [&](Field2 sum, Fallen f) {
        if (sum.origin)
            for_each_i(0, b.n, [to = sum.row(b.j) + b.i0, fell = b.row(f)](int i) { to[i] += fell[i]; });
    };
    add(rain, fallen);
    add(snow, fallen_snow);
    add(graupel, fallen_graupel);
    add(precipitation, fallen);
    add(frozen_precipitation, fallen_snow);
    add(frozen_precipitation, fallen_graupel);
}

} // namespace squall
