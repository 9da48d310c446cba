/// RRTMGP's gas optics with the solvers and clouds beside them (Pincus, Mlawer and Delamere 2019, JAMES 11,
/// 3074-3089; see docs/explanation/radiation.md).
#pragma once

#include "physics/radiation/longwave.hpp"
#include "physics/radiation/scheme.hpp"
#include "physics/radiation/tables.hpp"

namespace squall::radiation {

SchemeEntry rrtmgp_scheme(Resolution resolution, LongwaveClouds clouds = LongwaveClouds::of_tables);

} // namespace squall::radiation
