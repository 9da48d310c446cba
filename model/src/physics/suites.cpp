#include "physics/suites.hpp"

#include <fmt/format.h>

namespace squall {

const std::vector<std::pair<std::string, std::string PhysicsConfig::*>> &scheme_keys() {
    using P = PhysicsConfig;
    static const std::vector<std::pair<std::string, std::string P::*>> all{
        {"microphysics", &P::microphysics},
        {"cumulus", &P::cumulus},
        {"gravity_wave_drag", &P::gravity_wave_drag},
        {"radiation", &P::radiation},
        {"boundary_layer", &P::boundary_layer},
        {"land", &P::land},
        {"surface_layer", &P::surface_layer},
        {"terrain_wind", &P::terrain_wind},
        {"ocean", &P::ocean},
    };
    return all;
}

std::string Suite::scheme(const std::string &key, double dx) const {
    if (key == "cumulus" && !cumulus_at_any_spacing && dx <= convection_resolved) return "none";
    const auto named = schemes.find(key);
    return named == schemes.end() ? "none" : named->second;
}

const std::map<std::string, Suite> &suites() {
    using Schemes = std::map<std::string, std::string>;
    const auto with = [](Schemes schemes) {
        schemes.merge(Schemes{{"radiation", "rrtmgp"},
                              {"surface_layer", "revised-mm5"},
                              {"boundary_layer", "ysu"},
                              {"land", "noah"}});
        return schemes;
    };
    static const std::map<std::string, Suite> all{
        {"conus",
         {"WRF's CONUS",
          with({{"microphysics", "thompson"},
                {"cumulus", "tiedtke-1989"},
                {"surface_layer", "eta"},
                {"boundary_layer", "myj"}}),
          true}},
        {"convection",
         {"convection-permitting, on cells of 1 to 5 km, without cumulus scheme",
          with({{"microphysics", "thompson"}, {"boundary_layer", "mynn"}})}},
        {"regional",
         {"forecasts of several days on cells of 1 to 50 km",
          with({{"microphysics", "wsm6"}, {"cumulus", "kain-fritsch"}})}},
        {"tropical",
         {"WRF's TROPICAL",
          with({{"microphysics", "wsm6"}, {"cumulus", "tiedtke"}, {"surface_layer", "mm5"}}), true}},
    };
    return all;
}

std::vector<std::string> describe_physics(const Config &config) {
    const PhysicsConfig &physics = config.physics;
    std::string schemes, own;
    for (const auto &[key, member] : scheme_keys()) {
        const std::string &scheme = physics.*member;
        if (scheme != "none") schemes += fmt::format("{}{} {}", schemes.empty() ? "" : ", ", key, scheme);
        if (physics.suite != "none" && scheme != suites().at(physics.suite).scheme(key, config.domain.dx))
            own += fmt::format("{}{} {}", own.empty() ? "" : ", ", key, scheme);
    }
    if (config.diffusion.scheme != "none")
        schemes += fmt::format("{}diffusion {}", schemes.empty() ? "" : ", ", config.diffusion.scheme);
    std::vector<std::string> lines{schemes.empty() ? "none: dry air" : schemes};
    if (physics.suite == "none") return lines;
    lines.push_back(fmt::format("suite {}{}", physics.suite, own.empty() ? "" : "; changed: " + own));
    return lines;
}

} // namespace squall
