/// A small storm's air with tracers in it, for tests.
#pragma once

#include <string>

#include "config/read.hpp"
#include "settings/config.hpp"

namespace squall::test {

/// 24 x 18 x 20 cells of 2 km; `more` are further tables.
inline Config tracer_case(const std::string &more, const std::string &physics = "") {
    return parse_config(R"([run]
duration = "600 s"
time_step = "12 s"
acoustic_substeps = 6
[domain]
nx = 24
ny = 18
nz = 20
dx = "2 km"
[vertical]
top = "20 km"
[physics]
microphysics = "kessler"
)" + physics + R"(
[initial]
case = "supercell"
)" + more,
                        "test.toml", {});
}

} // namespace squall::test
