/// What the engines of netCDF-C share: how a file's dimensions, fields, attributes, chunks and codecs are
/// declared. Call under alone().
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "declare/layout.hpp"

namespace squall::io::netcdf {

/// What is wrong with the format and the codec of a stream, or "".
std::string objection(const Layout &layout);

/// The flags for nc_create, by the kind of the stream's files.
int format_flags(const Layout &layout);

/// The parts into which netCDF-4 cuts one frame of a field: whole rows, 1 to 4 MiB, no larger than
/// the field. They depend on nothing else, so that a file does not depend on who writes it.
std::vector<std::int64_t> chunk_shape(const std::vector<std::int64_t> &shape, Type type);

/// Declares attributes of the file and its dimensions; the record dimension has id 0.
/// Returns the ids of the others.
std::map<std::string, int> define_dimensions(int file, const Layout &layout);

/// Declares a variable for points of `field` in the given dimensions (ids, with the record
/// dimension) of this shape (without it), and the field's attributes. Returns its id.
int define_variable(int file, const Layout &layout, const Field &field, const std::string &name,
                    const std::vector<int> &dimensions, const std::vector<std::int64_t> &shape);

/// Declares everything in the layout. Returns the id of each field.
std::vector<int> define_all(int file, const Layout &layout);

/// Declares in a file that is open, of the same format, what it lacks of the layout: dimensions and fields,
/// which get fill values in the frames that are there. Sets the attributes of a client's file.
void define_missing(int file, const Layout &layout);

/// Writes a box of a variable, whose first index is `frame` if it has the record dimension.
void put(int file, int variable, const Field &field, std::int64_t frame, const Box &box, const void *points);

} // namespace squall::io::netcdf
