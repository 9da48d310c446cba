/// Layers of snow that join where they are thin and part where they are thick.
#pragma once

#include "physics/noah_mp/snow.hpp"

namespace squall::noah_mp {

/// Joins layers that are too thin, gives up those of a shallow snow, sets Snow::water and depth. Returns the
/// water of layers that are no more [kg m-2]. A last layer that lost more than it had takes it from
/// `soil_ice` [m3 m-3].
real join_layers(const SnowRules &rules, Snow &snow, real &soil_ice);

/// Makes of one layer two or three, each as thick as it may be from the top down.
void part_layers(const SnowRules &rules, Snow &snow);

/// Sets Snow::water and depth by the layers.
void sum_layers(Snow &snow);

} // namespace squall::noah_mp
