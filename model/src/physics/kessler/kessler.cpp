#include "physics/kessler/kessler.hpp"

#include "physics/kessler/columns.hpp"
#include "physics/moist_kernel.hpp"

namespace squall {

MicrophysicsEntry kessler_scheme() {
    MicrophysicsEntry entry =
        moist_kernel<Kessler>("warm rain, Kessler (1969) in the form of Klemp and Wilhelmson (1978)",
                              {Water::vapour, Water::cloud, Water::rain});
    entry.tells_sizes_in_wrf = false;
    return entry;
}

} // namespace squall
