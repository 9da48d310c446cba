#include "engines/zarr/shard_index.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"
#include "common/sizes.hpp"
#include "engines/zarr/files.hpp"

namespace squall::io::zarr {

StoredFile::StoredFile(const std::string &path)
    : path_(path), fd_(retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); })) {
    if (fd_ < 0 && errno != ENOENT) fail("opening", path);
    struct stat about {};
    if (fd_ < 0) return;
    if (::fstat(fd_, &about) != 0 || !S_ISREG(about.st_mode)) {
        ::close(fd_);
        throw Error("this is not a file; use another copy");
    }
    size_ = static_cast<std::uint64_t>(about.st_size);
}

StoredFile::~StoredFile() {
    if (fd_ >= 0) ::close(fd_);
}

Bytes StoredFile::read(const Extent &where) const {
    if (where.offset > size_ || where.bytes > size_ - where.offset)
        throw Error(fmt::format("the file has {} bytes, but should have {} from byte {} on; use another copy",
                                size_, where.bytes, where.offset));
    Bytes data(where.bytes);
    for (std::size_t done = 0; done < data.size();) {
        const auto n =
            ::pread(fd_, data.data() + done, data.size() - done, static_cast<off_t>(where.offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail("reading", path_);
        done += static_cast<std::size_t>(n);
    }
    return data;
}

std::vector<Extent> read_shard_index(const Array &array, const StoredFile &shard) {
    static_assert(sizeof(Extent) == shard_index_entry);
    const auto &chain = array.codecs[1];
    const auto chunks =
        static_cast<std::size_t>(Tiling{array.tile, array.chunk}.size()); // checked: store.cpp
    const auto bytes = plus(times(chunks, sizeof(Extent)), chain.overhead());
    if (shard.size() < bytes)
        throw Error(fmt::format("the file has {} bytes, but its index alone should have {}; use another copy",
                                shard.size(), bytes));
    const auto data = shard.read({array.index_at_end ? shard.size() - bytes : 0, bytes});
    Bytes room;
    std::vector<Extent> index(chunks);
    std::memcpy(index.data(), chain.undo(data, chunks * sizeof(Extent), room).data(),
                chunks * sizeof(Extent));
    return index;
}

} // namespace squall::io::zarr
