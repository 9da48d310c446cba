/// Cloud without rain: air that holds more vapour than saturation condenses the excess, and cloud
/// evaporates below it, as in the reversible benchmark of Bryan and Fritsch (2002, Mon. Wea. Rev. 130,
/// 2917-2928). What condenses stays in the air.
#pragma once

#include "physics/microphysics_scheme.hpp"

namespace squall {

MicrophysicsEntry condensation_scheme();

} // namespace squall
