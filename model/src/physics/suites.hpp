/// Suites: names for sets of physics schemes that go together.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "settings/config.hpp"

namespace squall {

/// What a suite names.
struct Suite {
    std::string meaning;
    std::map<std::string, std::string> schemes; ///< by key of [physics], such as {"land", "noah"}
    bool cumulus_at_any_spacing = false;        ///< else not on cells that resolve convection

    /// The scheme for `key` on cells of `dx` [m]; none where the suite has none, as of gravity-wave drag
    /// (WRF's suites leave gwd_opt alone).
    std::string scheme(const std::string &key, double dx) const;
};

/// By name.
const std::map<std::string, Suite> &suites();

/// Cells up to this size [m] need no cumulus scheme where a suite decides (WRF's user guide: none at 5 km
/// and finer).
constexpr double convection_resolved = 5000;

/// Mixing along model levels, which goes with a suite's boundary layer, whose mixing is upwards.
constexpr const char *diffusion_of_suites = "smagorinsky-2d";

/// The keys of schemes in [physics] and where they are kept, in the order in which they are told.
const std::vector<std::pair<std::string, std::string PhysicsConfig::*>> &scheme_keys();

/// The schemes of `config` and where they come from, one line each, for people.
std::vector<std::string> describe_physics(const Config &config);

} // namespace squall
