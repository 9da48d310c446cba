/// What a wrfinput file must be beyond finite numbers: an atmosphere that a run can start from. All
/// throw std::runtime_error: the file, the variables and the place.
#pragma once

#include "initial/initial.hpp"
#include "initial/input_file.hpp"
#include "settings/config.hpp"

namespace squall {

/// The coefficients that were read must agree with those that follow from the eta levels.
void check_coefficients(const InputFile &file, const VerticalGrid &read, const VerticalGrid &computed);

/// PHB must begin at the terrain. grid.phb is the file's.
void check_surface(const InputFile &file, const Patch &patch, const Grid &grid);

/// Masses, map factors and layers must be positive, temperatures above 0 K, and the pressure of each
/// layer near the weight of the air above it. Catches files that were cut short (their tail reads as
/// zeros) or never filled.
void check_atmosphere(const InputFile &file, const Config &config, const Patch &patch,
                      const InitialState &initial);

} // namespace squall
