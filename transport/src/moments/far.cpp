#include "moments/far.hpp"

#include <fmt/format.h>

#include "core/local_error.hpp"

namespace squall::transport {

/// Where the air was that passes a face of the longer row, that between cells face - 1 and face.
FarCuts::Point FarCuts::origin(const double *air, double through, int face, int cells) {
    const int step = through > 0 ? -1 : 1;
    double rest = through > 0 ? through : -through;
    for (int cell = through > 0 ? face - 1 : face; cell >= 0 && cell < cells; cell += step) {
        if (rest < air[cell]) return {cell, through > 0 ? 1 - rest / air[cell] : rest / air[cell]};
        rest -= air[cell];
    }
    throw LocalError(fmt::format("{:.3g} kg of air pass a face, more than the cells within reach have: use a "
                                 "shorter run.time_step",
                                 through));
}

void FarCuts::add_cell(const double *air, int cell, Point west, Point east) {
    const int whole = east.cell - west.cell - 1; // between the first and the last piece
    if (whole > 1) return add_wide(air, cell, west, east);
    const int own = whole == 1 ? west.cell + 1 : west.cell;
    cuts_.low_taken[cell] = own > west.cell ? 1 - west.west : 0;
    cuts_.high_taken[cell] = own < east.cell ? east.west : 0;
    cuts_.low_out[cell] = own == west.cell ? west.west : 0;
    cuts_.high_out[cell] = own == east.cell ? 1 - east.west : 0;
    cuts_.low_in[cell] = cuts_.low_taken[cell] * air[west.cell] / cuts_.mass[cell];
    cuts_.high_in[cell] = cuts_.high_taken[cell] * air[east.cell] / cuts_.mass[cell];
    if (!runs_.empty() && runs_.back().begin + runs_.back().count == cell &&
        runs_.back().own + runs_.back().count == own)
        ++runs_.back().count;
    else
        runs_.push_back({cell, 1, own});
}

void FarCuts::add_wide(const double *air, int cell, Point west, Point east) {
    wide_.push_back({cell, pieces_.size(), 0});
    double end = -1; // of what is joined so far
    for (int old = west.cell; old <= east.cell; ++old) {
        const double begin = old == west.cell ? west.west : 0, stop = old == east.cell ? east.west : 1;
        const double taken = stop - begin;
        const double share = old == east.cell ? (1 - end) / 2 : taken * air[old] / cuts_.mass[cell];
        pieces_.push_back({old, {taken, begin + stop - 1}, {share, end + share}});
        end += 2 * share;
    }
    wide_.back().end = pieces_.size();
}

void FarCuts::cut(const double *air, const double *through, int reach) {
    runs_.clear(), wide_.clear(), pieces_.clear();
    Point west = origin(air, through[0], reach, n_ + 2 * reach);
    for (int i = 0; i < n_; ++i) {
        const Point east = origin(air, through[i + 1], reach + i + 1, n_ + 2 * reach);
        cuts_.mass[i] = air[reach + i] + through[i] - through[i + 1];
        add_cell(air, i, west, east);
        west = east;
    }
}

} // namespace squall::transport
