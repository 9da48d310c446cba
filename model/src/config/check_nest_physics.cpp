/// What a nest says of its own physics and mixing: that the scheme is on there that it belongs to.
#include <algorithm>

#include <fmt/format.h>

#include "config/checks.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

void check_scheme_of_key(Reading &r, const Config &nest) {
    const std::string table = "nest." + nest.identity.name;
    const auto belongs = [&](const char *key, bool on, const char *scheme) {
        const std::string path = fmt::format("{}.{}", table, key);
        if (r.has(path) && !on)
            r.problems.add(r.place(path),
                           fmt::format("{} has no effect without {}; leave it out", path, scheme));
    };
    const std::string &mixing = nest.diffusion.scheme;
    belongs("radiation_interval", nest.physics.radiation != "none", "physics.radiation");
    belongs("cumulus_interval", nest.physics.cumulus != "none", "a cumulus scheme in the nest");
    belongs("c_s", mixing.starts_with("smagorinsky"), "diffusion.scheme = \"smagorinsky-2d\" or \"-3d\"");
    belongs("c_k", mixing == "tke", "diffusion.scheme = \"tke\"");
    belongs("horizontal_viscosity", mixing == "constant", "diffusion.scheme = \"constant\"");
    belongs("sixth_order_factor", nest.diffusion.sixth_order != "none",
            "sixth_order = \"monotonic\" or \"plain\"");
    belongs("damping_depth", nest.damping.scheme != "none", "damping.scheme");
    belongs("damping_coefficient", nest.damping.scheme != "none", "damping.scheme");
}

/// A nest without a file has the mountains within its parent's cells.
void check_gravity_wave_drag(Reading &r, const Config &nest, const Config &parent) {
    const std::string path = "nest." + nest.identity.name + ".gravity_wave_drag";
    if (nest.physics.gravity_wave_drag == "none" || parent.physics.gravity_wave_drag != "none" ||
        !nest.initial.file.empty())
        return;
    r.problems.add(r.place(path),
                   fmt::format("{} = \"{}\" needs an initial_file of the nest, or the scheme in "
                               "its parent too: the mountains within cells are its parent's",
                               path, nest.physics.gravity_wave_drag));
}

void check_damping_depth(Reading &r, const Config &nest) {
    const std::string path = "nest." + nest.identity.name + ".damping_depth";
    if (const double top = nest.vertical.top; r.has(path) && top > 0 && nest.damping.depth >= top)
        r.problems.add(r.place(path), fmt::format("{} = {} m reaches the ground; vertical.top is {} m", path,
                                                  nest.damping.depth, top));
}

} // namespace

void check_nest_physics(Reading &r) {
    const std::vector<Config> domains = with_nests(r.config);
    for (const Config &domain : domains) {
        if (domain.identity.id == 1) continue;
        check_scheme_of_key(r, domain);
        const auto parent = std::ranges::find(domains, domain.identity.parent_id,
                                              [](const Config &c) { return c.identity.id; });
        if (parent != domains.end()) check_gravity_wave_drag(r, domain, *parent);
        check_damping_depth(r, domain);
    }
}

} // namespace squall
