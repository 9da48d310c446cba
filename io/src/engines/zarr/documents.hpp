/// The metadata documents (zarr.json) of a store that is being written.
#pragma once

#include <cstdint>
#include <string>

#include "engines/zarr/codec.hpp"
#include "engines/zarr/grid.hpp"

namespace squall::io::zarr {

/// The attribute of the group that holds, as text of JSON, what Zarr cannot say: the record dimension, all
/// dimensions, the dimension that holds the letters of a text, the types of attributes.
constexpr auto own_attribute = "_squall";

/// A field as an array with so many frames.
Json array_document(const Layout &layout, int field, const Grid &grid, std::int64_t frames);

/// The group, with the documents of all arrays in it: `arrays` is an object of field names.
Json group_document(const Layout &layout, const Json &arrays);

/// "c.3.0.1": the file of a chunk or shard in its array's directory. Flat, since every directory
/// that gets an entry has to be brought to disk.
std::string chunk_name(bool per_frame, std::int64_t shard, const std::vector<std::int64_t> &index);

} // namespace squall::io::zarr
