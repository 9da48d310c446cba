/// An initial state before anything is known: arrays allocated, a flat plane without rotation.
#pragma once

#include "initial/initial.hpp"

namespace squall {

/// Every array zero except map factors and cosa, which are 1. The vertical coordinate and the base
/// profiles are left empty. The scalars are those of the configuration, the ground an ocean.
InitialState blank_state(const Config &config, Shape shape, double dx, double dy);

} // namespace squall
