// What the lateral boundary does in a step, as kernels.
#include "boundary/lateral_boundary.hpp"
#include "core/constants.hpp"

namespace squall {

RelaxedRows LateralBoundary::relaxed() const {
    return {grid_,
            rim_,
            specified_,
            specified_ + relaxation_ - 1,
            weights_.data(),
            end_,
            keeps_constants_,
            fields_.views(),
            {water_.data(), patch_.shape.nx}};
}

void LateralBoundary::add_relaxation(const Chain &chain, const State &state, ConstField3 ru, ConstField3 rv,
                                     int waters, Tendencies &t) const {
    const RelaxedRows rows = relaxed();
    chain.run(chain.tile(), [=, s = view_of(state), tend = t.fields()](const Range &tile, const Scratch &) {
        rows.add(tile, s, ru, rv, tend);
        rows.clear_water(tile);
    });
    for (std::size_t n = 0; n < fields_.scalars.size(); ++n)
        if (knows_scalar(int(n)))
            chain.run(chain.tile(), [=, source = fields_.scalars[n].view(), q = state.scalars[n].view(),
                                     mu = state.mu.view(), is_water = int(n) < waters,
                                     tend = t.scalars[n].view()](const Range &tile, const Scratch &) {
                rows.add_to_scalar(tile, source, q, mu, tend);
                if (is_water) rows.add_water(tile, tend);
            });
}

/// Each is d(M q / m_y)/dt: over a cell's area dx dy / (m_x m_y) and |d_eta| it is a mass per time.
ExactSum LateralBoundary::relaxed_water() const {
    const double cell = dt_ * double(grid_.dx) * double(grid_.dy) / double(constants::g);
    const RelaxedRows rows = relaxed();
    ExactSum sum;
    rim_.for_each_line({0, grid_.nx, 0, grid_.ny, 0, 1}, Points::cells, rows.first, rows.last,
                       [&](const RimLine &line) {
                           const Range &r = line.points;
                           for (int j = r.j0; j < r.j1; ++j)
                               for (int i = r.i0; i < r.i1; ++i)
                                   sum.add(rows.water(i, j) * cell / double(grid_.msftx(i, j)));
                       });
    return sum;
}

void LateralBoundary::set_scalar(const Chain &chain, int n, real ahead, Field3 scalar) const {
    chain.run(chain.tile(), [=, rows = specified(), source = fields_.scalars[std::size_t(n)].view(),
                             elapsed = begin_ + ahead](const Range &tile, const Scratch &) {
        rows.set_scalar(tile, source, elapsed, scalar);
    });
}

void LateralBoundary::impose(const Chain &chain, State &state) const {
    const SpecifiedRows rows = specified();
    chain.run(chain.tile(), [=, end = end_, fields = state.fields()](const Range &tile, const Scratch &) {
        rows.impose(tile, end, fields);
    });
    // Under the mass of the source, whatever the model's is.
    for (std::size_t n = 0; n < fields_.scalars.size(); ++n)
        if (knows_scalar(int(n)))
            chain.run(chain.tile(), [=, source = fields_.scalars[n].view(), end = end_,
                                     scalar = state.scalars[n].view()](const Range &tile, const Scratch &) {
                rows.set_scalar(tile, source, end, scalar);
            });
}

} // namespace squall
