/// What a domain inside another is, as if it were one of its own.
#pragma once

#include <string>
#include <vector>

#include "settings/config.hpp"

namespace squall {

/// The settings of a nest of the domain that `parent` is the settings of: the parent's, but for its cells,
/// spacing and time step, its sides, which are specified, its streams, and what it says itself of physics.
/// `id`: its number, from 2. Sources of tracers keep their place on the ground.
Config nest_config(const Config &parent, const NestConfig &nest, int id);

/// The nests right inside a domain (of its `identity`), each with its number.
struct NumberedNest {
    const NestConfig *nest;
    int id;
};
std::vector<NumberedNest> nests_inside(const Config &config);

/// What is to be known of a nest's ratio where it gives back to its parent; "" of an odd one, or one-way.
std::string note_on_ratio(const NestConfig &nest);

/// The number of the domain whose stream has a name like `history_d02`: 2; 1 without such an ending.
int domain_of_stream(const std::string &name);

/// The settings of a domain and of all nests inside it, parents first.
std::vector<Config> with_nests(const Config &config);

} // namespace squall
