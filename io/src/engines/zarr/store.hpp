/// A store's metadata, ours or anybody's, as it is read.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/zarr/codec.hpp"
#include "engines/zarr/grid.hpp"
#include "read/source.hpp"

namespace squall::io::zarr {

/// Bytes of a chunk's offset and length in the index of a shard.
constexpr std::size_t shard_index_entry = 16;

/// What Squall must know of an array to read it.
struct Array {
    std::string name;
    std::vector<std::string> dimensions;   ///< names of all, also of the letters of a text
    std::vector<std::int64_t> shape, tile; ///< tile: a shard, or a chunk that is a file
    std::vector<std::int64_t> chunk;       ///< inner chunks of a shard; empty: there are none
    std::string data_type;                 ///< Zarr's
    Type type = Type::f32;                 ///< that holds all its values
    std::optional<std::int64_t> letters;   ///< of a text, which is one element
    bool letters_dimension = false;        ///< whether they are the last dimension
    std::vector<Chain> codecs;             ///< of a chunk; then, if there are shards, of their index
    bool index_at_end = true;
    std::string prefix, separator; ///< of the names of files
    Json fill_value;
    Json attributes;

    /// The file of a tile in the array's directory.
    std::string file(const std::vector<std::int64_t> &index) const;
};

struct Store {
    /// From the documents of a group and of its arrays: an object by their names, asked for if the group is
    /// one. Throws Error on whatever could not be read with bounds.
    Store(const Json &group, const std::function<Json()> &documents);

    bool own = false; ///< Squall wrote it, so nothing of it may be missing
    std::string record_dimension = "Time";
    std::vector<Dimension> dimensions; ///< those that are told; without the record dimension
    Json attributes, types;            ///< of the group; of attributes, see from_json
    Json encodings;                    ///< of letters in netCDF files, by the names of texts
    std::vector<Array> arrays;
    std::vector<Source::Unheld> unheld; ///< what is left out: groups, and arrays that no Field holds

  private:
    void take_own(const Json &text);
    void add(const std::string &name, const Json &document);

    std::map<std::string, std::string> texts_; ///< the dimension of the letters, per array
};

/// The documents of the arrays that a group's own document holds (its consolidated metadata), or nothing.
std::optional<Json> consolidated(const Json &group);

/// Reads the metadata of the group at a path. Throws Error.
Store read_store(const std::string &path);

/// What reads the arrays of a store in the directory at a path.
std::unique_ptr<Source> source_of(Store store, const std::string &path);

} // namespace squall::io::zarr
