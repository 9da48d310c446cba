#include "solver/stage_kernels.hpp"

#include <algorithm>

namespace squall {

void SlowTendencies::find(const Range &tile, const Scratch &scratch) const {
    terms.find(tile, flow, theta, step, scratch);
    add_to(tile);
}

void SlowTendencies::find_line(const Range &line, bool lowest, const Scratch &scratch) const {
    terms.find_line(line, lowest, flow, theta, step, scratch);
    add_to(line);
}

void SlowTendencies::add_to(const Range &tile) const {
    terms.add_held(tile, held);
    if (heating.origin) terms.add_heating(tile, flow.mu, heating);
}

void StageResult::find(const Range &tile) const {
    end.add_departures(tile);
    if (replaced_heating.origin) end.take_heating_back(tile, replaced_heating, step);
}

void StageKernels::run_row(int kernel, const Range &row, bool lowest, const Scratch &scratch) const {
    if (is_of_substeps(kernel)) return substeps.run_row(kernel - first_of_substeps(), row, scratch);
    const Range line = row.within(substeps.cells);
    if (line.j0 >= line.j1) return;
    if (kernel == all_but_mass())
        result.find(line);
    else if (kernel == mass_of_result())
        result.find_mass(line);
    else if (kernel != specified_w()) // its fluxes between rows outlast other kernels
        slow.find_line(line, lowest, scratch.from(acoustic_scratch_rows(substeps.grid.nz)));
    else if (substeps.rim)
        substeps.rim->finish_w(line, substeps.dt, substeps.departure.w);
}

Reach StageKernels::reach(int kernel) const {
    if (is_of_substeps(kernel)) return Substeps::reach(kernel - first_of_substeps());
    if (kernel == specified_w() && substeps.rim) return {substeps.rim->rows, substeps.rim->rows};
    // The result may be the reference itself. Advection looks at halo_width rows of that, mass at one.
    const Reach before = Substeps::reach_of(substeps.count);
    if (kernel == all_but_mass())
        return {std::max(1, halo_width - before.south), std::max(1, halo_width - before.north)};
    if (kernel == mass_of_result()) return {0, 1};
    return {};
}

} // namespace squall
