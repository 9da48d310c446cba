#include "physics/microphysics_scheme.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "physics/kessler/kessler.hpp"
#include "physics/wsm6/wsm6.hpp"

namespace squall {

const std::map<std::string, MicrophysicsEntry> &microphysics_schemes() {
    static const std::map<std::string, MicrophysicsEntry> all{
        {"kessler", kessler_scheme()},
        {"wsm6", wsm6_scheme()},
    };
    return all;
}

const MicrophysicsEntry &microphysics_scheme(const std::string &name) {
    const auto found = microphysics_schemes().find(name);
    if (found == microphysics_schemes().end())
        throw std::runtime_error(fmt::format("there is no microphysics scheme \"{}\"", name));
    return found->second;
}

} // namespace squall
