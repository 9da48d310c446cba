// What mountains within cells do to the air: their rates of wind go with those of other columns' physics, the
// heating as that by radiation.
#include "solver/solver.hpp"

namespace squall {

void Solver::find_gravity_wave_drag(const State &reference) {
    for_each_tile(cell_tiles_, [&](const Range &tile) {
        gravity_waves_->advance(inner_cells(tile), grid_, reference, p_.view(), al_.view(),
                                initial_.ground.orography, initial_.physics.gravity_waves);
    });
}

} // namespace squall
