#include "physics/wsm6/wsm6.hpp"

#include "physics/moist_kernel.hpp"
#include "physics/wsm6/reactions.hpp"
#include "physics/wsm6/scheme.hpp"

namespace squall {

MicrophysicsEntry wsm6_scheme() {
    MicrophysicsEntry entry = moist_kernel<wsm6::Scheme<true, wsm6::Reactions>>(
        "six classes of water with ice, Hong and Lim (2006)",
        {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel});
    entry.longest_step = wsm6::longest_step;
    return entry;
}

} // namespace squall
