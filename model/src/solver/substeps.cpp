#include "solver/substeps.hpp"

namespace squall {

void Substeps::prepare(const Range &wide) const {
    const Range range = whole_vectors(wide);
    if (at_rest)
        clear_departure(range, grid, reference, departure);
    else
        prepare_departure(range, grid, reference, now, departure);
    factor_vertical_solver(range, grid, settings, reference, departure);
}

void Substeps::advance_wind(int n, const Range &tile, const PatchFaces &on, const Scratch &scratch) const {
    advance_momentum(tile.within(inner), grid, settings, reference, on, at_rest && n == 0, departure,
                     scratch);
    if (rim) rim->advance_momentum(tile, settings.dts, departure);
}

// The northernmost faces look at the row beyond the cells: their turn comes with that row.
void Substeps::advance_wind_row(int n, const Range &row, const Scratch &scratch) const {
    PatchFaces own = faces;
    own.v.last_cells = -1;
    if (const Range tile = row.within(cells); tile.j0 < tile.j1) advance_wind(n, tile, own, scratch);
    if (row.j0 != faces.v.last_cells) return;
    own.u = {};
    advance_momentum(row.within(inner.with_j(row.j0, row.j1)), grid, settings, reference, own,
                     at_rest && n == 0, departure, scratch);
}

void Substeps::advance_columns(int n, const Range &tile, const Scratch &scratch) const {
    const bool last = n == count - 1;
    // Here, where the faces that the next tile has are advanced too.
    sum.add(tile, departure.u, departure.v, n == 0);
    sides.add_mass(tile, grid, departure.u, departure.v, settings.dts);
    if (n == 0) sides.add_mass(tile, grid, ru, rv, dt);
    squall::advance_columns(tile.within(inner), grid, settings, reference, last, departure, scratch);
    if (!rim) return;
    rim->advance_columns(tile, settings.dts, reference.ph, reference.mu, departure);
    if (!last)
        rim->for_each_line(
            tile, [&](Range line) { update_pressure(line, grid, settings, reference, departure, scratch); });
}

void Substeps::run(int kernel, const Range &tile, const Scratch &scratch) const {
    if (kernel == 0)
        prepare(tile);
    else if (ends_substep(kernel))
        advance_columns(substep_of(kernel), tile, scratch);
    else
        advance_wind(substep_of(kernel), tile, faces, scratch);
}

void Substeps::run_row(int kernel, const Range &row, const Scratch &scratch) const {
    if (kernel == 0)
        prepare(row);
    else if (!ends_substep(kernel))
        advance_wind_row(substep_of(kernel), row, scratch);
    else if (const Range tile = row.within(cells); tile.j0 < tile.j1)
        advance_columns(substep_of(kernel), tile, scratch);
}

} // namespace squall
