/// How much of a patch differs from the whole globe, computed by one rank.
#pragma once

#include "drive/world.hpp"

namespace squall::transport {

/// Values of all fields of `mine` that are not, to the bit, those of `whole`.
inline int differing(const World &mine, const World &whole) {
    const Patch &p = mine.where().patch();
    int different = 0;
    for (int f = 0; f < mine.block().fields(); ++f)
        for (int j = 0; j < p.shape.ny; ++j)
            for (int k = 0; k < p.shape.nz; ++k)
                for (int i = 0; i < p.shape.nx; ++i)
                    different += mine.block().row(f, k, j)[i] != whole.block().row(f, k, p.y0 + j)[p.x0 + i];
    return different;
}

} // namespace squall::transport
