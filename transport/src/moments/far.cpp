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

void FarCuts::add_pieces(const double *air, Point west, Point east, double mass) {
    double end = -1; // of what is joined so far
    for (int cell = west.cell; cell <= east.cell; ++cell) {
        const double begin = cell == west.cell ? west.west : 0, stop = cell == east.cell ? east.west : 1;
        const double taken = stop - begin;
        const bool last = cell == east.cell;
        const double share = last ? (1 - end) / 2 : taken * air[cell] / mass;
        pieces_.push_back({cell, {taken, begin + stop - 1}, {share, end + share}});
        end += 2 * share;
    }
}

void FarCuts::cut(const double *air, const double *through, int reach, int n) {
    begins_.assign(1, 0), pieces_.clear(), mass_.clear();
    Point west = origin(air, through[0], reach, n + 2 * reach);
    for (int i = 0; i < n; ++i) {
        const Point east = origin(air, through[i + 1], reach + i + 1, n + 2 * reach);
        mass_.push_back(air[reach + i] + through[i] - through[i + 1]);
        add_pieces(air, west, east, mass_.back());
        begins_.push_back(pieces_.size());
        west = east;
    }
}

} // namespace squall::transport
