// The slow tendencies of a Runge-Kutta stage, one function per prognostic variable.
#include "dynamics/slow_terms.hpp"

#include <algorithm>

#include "dynamics/buoyancy.hpp"
#include "dynamics/damping.hpp"

namespace squall {
namespace {

/// The mean of a flux at a point and at the point `back` elements before it, as velocity(k, j)(i).
auto mean_with_neighbour(ConstField3 flux, std::ptrdiff_t back) {
    return [=](int k, int j) {
        return [f = flux.row(k, j), back](int i) { return real(0.5) * (f[i] + f[i + back]); };
    };
}

/// A flux of layers brought to interfaces: interpolated inside, extrapolated at the top.
auto at_interfaces(const GridView &g, ConstField3 flux) {
    return [=](int k, int j) {
        const bool top = k == g.nz;
        const int upper = top ? k - 1 : k;
        return [above = flux.row(upper, j), below = flux.row(upper - 1, j),
                wa = top ? 2 - g.fnm[k - 1] : g.fnm[k],
                wb = top ? -g.fnp[k - 1] : g.fnp[k]](int i) { return wa * above[i] + wb * below[i]; };
    };
}

/// A flux at its own points.
auto at_points(ConstField3 flux) {
    return [=](int k, int j) { return [f = flux.row(k, j)](int i) { return f[i]; }; };
}

/// tend -= gradient, as it acts on dry mass.
template <class Moist> auto subtract_from(Field3 tend, Moist moist) {
    return [=](int k, int j) {
        return [t = tend.row(k, j), m = moist(k, j)](int i, real gradient) { t[i] -= m(i) * gradient; };
    };
}

/// The flux rows of the n-th variable, n = 0 ... 3. The pressure gradient's rows may be shared.
FluxRows flux_rows(const Scratch &scratch, int n, int nz, int i0) {
    static_assert(FluxRows::shared <= pressure_gradient_rows);
    return {scratch, pressure_gradient_rows + n * 2 * (nz + 1), nz + 1, i0};
}

/// f(turning), by the kind of map.
template <class F> void with_turning(const SlowTermFields &s, const GridView &g, const FlowView &flow, F f) {
    if (!s.tan_u.origin) return f(ConformalTurning{s.turning});
    f(LatLonTurning{flow.u, s.tan_u, s.tan_v, g.msfux, g.msfuy, g.msfvx, g.msfvy});
}

} // namespace

PressureFields SlowTerms::pressure(const FlowView &flow) const {
    return {fields.p, fields.al, flow.ph, flow.mu, fields.alt, fields.php};
}

void SlowTerms::find(Range tile, const FlowView &flow, ConstField3 theta, real dt,
                     const Scratch &scratch) const {
    // Line by line, so that the operators of one variable find their operands in cache.
    for (int j = tile.j0; j < tile.j1; ++j)
        find_line(tile.with_j(j, j + 1), j == tile.j0, flow, theta, dt, scratch);
}

void SlowTerms::find_line(Range line, bool lowest, const FlowView &flow, ConstField3 theta, real dt,
                          const Scratch &scratch) const {
    find_u(line, lowest, flow, scratch);
    find_v(line, lowest, flow, scratch);
    find_w(line, lowest, flow, dt, scratch);
    find_theta(line, lowest, flow, theta, scratch);
    find_ph(line, flow);
}

void SlowTerms::add_held(Range tile, const HeldFields &held) const {
    const auto add = [](Range range, ConstField3 rate, Field3 sum) {
        if (!rate.origin) return;
        for_each_row(range, [=](int k, int j) {
            return [t = sum.row(k, j), h = rate.row(k, j)](int i) { t[i] += h[i]; };
        });
    };
    const int nz = grid.nz;
    add(faces.u_of(tile).with_k(0, nz), held.u, tend.u);
    add(faces.v_of(tile).with_k(0, nz), held.v, tend.v);
    add(tile.with_k(1, nz + 1), held.w, tend.w);
    add(tile.with_k(0, nz), held.theta, tend.theta);
    add(tile.with_k(1, nz + 1), held.ph, tend.ph);
}

void SlowTerms::add_heating(Range tile, ConstField2 mu, ConstField3 heating) const {
    const GridView &g = grid;
    for_each_row(tile.with_k(0, g.nz), [&](int k, int j) {
        return [t = tend.theta.row(k, j), h = heating.row(k, j), mub = g.mub.row(j), mu = mu.row(j),
                my = g.msfty.row(j), c1 = g.c1h[k],
                c2 = g.c2h[k]](int i) { t[i] += (c1 * (mub[i] + mu[i]) + c2) * h[i] / my[i]; };
    });
}

void SlowTerms::find_u(Range line, bool lowest, const FlowView &flow, const Scratch &scratch) const {
    const GridView &g = grid;
    const Range range = faces.u_of(line).with_k(0, g.nz);
    const Range inner = range.with_i(std::max(range.i0, faces.u.begin), std::min(range.i1, faces.u.end));
    const Field3 out = tend.u;
    const MassFluxes mass{mean_with_neighbour(flow.ru, -1), mean_with_neighbour(flow.rv, -1),
                          mean_with_neighbour(flow.omega, -1)};

    advect(inner, lowest, flow.u, mass,
           {stencils.x_u, stencils.y_cells_m, stencils.layers_m, g.msfux, g.rdx, g.rdy, g.rdnw}, unit_metric,
           flux_rows(scratch, 0, g.nz, range.i0), out);
    if (outflow) correct_outflow(range, g, *outflow, Axis::x, flow.u, flow.ru, out);
    for (const OpenSide &side : open_sides)
        if (!side.is_x()) carry_out(inner, side, true, flow.u, flow.u, mass.y, g.msfux, g.rdy, out);
    with_factor(fields.moisture.u, [&](auto moist) {
        pressure_gradient(inner, g, FaceMetrics::of_x(g), top_lid, pressure(flow), flow.muu, scratch,
                          subtract_from(out, moist));
    });
    if (rotating) add_coriolis_u(inner, g, flow, out);
    if (base_wind) subtract_base_coriolis_u(inner, g, flow, *base_wind, out);
    if (curvature)
        with_turning(fields, g, flow,
                     [&](auto turning) { add_curvature_u(inner, g, flow, fields.rw, turning, out); });
    for (const OpenSide &side : open_sides)
        if (side.is_x()) radiate_normal_wind(range, g, side, g.rdx, flow.u, flow.ru, flow.mu, out);
    for (const OpenSide &side : open_sides)
        if (side.lifts)
            lift_normal_wind(range, g, side, flow.u, flow.omega, stencils.layers_m,
                             flux_rows(scratch, 0, g.nz, range.i0), out);
}

void SlowTerms::find_v(Range line, bool lowest, const FlowView &flow, const Scratch &scratch) const {
    const GridView &g = grid;
    const Range range = faces.v_of(line).with_k(0, g.nz);
    const Range inner = range.with_j(std::max(range.j0, faces.v.begin), std::min(range.j1, faces.v.end));
    const Field3 out = tend.v;
    const std::ptrdiff_t south = -out.sj;
    const MassFluxes mass{mean_with_neighbour(flow.ru, south), mean_with_neighbour(flow.rv, south),
                          mean_with_neighbour(flow.omega, south)};
    const auto metric = [&g](int j) {
        return [my = g.msfvy.row(j), mx = g.msfvx.row(j)](int i) { return my[i] / mx[i]; };
    };

    for (int j = inner.j0; j < inner.j1; ++j)
        advect(inner.with_j(j, j + 1), lowest || j == faces.v.begin, flow.v, mass,
               {stencils.x_cells_m, stencils.y_v, stencils.layers_m, g.msfvy, g.rdx, g.rdy, g.rdnw}, metric,
               flux_rows(scratch, 1, g.nz, range.i0), out);
    if (outflow) correct_outflow(range, g, *outflow, Axis::y, flow.v, flow.rv, out);
    for (const OpenSide &side : open_sides)
        if (side.is_x()) carry_out(inner, side, true, flow.v, flow.v, mass.x, g.msfvy, g.rdx, out);
    with_factor(fields.moisture.v, [&](auto moist) {
        pressure_gradient(inner, g, FaceMetrics::of_y(g), top_lid, pressure(flow), flow.muv, scratch,
                          subtract_from(out, moist));
    });
    if (rotating) add_coriolis_v(inner, g, flow, out);
    if (base_wind) subtract_base_coriolis_v(inner, g, flow, *base_wind, out);
    if (curvature)
        with_turning(fields, g, flow,
                     [&](auto turning) { add_curvature_v(inner, g, flow, fields.rw, turning, out); });
    for (const OpenSide &side : open_sides)
        if (!side.is_x()) radiate_normal_wind(range, g, side, g.rdy, flow.v, flow.rv, flow.mu, out);
}

void SlowTerms::find_w(Range line, bool lowest, const FlowView &flow, real dt, const Scratch &scratch) const {
    const GridView &g = grid;
    const Range range = line.with_k(1, g.nz + 1);
    const Field3 out = tend.w;
    const MassFluxes mass{at_interfaces(g, flow.ru), at_interfaces(g, flow.rv),
                          mean_with_neighbour(flow.omega, -flow.omega.sk)};

    advect(range, lowest, flow.w, mass,
           {stencils.x_cells_m, stencils.y_cells_m, stencils.interfaces, g.msftx, g.rdx, g.rdy,
            stencils.rd_interfaces},
           unit_metric, flux_rows(scratch, 2, g.nz, range.i0), out);
    for (const OpenSide &side : open_sides)
        carry_out(range, side, false, flow.w, flow.w, side.is_x() ? mass.x : mass.y, g.msftx,
                  side.is_x() ? g.rdx : g.rdy, out);
    add_buoyancy(range, g, fields.p, flow.mu, fields.moisture.w, out);
    if (damps_w) add_w_damping(line, g, flow.w, flow.omega, flow.mu, dt, out);
    if (curvature) add_curvature_w(range.with_k(1, g.nz), g, flow, out);
}

void SlowTerms::find_theta(Range line, bool lowest, const FlowView &flow, ConstField3 theta,
                           const Scratch &scratch) const {
    const GridView &g = grid;
    const Range range = line.with_k(0, g.nz);
    const Field3 out = tend.theta;
    const MassFluxes mass{at_points(flow.ru), at_points(flow.rv), at_points(flow.omega)};
    advect(range, lowest, theta, mass,
           {stencils.x_cells_s, stencils.y_cells_s, stencils.layers_s, g.msftx, g.rdx, g.rdy, g.rdnw},
           unit_metric, flux_rows(scratch, 3, g.nz, range.i0), out);
    for (const OpenSide &side : open_sides)
        carry_out(range, side, false, theta, theta, side.is_x() ? mass.x : mass.y, g.msftx,
                  side.is_x() ? g.rdx : g.rdy, out);
}

void SlowTerms::find_ph(Range line, const FlowView &flow) const {
    const Range range = line.with_k(1, grid.nz + 1);
    lift_geopotential(range, grid, flow, tend.ph);
    advect_geopotential(range, grid, flow, FaceMetrics::of_y(grid), stencils.y_derivative, tend.ph);
    advect_geopotential(range, grid, flow, FaceMetrics::of_x(grid), stencils.x_derivative, tend.ph);
    for (const OpenSide &side : open_sides)
        carry_geopotential_out(range, grid, side, side.is_x() ? grid.rdx : grid.rdy,
                               side.is_x() ? flow.u : flow.v, flow.ph, flow.mu, tend.ph);
}

} // namespace squall
