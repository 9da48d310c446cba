/// Words that the declaration of what a stream makes, and those who put it, have in common. Names of sources
/// are in no file, but in messages.
#pragma once

#include <string>

namespace squall {

inline std::string source_name(const std::string &field) { return field + " on the grid"; }

/// Which cells count, where not all do.
inline const std::string counting_name = "cells that count";

} // namespace squall
