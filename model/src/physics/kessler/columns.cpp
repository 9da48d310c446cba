#include "physics/kessler/columns.hpp"

#include <algorithm>
#include <array>

#include "core/loop.hpp"
#include "physics/kessler/reactions.hpp"
#include "physics/kessler/sedimentation.hpp"

namespace squall {

int Kessler::scratch_rows(int nz) { return (1 + FallingRain::profiles) * nz; }

void Kessler::advance(const MoistColumns &c, const Scratch &scratch) const {
    const Columns fallen = scratch_field(scratch, 0, c.nz);
    FallingRain falling(c.nz, scratch.from(c.nz));
    std::array<real, columns_at_a_time> most{};
    for (int k = 0; k < c.nz; ++k)
        for_each_i(0, c.n, [rain = c.rain.row(k), fallen = fallen.row(k), most = most.data()](int i) {
            fallen[i] = rain[i];
            most[i] = std::max(most[i], rain[i]);
        });
    for (int i = 0; i < c.n; ++i)
        if (most[static_cast<std::size_t>(i)] > 0) falling.fall(c, i, fallen);
    react_warm(c, fallen);
}

} // namespace squall
