/// How much dry air and water a domain holds.
///
/// A column of dry mass mu = mub + mu' [Pa] over an area A = dx dy / (m_x m_y) holds mu A / g of dry air and
/// sum_k |d_eta| M q A / g of water, M = c1 mu + c2 (Skamarock et al. 2019, NCAR/TN-556, sections 2.2
/// and 2.3).
#pragma once

#include "core/exact_sum.hpp"
#include "core/loop.hpp"
#include "grid/grid_view.hpp"
#include "grid/state.hpp"

namespace squall {

struct Content {
    ExactSum dry, water; ///< [kg]
    ExactSum area;       ///< [m2]

    Content &operator+=(const Content &o) {
        dry += o.dry, water += o.water, area += o.area;
        return *this;
    }
    friend Content operator-(Content a, const Content &b) {
        a.dry -= b.dry, a.water -= b.water, a.area -= b.area;
        return a;
    }
};

/// Of the columns of a range (its k unused). The first `waters` scalars are water. Halos are not read.
/// Threads share the work.
Content content_of(const Range &columns, const GridView &grid, const State &state, int waters);

} // namespace squall
