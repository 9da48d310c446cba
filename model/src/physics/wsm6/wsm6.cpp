#include "physics/wsm6/wsm6.hpp"

#include "physics/wsm6/reactions.hpp"
#include "physics/wsm6/scheme.hpp"

namespace squall {
namespace {

struct Reactions {
    template <bool as_wrf> static void at(wsm6::Point &x, real dt) { wsm6::react<as_wrf>(x, dt); }
};

} // namespace

MicrophysicsEntry wsm6_scheme() {
    return {"six classes of water with ice, Hong and Lim (2006)",
            {Water::vapour, Water::cloud, Water::rain, Water::ice, Water::snow, Water::graupel},
            [](int nz) { return std::make_unique<wsm6::Scheme<true, Reactions>>(nz); },
            {},
            wsm6::longest_step};
}

} // namespace squall
