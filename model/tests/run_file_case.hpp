/// A run file that is right, and what becomes of it with other lines.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/read.hpp"

#define EXPECT_HAS(message, part)                                                                            \
    EXPECT_NE((message).find(part), std::string::npos) << "in: " << (message) << "\nmissing: " << (part)

namespace squall::run_file_case {

inline const std::string valid = R"(# a comment
[run]
duration = "900 s"
time_step = "1 s"
acoustic_substeps = 6

[domain]
nx = 512
ny = 1
nz = 64
dx = "100 m"
boundary_west = "symmetric"
boundary_east = "symmetric"

[vertical]
top = "6.4 km"

[diffusion]
scheme = "constant"
horizontal = "75 m2/s"
vertical = "75 m2 s-1"

[initial]
case = "density-current"

[output.history]
interval = "5 min"
)";

inline Config read(const std::string &text, const std::vector<std::string> &overrides = {}) {
    return parse_config(text, "foo.toml", overrides);
}

/// The message that refuses `text`; "accepted" if none does.
inline std::string refusal(const std::string &text, const std::vector<std::string> &overrides = {}) {
    try {
        read(text, overrides);
    } catch (const ConfigError &error) {
        return error.what();
    }
    return "accepted";
}

/// `text` with the first `from` replaced.
inline std::string with(std::string text, const std::string &from, const std::string &to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

} // namespace squall::run_file_case
