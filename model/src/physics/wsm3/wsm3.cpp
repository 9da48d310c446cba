#include "physics/wsm3/wsm3.hpp"

#include "physics/moist_kernel.hpp"
#include "physics/wsm3/columns.hpp"
#include "physics/wsm3/reactions.hpp"

namespace squall {

MicrophysicsEntry wsm3_scheme() {
    MicrophysicsEntry entry =
        moist_kernel<wsm3::Scheme>("three classes of water with simple ice, Hong, Dudhia and Chen (2004)",
                                   {Water::vapour, Water::cloud, Water::rain});
    entry.longest_step = wsm6::longest_step;
    entry.simple_ice = true;
    return entry;
}

} // namespace squall
