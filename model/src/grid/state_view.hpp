/// The prognostic variables of a patch, as kernels that only read them hold them.
#pragma once

#include "grid/state.hpp"

namespace squall {

/// State without its scalars.
struct StateView {
    ConstField3 u, v, w, theta, ph;
    ConstField2 mu;
};

inline StateView view_of(const State &s) {
    return {s.u.view(), s.v.view(), s.w.view(), s.theta.view(), s.ph.view(), s.mu.view()};
}

} // namespace squall
