#include "nesting/parent_window.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

ParentWindow::ParentWindow(MPI_Comm comm, const NestPlace &place, const Patch &parent, const Patch &nest,
                           int scalars, int first_rank)
    : parent_(parent),
      region_(window_of(place, {nest.x0, nest.x0 + nest.shape.nx, nest.y0, nest.y0 + nest.shape.ny}, parent)),
      exchange_(
          comm, [&](int rank) { return region_of(parent, rank); },
          [&](int rank) { return window_of(place, region_of(nest, rank - first_rank), parent); }) {
    const Shape shape{region_.i1 - region_.i0, region_.j1 - region_.j0, nest.shape.nz};
    grid_.shape = shape;
    for (Array2 *a :
         {&grid_.msftx, &grid_.msfty, &grid_.msfux, &grid_.msfuy, &grid_.msfvx, &grid_.msfvy, &grid_.f,
          &grid_.e, &grid_.sina, &grid_.cosa, &grid_.lat, &grid_.lon, &grid_.terrain, &grid_.mub})
        *a = Array2(shape);
    for (Array3 *a : {&grid_.phb, &grid_.theta_init}) *a = Array3(shape);
    state_ = State(shape, scalars);
    physics_ = PhysicsState(shape);
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
    std::vector<MovedField> all;
    for (const Fetched &f : fields) all.push_back(moved(f.from, f.to, f.levels));
    exchange_.move(all);
}

void ParentWindow::fetch(const Grid &p) {
    Grid &w = grid_;
    w.vertical = p.vertical;
    const int nz = w.shape.nz;
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
                                         moved(p.phb, w.phb, nz + 1),
                                         moved(p.theta_init, w.theta_init, nz)};
    exchange_.move(fields);
}

void ParentWindow::fetch(const State &p) {
    const int nz = grid_.shape.nz;
    std::vector<MovedField> fields{moved(p.u, state_.u, nz),       moved(p.v, state_.v, nz),
                                   moved(p.w, state_.w, nz + 1),   moved(p.theta, state_.theta, nz),
                                   moved(p.ph, state_.ph, nz + 1), moved(p.mu, state_.mu)};
    for (std::size_t n = 0; n < p.scalars.size(); ++n)
        fields.push_back(moved(p.scalars[n], state_.scalars[n], nz));
    exchange_.move(fields);
}

void ParentWindow::fetch(const PhysicsState &p) {
    const std::vector<MovedField> fields{moved(p.heating, physics_.heating, grid_.shape.nz),
                                         moved(p.rain, physics_.rain), moved(p.snow, physics_.snow),
                                         moved(p.graupel, physics_.graupel)};
    exchange_.move(fields);
}

} // namespace squall
