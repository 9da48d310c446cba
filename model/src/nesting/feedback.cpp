#include "nesting/feedback.hpp"

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
                   Smoothing smoothing, int first_rank, LevelRemap levels)
    : place_(place), parent_(parent),
      covered_(covered_by(place, {nest.x0, nest.x0 + nest.shape.nx, nest.y0, nest.y0 + nest.shape.ny})),
      shape_{covered_.i1 - covered_.i0, covered_.j1 - covered_.j0, nest.shape.nz},
      exchange_(comm, layout_of_feedback(place, parent, nest, first_rank)), levels_(std::move(levels)),
      smoothing_(smoothing) {
    if (!levels_.same()) mass_ = Array2(shape_);
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
    return levels_.layers_to() + (layers ? 0 : 1);
}

void Feedback::map_columns(std::span<const FedBack> variables, ConstField2 mub, ConstField2 mu) {
    const int r = place_.ratio;
    const Range columns{0, shape_.nx, 0, shape_.ny, 0, 1};
    for_each_column(columns, [&](int i, int j) {
        real sum = 0;
        for (int b = 0; b < r; ++b)
            for (int a = 0; a < r; ++a) {
                const int x = i * r + a, y = j * r + b;
                sum += mu.origin ? mub(x, y) + mu(x, y) : mub(x, y);
            }
        mass_(i, j) = sum / real(r * r);
    });
    while (mapped_.size() < variables.size())
        mapped_.emplace_back(Shape{shape_.nx, shape_.ny, levels_.layers_to()});
    for_each_task(int(variables.size()), [&](int n) {
        const FedBack &v = variables[std::size_t(n)];
        if (is_mapped(v))
            levels_.set(v.column, averages_[std::size_t(n)].view(), mass_.view(), columns,
                        mapped_[std::size_t(n)].view());
    });
}

Range Feedback::given(Points kind) const {
    const Region mine{parent_.x0, parent_.x0 + parent_.shape.nx, parent_.y0, parent_.y0 + parent_.shape.ny};
    const Region r = meet(mine, limits(kind));
    if (r.empty()) return {};
    return {r.i0 - parent_.x0, r.i1 - parent_.x0, r.j0 - parent_.y0, r.j1 - parent_.y0, 0, 1};
}

void Feedback::add_base(const FedBack &v) const {
    for_each(given(v.kind).with_k(0, levels_of(v)),
             [&](int i, int k, int j) { v.parent(i, k, j) += v.parent_base(i, k, j); });
}

void Feedback::give(std::span<const FedBack> variables, ConstField2 mub, ConstField2 mu) {
    while (averages_.size() < variables.size()) averages_.emplace_back(shape_);
    for_each_task(int(variables.size()),
                  [&](int n) { average(variables[std::size_t(n)], averages_[std::size_t(n)]); });
    if (!levels_.same()) map_columns(variables, mub, mu);
    moved_.clear();
    for (std::size_t n = 0; n < variables.size(); ++n) {
        const FedBack &v = variables[n];
        const Array3 &given = is_mapped(v) ? mapped_[n] : averages_[n];
        moved_.push_back({in_domain(ConstField3(given.view()), covered_.i0, covered_.j0),
                          in_domain(v.parent, parent_.x0, parent_.y0), levels_of(v), limits(v.kind)});
    }
    exchange_.move(moved_);
    for (const FedBack &v : variables)
        if (v.parent_base.origin) add_base(v);
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
