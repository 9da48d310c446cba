#include "settings/network.hpp"

#include <algorithm>

#include "squall/io.hpp"

namespace squall {

bool goes_over_network(const std::string &engine) {
    return std::ranges::any_of(io::engine_infos(),
                               [&](const auto &known) { return known.name == engine && known.network; });
}

} // namespace squall
