/// The metadata documents (zarr.json) of a store that is being written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/zarr/codec.hpp"
#include "engines/zarr/grid.hpp"

namespace squall::io::zarr {

/// The attribute of the group that holds, as text of JSON, what Zarr cannot say: the record dimension, all
/// dimensions, the dimension that holds the letters of a text, the types of attributes.
constexpr auto own_attribute = "_squall";
/// Of letters in netCDF files: of texts it is among our own notes.
constexpr auto encoding_attribute = "_Encoding";

/// A field as an array with so many frames.
Json array_document(const Layout &layout, int field, const Grid &grid, std::int64_t frames);

/// The grids of the fields in a store that is there, whose arrays have these documents: their shards keep
/// their numbers of frames, also if the declaration has gained fields. Throws Error.
std::vector<Grid> grids_in_store(const Layout &layout, const Json &arrays);

/// The texts of a store's documents, for any number of frames. Made once for all stores of a layout: of many
/// fields that takes milliseconds, which a store of each frame would take anew.
class Documents {
  public:
    Documents(const Layout &layout, const std::vector<Grid> &grids);
    /// Of a field, by itself.
    std::string array(int field, std::int64_t frames) const { return arrays_[field].with(frames); }
    /// Of the group, with those of all arrays in it.
    std::string group(std::int64_t frames) const;

  private:
    /// A text around a number of frames, if it tells one.
    struct Text {
        std::string before, after;
        bool tells = false;
        explicit Text(std::string text);
        std::string with(std::int64_t frames) const;
    };
    std::vector<Text> arrays_, members_; ///< by field: by themselves, and as what the group has of them
    std::string before_, after_;         ///< the group's, around these
};

/// "c.3.0.1": the file of a chunk or shard in its array's directory. Flat, since every directory
/// that gets an entry has to be brought to disk.
std::string chunk_name(bool per_frame, std::int64_t shard, const std::vector<std::int64_t> &index);

} // namespace squall::io::zarr
