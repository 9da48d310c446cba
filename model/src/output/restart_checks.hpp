/// Whether a restart file is of the run that is to go on, and what tells.
#pragma once

#include <array>
#include <string>

#include "grid/grid.hpp"
#include "grid/scalars.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// What must be the same in the run that continues.
struct Identity {
    const char *name, *meaning;
    double value;
};
std::array<Identity, 3> identity(const Grid &grid);

/// run.start, as restart files have it.
std::string start_of(const Config &config);

/// The names of a run's scalars, likewise.
std::string names_of(const ScalarSet &scalars);

/// What sets a nest's variables and dimensions apart: nothing for the outermost domain.
std::string suffix_of(const Config &config);

/// Throws io::Error: the file cannot be continued from, and why.
[[noreturn]] void refuse(const io::Reader &file, const std::string &what);

/// Throws likewise where what the file holds of a domain is not what the run file asks for.
void check_restart(const io::Reader &file, const Config &config, const Patch &patch, const Grid &grid);

} // namespace squall
