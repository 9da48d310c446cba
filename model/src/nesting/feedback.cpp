#include "nesting/feedback.hpp"

#include <algorithm>
#include <utility>

#include "core/loop.hpp"
#include "parallel/tasks.hpp"

namespace squall {
namespace {

Region covered_by(const NestPlace &place, const Region &nest) {
    const int r = place.ratio;
    return {place.i0 + nest.i0 / r, place.i0 + nest.i1 / r, place.j0 + nest.j0 / r, place.j0 + nest.j1 / r};
}

/// Cells and low faces that any variable may be given.
Region inside(const NestPlace &place) {
    const Region all = place.covered();
    return {all.i0 + 1, all.i1, all.j0 + 1, all.j1};
}

} // namespace

RegionLayout layout_of_feedback(const NestPlace &place, const Patch &parent, const Patch &nest,
                                int first_rank) {
    return {[=](int rank) { return covered_by(place, region_of(nest, rank - first_rank)); },
            [=](int rank) { return meet(region_of(parent, rank), inside(place)); }};
}

Smoothing smoothing_of(const std::string &word) {
    using enum Smoothing;
    return word == "1-2-1" ? one_two_one : word == "smooth-desmooth" ? smooth_desmooth : none;
}

Feedback::Feedback(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest,
                   Smoothing smoothing, int first_rank, LevelRemap up, LevelRemap down)
    : place_(place), parent_(parent),
      covered_(covered_by(place, {nest.x0, nest.x0 + nest.shape.nx, nest.y0, nest.y0 + nest.shape.ny})),
      shape_{covered_.i1 - covered_.i0, covered_.j1 - covered_.j0, nest.shape.nz},
      exchange_(comm, layout_of_feedback(place, parent, nest, first_rank)), up_(std::move(up)),
      down_(std::move(down)), smoothing_(smoothing) {
    if (!up_.same()) {
        const Region all = inside(place);
        corner_ = meet({all.i0 - parent.x0, all.i1 - parent.x0, all.j0 - parent.y0, all.j1 - parent.y0},
                       {0, parent.shape.nx, 0, parent.shape.ny});
        if (corner_.empty()) corner_ = {};
        arrival_ = {corner_.i1 - corner_.i0, corner_.j1 - corner_.j0, down_.layers_to()};
        own_ = Array3(arrival_);
        for (Array3 *a : {&change_, &mapped_}) *a = Array3({arrival_.nx, arrival_.ny, up_.layers_to()});
        mass_ = Array2(arrival_);
    }
    if (smoothing == Smoothing::none) return;
    using enum Boundary; // of no meaning: a nest lies away from its parent's sides
    halo_.emplace(comm, parent, Boundaries{open, open, open, open});
    along_y_ = Array3(parent.shape);
}

Region Feedback::limits(Points kind) const {
    Region r = inside(place_);
    if (kind != Points::x_faces) --r.i1;
    if (kind != Points::y_faces) --r.j1;
    return r;
}

/// As the value of the first part and the mean departure from it: what is uniform stays to the last bit.
void Feedback::average(const FedBack &v, Array3 &into) const {
    const int r = place_.ratio, wide = v.kind == Points::x_faces ? 1 : r,
              deep = v.kind == Points::y_faces ? 1 : r;
    const real share = real(1) / real(wide * deep);
    if (v.nest_base.origin) {
        for_each({0, shape_.nx, 0, shape_.ny, 0, v.levels}, [&](int i, int k, int j) {
            const auto departure = [&](int x, int y) { return v.nest(x, k, y) - v.nest_base(x, k, y); };
            const real first = departure(i * r, j * r);
            real sum = 0;
            for (int b = 0; b < deep; ++b)
                for (int a = 0; a < wide; ++a) sum += departure(i * r + a, j * r + b) - first;
            into(i, k, j) = first + sum * share;
        });
        return;
    }
    for_each_row({0, shape_.nx, 0, shape_.ny, 0, v.levels}, [&](int k, int j) {
        return [=, out = into.view().row(k, j), first = v.nest.row(k, j * r), sj = v.nest.sj](int i) {
            const real *part = first + i * r;
            real sum = 0;
            for (int b = 0; b < deep; ++b)
                for (int a = 0; a < wide; ++a) sum += part[a + sj * b] - part[0];
            out[i] = part[0] + sum * share;
        };
    });
}

/// Of the parent's.
int Feedback::levels_of(const FedBack &v) const {
    if (!is_mapped(v)) return v.levels;
    const bool layers = v.column == OnLevels::layers || v.column == OnLevels::amounts;
    return up_.layers_to() + (layers ? 0 : 1);
}

void Feedback::set_mass(ConstField2 mub, ConstField2 mu) {
    const Field2 mass = in_parent(mass_.view());
    const Range cells{corner_.i0, corner_.i1, corner_.j0, corner_.j1, 0, 1};
    for_each_column(cells, [&](int i, int j) { mass(i, j) = mu.origin ? mub(i, j) + mu(i, j) : mub(i, j); });
}

void Feedback::know_base(const WrfBaseAtmosphere &atmosphere, ConstField3 theta_init, ConstField2 mub) {
    Grid g; // the parent's columns on the nest's levels
    g.shape = arrival_, g.vertical = down_.target();
    g.mub = Array2(arrival_);
    for (Array3 *a : {&g.pb, &g.alb, &g.theta_init, &bend_}) *a = Array3(arrival_);
    set_mass(mub, {});
    g.mub.copy_from(mass_);
    set_base_state_from_mass(g, atmosphere);
    set_bend(down_, theta_init, in_parent(g.theta_init.view()), in_parent(mass_.view()), given(),
             in_parent(bend_.view()));
    knows_base_ = true;
}

/// Sets the parent's variable from what has arrived on the nest's levels.
void Feedback::map(const FedBack &v, ConstField3 arrived) {
    if (v.parent_base.origin) add_base(v, -1);
    const Range all = given(v.kind);
    for_each_task(all.j1 - all.j0, [&](int row) {
        const Range columns = all.with_j(all.j0 + row, all.j0 + row + 1);
        add_change(v, arrived, columns);
    });
    if (v.parent_base.origin) add_base(v);
}

void Feedback::add_change(const FedBack &v, ConstField3 arrived, const Range &columns) {
    const Field3 own = in_parent(own_.view()), change = in_parent(change_.view());
    const ConstField2 mass = in_parent(mass_.view());
    down_.set(v.column, v.parent, mass, columns, own);
    if (v.parent_base.origin && knows_base_) {
        const Field3 bend = in_parent(bend_.view());
        for_each(columns.with_k(0, v.levels), [&](int i, int k, int j) { own(i, k, j) += bend(i, k, j); });
    }
    for_each(columns.with_k(0, v.levels),
             [&](int i, int k, int j) { own(i, k, j) = arrived(i, k, j) - own(i, k, j); });
    up_.set(v.column == OnLevels::amounts ? OnLevels::layers : v.column, own, mass, columns, change);
    const Range levels = columns.with_k(0, levels_of(v));
    for_each(levels, [&](int i, int k, int j) { change(i, k, j) += v.parent(i, k, j); });
    if (v.column == OnLevels::amounts) keep_within(v, arrived, columns);
    for_each(levels, [&](int i, int k, int j) { v.parent(i, k, j) = change(i, k, j); });
}

/// A column of amounts that a change would take beyond all that was there takes as much of the nest's own
/// profile, which has the same integral and no such extremes, as keeps it within: rounding moves it by as
/// little.
void Feedback::keep_within(const FedBack &v, ConstField3 arrived, const Range &columns) {
    const Field3 change = in_parent(change_.view()), mapped = in_parent(mapped_.view());
    const int levels = levels_of(v);
    for_each_column(columns, [&](int i, int j) {
        real low = arrived(i, 0, j), high = low;
        const auto widen = [&](real q) { low = std::min(low, q), high = std::max(high, q); };
        for (int k = 0; k < v.levels; ++k) widen(arrived(i, k, j));
        for (int k = 0; k < levels; ++k) widen(v.parent(i, k, j));
        const auto beyond = [&](int k) { // by how much, of either sign
            return change(i, k, j) - std::clamp(change(i, k, j), low, high);
        };
        bool within = true;
        for (int k = 0; k < levels; ++k) within &= beyond(k) == 0;
        if (within) return;
        up_.set(v.column, arrived, in_parent(mass_.view()), columns.with_i(i, i + 1), mapped);
        real share = 0;
        for (int k = 0; k < levels; ++k)
            if (beyond(k) != 0) share = std::max(share, beyond(k) / (change(i, k, j) - mapped(i, k, j)));
        share = std::min(share, real(1));
        for (int k = 0; k < levels; ++k)
            change(i, k, j) =
                std::clamp(change(i, k, j) + share * (mapped(i, k, j) - change(i, k, j)), low, high);
    });
}

Range Feedback::given(Points kind) const {
    const Region mine{parent_.x0, parent_.x0 + parent_.shape.nx, parent_.y0, parent_.y0 + parent_.shape.ny};
    const Region r = meet(mine, limits(kind));
    if (r.empty()) return {};
    return {r.i0 - parent_.x0, r.i1 - parent_.x0, r.j0 - parent_.y0, r.j1 - parent_.y0, 0, 1};
}

void Feedback::add_base(const FedBack &v, real times) const {
    for_each(given(v.kind).with_k(0, levels_of(v)),
             [&](int i, int k, int j) { v.parent(i, k, j) += times * v.parent_base(i, k, j); });
}

void Feedback::give(std::span<const FedBack> variables, ConstField2 mub, ConstField2 mu) {
    while (averages_.size() < variables.size()) averages_.emplace_back(shape_);
    for_each_task(int(variables.size()),
                  [&](int n) { average(variables[std::size_t(n)], averages_[std::size_t(n)]); });
    while (!up_.same() && arrived_.size() < variables.size()) arrived_.emplace_back(arrival_);
    moved_.clear();
    for (std::size_t n = 0; n < variables.size(); ++n) {
        const FedBack &v = variables[n];
        const Field3 into = is_mapped(v) ? in_domain(in_parent(arrived_[n].view()), parent_.x0, parent_.y0)
                                         : in_domain(v.parent, parent_.x0, parent_.y0);
        moved_.push_back({in_domain(ConstField3(averages_[n].view()), covered_.i0, covered_.j0), into,
                          v.levels, limits(v.kind)});
    }
    exchange_.move(moved_);
    if (!up_.same()) set_mass(mub, mu);
    for (std::size_t n = 0; n < variables.size(); ++n) {
        const FedBack &v = variables[n];
        if (is_mapped(v))
            map(v, in_parent(arrived_[n].view()));
        else if (v.parent_base.origin)
            add_base(v);
    }
    if (smoothing_ != Smoothing::none) smooth(variables);
}

void Feedback::smooth(std::span<const FedBack> variables) {
    smoothed_.clear();
    for (const FedBack &v : variables)
        if (v.smoothed)
            smoothed_.push_back(
                HaloField{v.parent.origin, v.parent.sk, v.parent.sj, levels_of(v), v.kind}.inside());
    const auto pass = [&](real strength) {
        halo_->fill(smoothed_, 1);
        for (const FedBack &v : variables)
            if (v.smoothed) filter(v, strength);
    };
    pass(real(0.5));
    if (smoothing_ == Smoothing::smooth_desmooth) pass(real(-0.52));
}

/// Moves values towards the mean of their neighbours, by half: 1-2-1; by a negative share: back.
void Feedback::filter(const FedBack &v, real strength) {
    const Region given = limits(v.kind), inner{given.i0 + 1, given.i1 - 1, given.j0 + 1, given.j1 - 1};
    const Region mine{parent_.x0, parent_.x0 + parent_.shape.nx, parent_.y0, parent_.y0 + parent_.shape.ny};
    // One more column on either side, as far as columns are filtered at all, else as they are.
    const Region wide =
        meet({mine.i0 - 1, mine.i1 + 1, mine.j0, mine.j1}, {inner.i0 - 1, inner.i1 + 1, inner.j0, inner.j1});
    const Region r = meet(mine, inner);
    if (r.empty()) return;
    const int x0 = parent_.x0, y0 = parent_.y0;
    const Field3 q = v.parent, between = along_y_.view();
    for_each_row({wide.i0 - x0, wide.i1 - x0, r.j0 - y0, r.j1 - y0, 0, levels_of(v)}, [&](int k, int j) {
        return [=, out = between.row(k, j), here = q.row(k, j), south = q.row(k, j - 1),
                north = q.row(k, j + 1), i0 = inner.i0 - x0, i1 = inner.i1 - x0](int i) {
            const real change = strength * (real(0.5) * (north[i] + south[i]) - here[i]);
            out[i] = here[i] + (i >= i0 && i < i1 ? change : real(0));
        };
    });
    for_each_row({r.i0 - x0, r.i1 - x0, r.j0 - y0, r.j1 - y0, 0, levels_of(v)}, [&](int k, int j) {
        return [=, out = q.row(k, j), x = between.row(k, j)](int i) {
            out[i] = x[i] + strength * (real(0.5) * (x[i + 1] + x[i - 1]) - x[i]);
        };
    });
}

} // namespace squall
