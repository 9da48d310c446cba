/// What is read of a file in a store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/zarr/shard.hpp"
#include "engines/zarr/store.hpp"

namespace squall::io::zarr {

class StoredFile {
  public:
    /// A file that need not exist. Throws Error if it is none, or cannot be opened.
    explicit StoredFile(const std::string &path);
    ~StoredFile();
    StoredFile(const StoredFile &) = delete;
    StoredFile &operator=(const StoredFile &) = delete;

    bool exists() const { return fd_ >= 0; }
    std::uint64_t size() const { return size_; }
    /// Throws Error if it does not lie in the file.
    Bytes read(const Extent &where) const;

  private:
    std::string path_;
    int fd_;
    std::uint64_t size_ = 0;
};

/// Where the inner chunks of a shard are, in their order. Throws Error if the file has no room for so many.
std::vector<Extent> read_shard_index(const Array &array, const StoredFile &shard);

} // namespace squall::io::zarr
