#include "initial/initial.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace squall {

const std::map<std::string, Case> &cases() {
    static const std::map<std::string, Case> all;
    return all;
}

InitialState make_initial_state(const Config &config, const Patch &patch) {
    if (!config.initial.file.empty()) return read_wrfinput(config, patch);
    const auto found = cases().find(config.initial.case_name);
    if (found == cases().end())
        throw std::runtime_error(fmt::format("there is no built-in case \"{}\"", config.initial.case_name));
    return found->second.make(config, patch);
}

} // namespace squall
