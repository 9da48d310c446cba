/// What a reader needs to know that ADIOS2's metadata do not tell: dimensions and their names, the
/// order of everything, which fields are fixed in time. It is one attribute, in JSON.
#pragma once

#include <string>
#include <vector>

#include "engines/adios/adios.hpp"

namespace squall::io::adios {

/// Defines all attributes of a stream and its fields.
void define_attributes(const Layout &layout, adios2::IO &io);

/// Fills in everything of a source but its frames. Throws Error if Squall did not write the file.
void describe(adios2::IO &io, Source &source);

} // namespace squall::io::adios
