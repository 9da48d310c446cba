#include "physics/implicit_mixing.hpp"

#include "core/loop.hpp"

namespace squall {

ImplicitMixing::ImplicitMixing(int nz) : nz_(nz), storage_(stored_fields, nz) {}

/// The tridiagonal matrix 1 + dt (L + r), eliminated upwards (Thomas).
void ImplicitMixing::factor(int n, real dt, ConstColumns mass, ConstColumns conductance, const real *surface,
                            ConstColumns removal) {
    n_ = n;
    removes_ = removal.origin != nullptr;
    for (int k = 0; k < nz_; ++k) {
        const real *below = k > 0 ? conductance.row(k) : surface;
        const real *above = k + 1 < nz_ ? conductance.row(k + 1) : nullptr;
        const real *before = k > 0 ? storage_.field(eliminated).row(k - 1) : nullptr;
        real *r = removes_ ? storage_.field(removed).row(k) : nullptr;
        if (removes_) for_each_i(0, n, [=, rate = removal.row(k)](int i) { r[i] = dt * rate[i]; });
        for_each_i(0, n,
                   [=, mass = mass.row(k), a = storage_.field(lower).row(k), b = storage_.field(upper).row(k),
                    after = storage_.field(eliminated).row(k),
                    inverse = storage_.field(inverse).row(k)](int i) {
                       const real per_mass = dt / mass[i];
                       a[i] = per_mass * below[i];
                       b[i] = above ? per_mass * above[i] : real(0);
                       inverse[i] =
                           1 / (1 + b[i] + a[i] * (before ? 1 - before[i] : real(1)) + (r ? r[i] : real(0)));
                       after[i] = b[i] * inverse[i];
                   });
    }
}

void ImplicitMixing::increments(ConstColumns x, const real *below, Columns dx, ConstColumns forcing) {
    for (int k = 0; k < nz_; ++k) {
        const bool first = k == 0, last = k + 1 == nz_;
        const real *lower_x = first ? below : x.row(k - 1), *upper_x = last ? nullptr : x.row(k + 1);
        const real *lower_dx = first ? nullptr : dx.row(k - 1);
        const real *added = forcing.origin ? forcing.row(k) : nullptr;
        const real *r = removes_ ? storage_.field(removed).row(k) : nullptr;
        for_each_i(0, n_,
                   [=, x = x.row(k), dx = dx.row(k), a = storage_.field(lower).row(k),
                    above = storage_.field(upper).row(k), inverse = storage_.field(inverse).row(k)](int i) {
                       real forced = a[i] * (lower_x[i] - x[i]);
                       if (upper_x) forced += above[i] * (upper_x[i] - x[i]);
                       if (lower_dx) forced += a[i] * lower_dx[i];
                       if (added) forced += added[i];
                       if (r) forced -= r[i] * x[i];
                       dx[i] = forced * inverse[i];
                   });
    }
    for (int k = nz_ - 2; k >= 0; --k)
        for_each_i(0, n_,
                   [dx = dx.row(k), upper_dx = dx.row(k + 1), b = storage_.field(eliminated).row(k)](int i) {
                       dx[i] += b[i] * upper_dx[i];
                   });
}

} // namespace squall
