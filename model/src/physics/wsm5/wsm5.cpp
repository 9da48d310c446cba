#include "physics/wsm5/wsm5.hpp"

#include "physics/moist_kernel.hpp"
#include "physics/wsm5/reactions.hpp"
#include "physics/wsm6/scheme.hpp"

namespace squall {

MicrophysicsEntry wsm5_scheme() {
    MicrophysicsEntry entry = moist_kernel<wsm6::Scheme<false, wsm5::Reactions>>(
        "five classes of water with ice and snow, Hong, Dudhia and Chen (2004)",
        {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow});
    entry.longest_step = wsm6::longest_step;
    return entry;
}

} // namespace squall
