#include "nesting/parent_rim.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <omp.h>

#include "parallel/tasks.hpp"

namespace squall {
namespace {

ConstField3 one_level(ConstField2 v) { return {v.origin, 0, v.sj}; }

/// Storage for the points of a range, rows behind one another.
Field3 laid_out(std::vector<real> &storage, const Range &r) {
    const std::ptrdiff_t sk = r.i1 - r.i0, sj = sk * (r.k1 - r.k0);
    storage.resize(std::size_t(sj) * std::size_t(r.j1 - r.j0));
    return {storage.data() - r.i0 - sk * r.k0 - sj * r.j0, sk, sj};
}

/// What coupled() is made of, without a choice at every point: (c1 mass + c2) / metric.
struct Factor {
    ConstProfile c1, c2;
    Field3 mass, metric; ///< one level
};

void set_factor(Coupling kind, const GridView &g, ConstField2 mu, const Range &columns, const Factor &f) {
    const auto full = [&](int i, int j) { return g.mub(i, j) + mu(i, j); };
    const auto set = [&](auto mass, auto metric) {
        for_each_column(
            columns, [&](int i, int j) { f.mass(i, 0, j) = mass(i, j), f.metric(i, 0, j) = metric(i, j); });
    };
    const auto one = [](int, int) { return real(1); };
    if (kind == Coupling::u)
        set([&](int i, int j) { return real(0.5) * (full(i, j) + full(i - 1, j)); }, g.msfuy);
    else if (kind == Coupling::v)
        set([&](int i, int j) { return real(0.5) * (full(i, j) + full(i, j - 1)); }, g.msfvx);
    else if (kind == Coupling::w)
        set(full, g.msfty);
    else
        set(full, one);
}

/// The least range that holds two; an empty one holds nothing.
Range hull(const Range &a, const Range &b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.i0, b.i0), std::max(a.i1, b.i1), std::min(a.j0, b.j0), std::max(a.j1, b.j1), 0, 1};
}

/// Ranges of columns less what they have of another.
std::vector<Range> without(const std::vector<Range> &ranges, const Range &other) {
    std::vector<Range> rest;
    for (const Range &r : ranges) {
        const int i0 = std::clamp(other.i0, r.i0, r.i1), i1 = std::clamp(other.i1, r.i0, r.i1);
        const int j0 = std::clamp(other.j0, r.j0, r.j1), j1 = std::clamp(other.j1, r.j0, r.j1);
        for (const Range &part : {r.with_j(r.j0, j0), r.with_j(j1, r.j1), Range{r.i0, i0, j0, j1, 0, 1},
                                  Range{i1, r.i1, j0, j1, 0, 1}})
            if (!part.empty()) rest.push_back(part);
    }
    return rest;
}

/// The parent's points, cells and faces, that those of a nest in [begin, end) are interpolated from.
std::pair<int, int> read_of(int begin, int end, int start, int ratio) {
    return {place_of_cell(begin, start, ratio).base - interpolation_reach,
            place_of_face(end - 1, start, ratio).base + interpolation_reach + 1};
}

Points points_of(Coupling kind) {
    return kind == Coupling::u ? Points::x_faces : kind == Coupling::v ? Points::y_faces : Points::cells;
}

} // namespace

ParentRim::ParentRim(const NestPlace &place, const Patch &nest, Interpolation rule, double parent_step,
                     bool base_apart)
    : place_(place), patch_(nest), parent_step_(parent_step), base_apart_(base_apart),
      workers_(std::size_t(omp_get_max_threads()), Worker{Interpolator(place, rule), {}, {}, {}, {}}) {}

/// Of a side's strip, the points that the patch's stencils touch.
Range ParentRim::touched(const RimField &field, Side side) const {
    const Rim rim(patch_);
    const RimStrip &strip = field.strip(side);
    const bool east = runs_east(side);
    const Column a = rim.column(side, 0, strip.first, field.points());
    const Column b = rim.column(side, field.width() - 1, strip.first, field.points());
    const int i1 = std::max(a.i, b.i) + (east ? strip.length : 1);
    const int j1 = std::max(a.j, b.j) + (east ? 1 : strip.length);
    return {std::max(std::min(a.i, b.i), -1),
            std::min(i1, patch_.shape.nx + 2),
            std::max(std::min(a.j, b.j), -1),
            std::min(j1, patch_.shape.ny + 2),
            0,
            field.levels()};
}

std::vector<Range> ParentRim::columns(const ParentWindow &window, const RimFields &into) const {
    std::vector<const RimField *> fields{&into.u, &into.v, &into.w, &into.theta, &into.ph, &into.mu};
    for (const RimField &scalar : into.scalars) fields.push_back(&scalar);
    const Region &w = window.region();
    std::vector<Range> all;
    for (const Side side : all_sides) {
        Range points;
        for (const RimField *field : fields)
            if (field->holds(side)) points = hull(points, touched(*field, side));
        if (points.empty()) continue;
        const auto [i0, i1] = read_of(points.i0 + patch_.x0, points.i1 + patch_.x0, place_.i0, place_.ratio);
        const auto [j0, j1] = read_of(points.j0 + patch_.y0, points.j1 + patch_.y0, place_.j0, place_.ratio);
        std::vector<Range> parts{{std::max(i0, w.i0) - w.i0, std::min(i1, w.i1) - w.i0,
                                  std::max(j0, w.j0) - w.j0, std::min(j1, w.j1) - w.j0, 0, 1}};
        for (const Range &other : all) parts = without(parts, other);
        all.insert(all.end(), parts.begin(), parts.end());
    }
    return all;
}

void ParentRim::fill(const ParentWindow &window, const GridView &grid, const State &nest, RimFields &into) {
    const State &from = window.state();
    variables_ = {{from.u.view(), nest.u.view(), Coupling::u, &into.u},
                  {from.v.view(), nest.v.view(), Coupling::v, &into.v},
                  {from.w.view(), nest.w.view(), Coupling::w, &into.w},
                  {from.theta.view(), nest.theta.view(), Coupling::layers, &into.theta,
                   base_apart_ ? grid.theta_init : ConstField3{}},
                  {from.ph.view(), nest.ph.view(), Coupling::interfaces, &into.ph},
                  {one_level(from.mu.view()), one_level(nest.mu.view()), Coupling::none, &into.mu}};
    for (std::size_t n = 0; n < from.scalars.size(); ++n)
        variables_.push_back(
            {from.scalars[n].view(), nest.scalars[n].view(), Coupling::layers, &into.scalars[n]});
    const int sides = int(std::size(all_sides));
    for_each_task(int(variables_.size()) * sides, [&](int n) {
        const Variable &v = variables_[std::size_t(n / sides)];
        const Side side = all_sides[n % sides];
        if (v.into->holds(side))
            fill_side(window, grid, nest.mu.view(), v, side, workers_[std::size_t(omp_get_thread_num())]);
    });
}

void ParentRim::fill_side(const ParentWindow &window, const GridView &g, ConstField2 mu, const Variable &v,
                          Side side, Worker &worker) const {
    const Range points = touched(*v.into, side), columns = points.with_k(0, 1);
    const auto interpolate = [&](Points kind, ConstField3 parent, const Range &p, Field3 to) {
        const int x0 = patch_.x0, y0 = patch_.y0;
        worker.interpolator.set(kind, window.in_parent(parent),
                                {p.i0 + x0, p.i1 + x0, p.j0 + y0, p.j1 + y0, p.k0, p.k1},
                                in_domain(to, x0, y0));
    };
    const Field3 there = laid_out(worker.there, points);
    interpolate(points_of(v.kind), v.parent, points, there);
    if (v.base.origin) {
        // The nest's base state, under the parent's mass.
        const Field3 mass = laid_out(worker.mass_there, columns);
        interpolate(Points::cells, one_level(window.state().mu.view()), columns, mass);
        for_each_row(points, [&](int k, int j) {
            return [there = there.row(k, j), base = v.base.row(k, j), mub = g.mub.row(j),
                    mass = mass.row(0, j), c1 = g.c1h[k],
                    c2 = g.c2h[k]](int i) { there[i] += base[i] * (c1 * (mub[i] + mass[i]) + c2); };
        });
    }
    const bool interfaces = v.kind == Coupling::w || v.kind == Coupling::interfaces;
    const Factor f{interfaces ? g.c1f : g.c1h, interfaces ? g.c2f : g.c2h, laid_out(worker.mass, columns),
                   laid_out(worker.metric, columns)};
    set_factor(v.kind, g, mu, columns, f);
    // A strip's lines lie along its side, one distance after the other.
    const bool east = runs_east(side);
    RimField &into = *v.into;
    RimStrip &strip = into.strip(side);
    const Column outermost = Rim(patch_).column(side, 0, strip.first, into.points());
    const std::ptrdiff_t line = std::ptrdiff_t(into.levels()) * strip.length;
    const std::ptrdiff_t step = east ? 1 : side == Side::west ? line : -line;
    for_each_row(points, [&](int k, int j) {
        const int distance = std::abs(east ? j - outermost.j : points.i0 - outermost.i);
        const auto first = std::ptrdiff_t(into.place(side, distance, k, east ? points.i0 : j));
        const bool bare = v.kind == Coupling::none;
        return [value = strip.value.data() + first - step * points.i0,
                rate = strip.tendency.data() + first - step * points.i0, step, there = there.row(k, j),
                q = v.nest.row(k, j), mass = f.mass.row(0, j), metric = f.metric.row(0, j),
                c1 = bare ? real(0) : f.c1[k], c2 = bare ? real(1) : f.c2[k],
                seconds = real(parent_step_)](int i) {
            const real here = q[i] * (c1 * mass[i] + c2) / metric[i];
            value[step * i] = here;
            rate[step * i] = (there[i] - here) / seconds;
        };
    });
}

} // namespace squall
