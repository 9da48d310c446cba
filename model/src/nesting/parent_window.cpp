#include "nesting/parent_window.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/loop.hpp"
#include "initial/wrf_base_state.hpp"
#include "parallel/tasks.hpp"

namespace squall {
namespace {

/// What the points of a patch of the nest, and two around them, are interpolated from, and the faces that
/// their masses are the mean of.
Region window_of(const NestPlace &place, const Region &nest, const Patch &parent) {
    if (nest.empty()) return {};
    const auto low = [&](int n, int start) {
        return start + std::max(n - 2, 0) / place.ratio - cells_around_nest;
    };
    const auto high = [&](int n, int whole, int start) {
        return start + std::min(n + 2, whole) / place.ratio + 1 + cells_around_nest;
    };
    const Region wanted{low(nest.i0, place.i0), high(nest.i1, place.nx, place.i0), low(nest.j0, place.j0),
                        high(nest.j1, place.ny, place.j0)};
    return meet(wanted, {0, parent.nx_domain, 0, parent.ny_domain});
}

} // namespace

RegionLayout layout_of_windows(const NestPlace &place, const Patch &parent, const Patch &nest,
                               int first_rank) {
    return {[=](int rank) { return region_of(parent, rank); },
            [=](int rank) { return window_of(place, region_of(nest, rank - first_rank), parent); }};
}

ParentWindow::ParentWindow(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest,
                           int scalars, int first_rank, LevelRemap levels)
    : parent_(parent),
      region_(window_of(place, {nest.x0, nest.x0 + nest.shape.nx, nest.y0, nest.y0 + nest.shape.ny}, parent)),
      exchange_(comm, layout_of_windows(place, parent, nest, first_rank)), levels_(std::move(levels)) {
    const Shape shape{region_.i1 - region_.i0, region_.j1 - region_.j0, nest.shape.nz};
    grid_.shape = shape;
    for (Array2 *a :
         {&grid_.msftx, &grid_.msfty, &grid_.msfux, &grid_.msfuy, &grid_.msfvx, &grid_.msfvy, &grid_.f,
          &grid_.e, &grid_.sina, &grid_.cosa, &grid_.lat, &grid_.lon, &grid_.terrain, &grid_.mub})
        *a = Array2(shape);
    for (Array3 *a : {&grid_.phb, &grid_.theta_init}) *a = Array3(shape);
    state_ = State(shape, scalars);
    physics_ = PhysicsState(shape);
    if (levels_.same()) return;
    for (Array3 *a : {&grid_.pb, &grid_.alb, &grid_.phb_residual}) *a = Array3(shape);
    const Shape there{shape.nx, shape.ny, parent.shape.nz};
    for (Array3 *a : {&arrived_.phb, &arrived_.theta_init, &arrived_.heating}) *a = Array3(there);
    arrived_.state = State(there, scalars);
    mass_ = Array2(shape);
}

void ParentWindow::map(OnLevels kind, ConstField3 from, Field3 to) const {
    levels_.set(kind, from, mass_.view(), columns(), to);
}

MovedField ParentWindow::moved(ConstField3 from, Field3 to, int levels) const {
    return {in_domain(from, parent_.x0, parent_.y0), in_parent(to), levels, region_};
}

MovedField ParentWindow::moved(const Array3 &from, Array3 &to, int levels) const {
    return moved(from.view(), to.view(), levels);
}

MovedField ParentWindow::moved(const Array2 &from, Array2 &to) const {
    const ConstField2 a = from.view();
    const Field2 b = to.view();
    return moved(ConstField3{a.origin, 0, a.sj}, Field3{b.origin, 0, b.sj}, 1);
}

void ParentWindow::fetch(std::span<const Fetched> fields) {
    moved_.clear();
    for (const Fetched &f : fields) moved_.push_back(moved(f.from, f.to, f.levels));
    exchange_.move(moved_);
}

void ParentWindow::fetch(const Grid &p, const BaseRule &rule) {
    Grid &w = grid_;
    w.vertical = levels_.same() ? p.vertical : levels_.target();
    const int nz = parent_.shape.nz;
    const bool same = levels_.same();
    Array3 &phb = same ? w.phb : arrived_.phb, &theta_init = same ? w.theta_init : arrived_.theta_init;
    const std::vector<MovedField> fields{moved(p.msftx, w.msftx),
                                         moved(p.msfty, w.msfty),
                                         moved(p.msfux, w.msfux),
                                         moved(p.msfuy, w.msfuy),
                                         moved(p.msfvx, w.msfvx),
                                         moved(p.msfvy, w.msfvy),
                                         moved(p.f, w.f),
                                         moved(p.e, w.e),
                                         moved(p.sina, w.sina),
                                         moved(p.cosa, w.cosa),
                                         moved(p.lat, w.lat),
                                         moved(p.lon, w.lon),
                                         moved(p.terrain, w.terrain),
                                         moved(p.mub, w.mub),
                                         moved(p.phb, phb, nz + 1),
                                         moved(p.theta_init, theta_init, nz)};
    exchange_.move(fields);
    if (same) return;
    mass_.copy_from(w.mub);
    map(OnLevels::geopotential, phb.view(), w.phb.view());
    if (rule.from ==
        BaseRule::From::atmosphere) { // as the nest's: departures from the one are from the other
        set_base_state_from_mass(w, rule.atmosphere);
        if (bend_.bytes() == 0) bend_ = Array3(w.shape);
        return set_bend(levels_, theta_init.view(), w.theta_init.view(), w.mub.view(), columns(),
                        bend_.view());
    }
    map(OnLevels::layers, theta_init.view(), w.theta_init.view());
    set_base_state_from_theta(w);
}

void ParentWindow::fetch(const State &p, const Array3 &ph) {
    look(p, ph);
    const Range all[] = {columns()};
    map_state(all);
}

void ParentWindow::look(const State &p, const Array3 &ph) {
    const int nz = parent_.shape.nz;
    State &s = levels_.same() ? state_ : arrived_.state;
    moved_ = {moved(p.u, s.u, nz),         moved(p.v, s.v, nz),     moved(p.w, s.w, nz + 1),
              moved(p.theta, s.theta, nz), moved(ph, s.ph, nz + 1), moved(p.mu, state_.mu)};
    for (std::size_t n = 0; n < s.scalars.size(); ++n)
        moved_.push_back(moved(p.scalars[n], s.scalars[n], nz));
    exchange_.move(moved_);
    if (levels_.same()) return;
    for_each_column(columns(), [&](int i, int j) { mass_(i, j) = grid_.mub(i, j) + state_.mu(i, j); });
}

void ParentWindow::map_state(std::span<const Range> columns) {
    if (levels_.same()) return;
    State &from = arrived_.state;
    using enum OnLevels;
    mapped_ = {{layers, &from.u, &state_.u},
               {layers, &from.v, &state_.v},
               {interfaces, &from.w, &state_.w},
               {layers, &from.theta, &state_.theta},
               {geopotential, &from.ph, &state_.ph}};
    for (std::size_t n = 0; n < from.scalars.size(); ++n)
        mapped_.push_back({amounts, &from.scalars[n], &state_.scalars[n]});
    const auto variables = mapped_.size();
    for_each_task(int(variables * columns.size()), [&](int n) {
        const Mapped &v = mapped_[std::size_t(n) % variables];
        const Range &part = columns[std::size_t(n) / variables];
        const bool departs = v.to == &state_.theta;
        if (departs)
            for_each(part.with_k(0, parent_.shape.nz),
                     [&](int i, int k, int j) { (*v.from)(i, k, j) -= arrived_.theta_init(i, k, j); });
        levels_.set(v.kind, v.from->view(), mass_.view(), part, v.to->view());
        if (departs)
            for_each(part.with_k(0, grid_.shape.nz),
                     [&](int i, int k, int j) { (*v.to)(i, k, j) += grid_.theta_init(i, k, j); });
        if (departs && bend_.bytes() > 0)
            for_each(part.with_k(0, grid_.shape.nz),
                     [&](int i, int k, int j) { (*v.to)(i, k, j) += bend_(i, k, j); });
    });
}

void ParentWindow::fetch(const PhysicsState &p) {
    Array3 &heating = levels_.same() ? physics_.heating : arrived_.heating;
    const std::vector<MovedField> fields{moved(p.heating, heating, parent_.shape.nz),
                                         moved(p.rain, physics_.rain), moved(p.snow, physics_.snow),
                                         moved(p.graupel, physics_.graupel)};
    exchange_.move(fields);
    if (!levels_.same()) map(OnLevels::amounts, heating.view(), physics_.heating.view());
}

} // namespace squall
