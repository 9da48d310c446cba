/// Files whose frames lie along a dimension that is not unlimited, as xarray and others write them.
#pragma once

#include <memory>

#include "read/source.hpp"

namespace squall::io::tools {

/// The same with "Time" or "time" as its record dimension, if it has none and that is the first dimension of
/// all fields that have it.
std::unique_ptr<Source> with_frames(std::unique_ptr<Source> source);

} // namespace squall::io::tools
