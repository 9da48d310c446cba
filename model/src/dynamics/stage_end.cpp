#include "dynamics/stage_end.hpp"

#include "dynamics/advection.hpp"

namespace squall {
namespace {

/// out = (metric departure + old mass_old) / mass_new, masses being c1 mu + c2 of a level; as what is added
/// to the old value, so that rounding is that of the change.
template <class Metric, class Change, class New>
void uncouple(Range range, ConstProfile c1, ConstProfile c2, Metric metric, Change change, New mass_new,
              ConstField3 departure, ConstField3 old, Field3 out) {
    for_each_row(range, [&](int k, int j) {
        return [m = metric(j), d = change(j), mn = mass_new(j), dep = departure.row(k, j), q = old.row(k, j),
                out = out.row(k, j), a = c1[k],
                b = c2[k]](int i) { out[i] = q[i] + (m(i) * dep[i] - q[i] * (a * d(i))) / (a * mn(i) + b); };
    });
}

auto row_of(ConstField2 q) {
    return [=](int j) { return [q = q.row(j)](int i) { return q[i]; }; };
}

} // namespace

void StageEnd::add_departures(Range tile) const {
    const GridView &g = grid;
    const AcousticFields &a = departure;
    const auto mass = [this](int j) { return mass_after(j); };
    const auto mass_u = [this](int j) {
        return [m = mass_after(j)](int i) { return real(0.5) * (m(i) + m(i - 1)); };
    };
    const auto mass_v = [this](int j) {
        return
            [m = mass_after(j), south = mass_after(j - 1)](int i) { return real(0.5) * (m(i) + south(i)); };
    };
    const auto change = row_of(a.mu);
    const auto change_u = [&](int j) {
        return [d = a.mu.row(j)](int i) { return real(0.5) * (d[i] + d[i - 1]); };
    };
    const auto change_v = [&](int j) {
        return [d = a.mu.row(j), south = a.mu.row(j - 1)](int i) { return real(0.5) * (d[i] + south[i]); };
    };
    const Range layers = tile.with_k(0, g.nz), interfaces = tile.with_k(0, g.nz + 1);
    uncouple(faces.u_of(layers), g.c1h, g.c2h, row_of(g.msfuy), change_u, mass_u, a.u, reference.u, result.u);
    uncouple(faces.v_of(layers), g.c1h, g.c2h, row_of(g.msfvx), change_v, mass_v, a.v, reference.v, result.v);
    uncouple(layers, g.c1h, g.c2h, unit_metric, change, mass, a.theta, reference.theta, result.theta);
    uncouple(interfaces, g.c1f, g.c2f, row_of(g.msfty), change, mass, a.w, reference.w, result.w);
    for_each_row(interfaces, [&](int k, int j) {
        return [out = result.ph.row(k, j), dep = a.ph.row(k, j), old = reference.ph.row(k, j)](int i) {
            out[i] = dep[i] + old[i];
        };
    });
}

void StageEnd::take_heating_back(Range tile, ConstField3 heating, real dt) const {
    for_each_row(tile.with_k(0, grid.nz), [&](int k, int j) {
        return [theta = result.theta.row(k, j), c1 = grid.c1h[k], c2 = grid.c2h[k], h = heating.row(k, j),
                before = mass_before(j), after = mass_after(j),
                dt](int i) { theta[i] -= dt * (c1 * before(i) + c2) * h[i] / (c1 * after(i) + c2); };
    });
}

void StageEnd::add_mass_departure(Range tile) const {
    for_each_column(tile, [out = result.mu, old = reference.mu, change = departure.mu](int i, int j) {
        out(i, j) = old(i, j) + change(i, j);
    });
}

} // namespace squall
