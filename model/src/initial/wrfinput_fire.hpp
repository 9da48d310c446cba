/// The ground of a fire that a wrfinput file tells of.
#pragma once

#include "parallel/decomposition.hpp"
#include "physics/fire/fire.hpp"
#include "settings/config.hpp"

namespace squall {

/// Reads what `config` wants from initial.file of it on this patch's cells of the fire's grid: NFUEL_CAT and
/// FMC_G, where they are asked for, ZSF, DZDXF and DZDYF, where they are there. Nothing, of a built-in case.
/// Throws std::runtime_error: what the file lacks, or that its grid is another.
FireInput read_fire_input(const Config &config, const Patch &patch);

} // namespace squall
