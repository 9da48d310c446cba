// Which schemes a run has that names a suite.
#include <fmt/format.h>

#include "config/checks.hpp"
#include "physics/suites.hpp"
#include "settings/nests.hpp"

namespace squall {

void apply_suite(Reading &r) {
    PhysicsConfig &physics = r.config.physics;
    if (physics.suite == "none") return;
    if (!r.has("initial.file")) {
        r.problems.add(
            r.place("physics.suite"),
            fmt::format("physics.suite = \"{}\" needs initial.file, for latitudes and surface properties; in "
                        "a built-in case, name the schemes, such as microphysics = \"wsm6\"",
                        physics.suite));
        return;
    }
    const Suite &suite = suites().at(physics.suite);
    for (const auto &[key, member] : scheme_keys())
        if (!r.has("physics." + key)) physics.*member = suite.scheme(key, r.config.domain.dx);
    if (!r.has("diffusion.scheme")) r.config.diffusion.scheme = diffusion_of_suites;
    if (r.has("physics.cumulus")) return;
    for (const Config &domain : with_nests(r.config)) {
        if (domain.identity.id == 1) continue;
        NestConfig &nest = r.config.nests[static_cast<std::size_t>(domain.identity.id) - 2];
        if (nest.cumulus.empty()) nest.cumulus = suite.scheme("cumulus", domain.domain.dx);
    }
}

} // namespace squall
