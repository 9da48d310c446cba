/// Rates of change of the mass-coupled prognostic variables of a patch.
#pragma once

#include <vector>

#include "core/array.hpp"

namespace squall {

/// Tendencies without those of scalars, as kernels hold them.
struct TendencyFields {
    Field3 u, v, w, theta, ph;
    Field2 mu;
};

/// With M the dry mass of a layer (or interface) per unit eta, c1 (mub + mu') + c2, at the
/// point of the variable: d(M u / msfuy)/dt on west faces, d(M v / msfvx)/dt on south faces,
/// d(M w / msfty)/dt on interfaces, d(M theta / msfty)/dt on layers [Pa x unit / s];
/// geopotential [Pa m2 s-3] on interfaces and mu [Pa s-1] likewise.
/// These are the right-hand sides of NCAR/TN-556, section 2 and 3 (WRF: ru_tend, rv_tend, ...).
struct Tendencies {
    Tendencies() = default;
    explicit Tendencies(Shape s, int scalars_ = 0) : u(s), v(s), w(s), theta(s), ph(s), mu(s) {
        for (int n = 0; n < scalars_; ++n) scalars.emplace_back(s);
    }

    Array3 u, v, w, theta, ph;
    Array2 mu;
    std::vector<Array3> scalars; ///< d(M q / msfty)/dt on layers, in the order of State::scalars

    TendencyFields fields() { return {u.view(), v.view(), w.view(), theta.view(), ph.view(), mu.view()}; }
};

} // namespace squall
