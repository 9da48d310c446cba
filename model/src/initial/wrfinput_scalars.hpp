/// Water, tracers and potential temperature of a wrfinput file.
#pragma once

#include "grid/scalars.hpp"
#include "grid/state.hpp"
#include "initial/input_file.hpp"
#include "settings/config.hpp"

namespace squall {

/// Reads the owned points of state.scalars. What the file does not hold stays as it is, but for the
/// vapour of a moist run, which may be missing only from the file of a dry one; so do tracers to which
/// the run file gives an initial value. Throws std::runtime_error:
/// as InputFile; vapour in the file of a run without; values that are no mixing ratios. Negative
/// rounding of water and TKE becomes zero.
void read_scalars(const InputFile &file, const Config &config, const Patch &patch, const ScalarSet &scalars,
                  State &state);

/// Reads the owned points of state.theta, moist or dry as the run integrates it (State::theta); a
/// file that holds the other kind is converted. The scalars must be there.
void read_theta(const InputFile &file, const Config &config, const Patch &patch, const ScalarSet &scalars,
                State &state);

} // namespace squall
