#include "physics/cumulus_scheme.hpp"

namespace squall {

void ConvectiveColumns::clear(int i) const {
    for (const Columns &f : {heating, dvapour, dcloud, drain, dice, dsnow, du, dv})
        if (f.origin)
            for (int k = 0; k < nz; ++k) f(i, k) = 0;
    rate[i] = 0;
}

} // namespace squall
