#include "physics/kessler/kessler.hpp"
#include "physics/microphysics_scheme.hpp"

namespace squall {

const std::map<std::string, MicrophysicsEntry> &microphysics_schemes() {
    static const std::map<std::string, MicrophysicsEntry> all{
        {"kessler", kessler()},
    };
    return all;
}

} // namespace squall
