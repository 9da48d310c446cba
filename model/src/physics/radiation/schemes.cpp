#include "physics/radiation/scheme.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "physics/radiation/broadband/broadband.hpp"
#include "physics/radiation/rrtmgp.hpp"
#include "physics/radiation/stratocumulus.hpp"

namespace squall::radiation {

const std::map<std::string, SchemeEntry> &schemes() {
    static const std::map<std::string, SchemeEntry> all{
        {"broadband", broadband_scheme()},
        {"rrtmgp", rrtmgp_scheme(Resolution::coarse)},
        {"rrtmgp-dudhia",
         with_dudhia(rrtmgp_scheme(Resolution::coarse, LongwaveClouds::grey),
                     "longwave by RRTMGP with 128 g-points and grey clouds, shortwave by Dudhia (1989)")},
        {"rrtmgp-fine", rrtmgp_scheme(Resolution::fine)},
        {"stratocumulus", stratocumulus_scheme()},
    };
    return all;
}

const SchemeEntry &scheme_named(const std::string &name) {
    const auto found = schemes().find(name);
    if (found != schemes().end()) return found->second;
    std::string names;
    for (const auto &[known, entry] : schemes())
        names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", known);
    throw std::runtime_error(
        fmt::format("there is no radiation scheme \"{}\"; choose one of {}", name, names));
}

} // namespace squall::radiation
