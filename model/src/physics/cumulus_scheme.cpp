#include "physics/cumulus_scheme.hpp"

#include <algorithm>

namespace squall {

void ConvectiveColumns::clear(int i) const {
    for (const Columns &f : {heating, dvapour, dcloud, drain, dice, dsnow, du, dv})
        if (f.origin)
            for (int k = 0; k < nz; ++k) f(i, k) = 0;
    rate[i] = 0;
}

void ConvectiveColumns::clear() const {
    for (const Columns &f : {heating, dvapour, dcloud, drain, dice, dsnow, du, dv})
        for (int k = 0; k < nz && f.origin; ++k) std::fill_n(f.row(k), n, real(0));
    std::fill_n(rate, n, real(0));
    std::fill_n(remaining, n, real(0));
}

} // namespace squall
