#include "stage/memory.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {
namespace {

[[noreturn]] void fail(const std::string &doing) {
    throw Error(fmt::format("{}: {}", doing, std::strerror(errno)));
}

/// A file that has no name, or has lost it.
int nameless_file(const std::string &directory) {
    int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    auto name = directory + "/squall-spill-XXXXXX"; // not every file system has files without a name
    fd = mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) fail(fmt::format("making a file in spill_dir {}", directory));
    unlink(name.c_str());
    return fd;
}

} // namespace

struct Memory::Chunk {
    std::shared_ptr<Pool> pool;
    std::shared_ptr<Reserve> reserve; ///< whose block it is, in place of a pool's
    std::byte *block = nullptr;
    std::size_t bytes = 0;
    int fd = -1;
    int pins = 0;
    std::atomic<int> owners = 1;
    std::mutex mapping;

    Chunk(std::shared_ptr<Pool> p, std::byte *b, std::size_t n, int f)
        : pool(std::move(p)), block(b), bytes(n), fd(f) {}
    ~Chunk() {
        if (pins > 0 && pool) pool->unpin(bytes);
        if (fd >= 0) {
            if (block) munmap(block, bytes);
            ::close(fd);
        } else if (reserve) {
            reserve->give_back(block, bytes);
        } else if (pool) {
            pool->give_back(block, bytes);
        } else {
            delete[] block;
        }
    }
    Chunk(const Chunk &) = delete;
    Chunk &operator=(const Chunk &) = delete;

    std::byte *mapped() {
        const std::lock_guard lock(mapping);
        if (block || fd < 0) return block;
        void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED) fail("mapping a spilled block");
        return block = static_cast<std::byte *>(at);
    }
};

Memory::Memory(std::shared_ptr<Pool> pool, std::byte *block, std::size_t bytes)
    : chunk_(new Chunk(std::move(pool), block, bytes, -1)) {}

Memory Memory::out_of(std::shared_ptr<Reserve> reserve, std::size_t bytes) {
    auto *block = reserve->take(bytes);
    if (!block) return {};
    Memory m(nullptr, block, bytes);
    m.chunk_->reserve = std::move(reserve);
    return m;
}

Memory Memory::on_heap(std::size_t bytes) { return {nullptr, new std::byte[bytes], bytes}; }

Memory Memory::in_file(const std::string &directory, std::size_t bytes) {
    Memory m;
    m.chunk_ = new Chunk(nullptr, nullptr, bytes, nameless_file(directory));
    // Space is taken now: a full disk is an error here and not a signal later.
    int problem = 0;
    do {
        problem = posix_fallocate(m.chunk_->fd, 0, static_cast<off_t>(bytes));
    } while (problem == EINTR);
    if (problem != 0) {
        errno = problem;
        fail(fmt::format("reserving {} bytes in spill_dir {}", bytes, directory));
    }
    return m;
}

Memory::~Memory() {
    if (chunk_ && chunk_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete chunk_;
}

Memory Memory::share() const {
    Memory same;
    same.chunk_ = chunk_;
    same.room_ = room_;
    same.directory_ = directory_;
    if (chunk_) chunk_->owners.fetch_add(1, std::memory_order_relaxed);
    return same;
}

const std::byte *Memory::points() const { return chunk_ ? chunk_->mapped() : nullptr; }

std::byte *Memory::data() {
    if (!chunk_) return nullptr;
    if (chunk_->owners.load(std::memory_order_acquire) == 1) return chunk_->mapped();
    const auto n = chunk_->bytes;
    auto *block = !room_ && !directory_ && chunk_->pool ? chunk_->pool->take(n) : nullptr;
    auto own = block ? Memory(chunk_->pool, block, n) : successor(n);
    std::memcpy(own.chunk_->mapped(), points(), n);
    swap(own);
    return chunk_->mapped();
}

Memory Memory::successor(std::size_t bytes) const {
    auto next = room_ ? out_of(room_, bytes) : Memory();
    if (next.bytes() == bytes) return next;
    return directory_ ? in_file(*directory_, bytes) : on_heap(bytes);
}

void Memory::put_away() {
    if (!in_file() || chunk_->owners.load(std::memory_order_acquire) > 1) return;
    if (chunk_->block) munmap(chunk_->block, chunk_->bytes);
    chunk_->block = nullptr;
}

std::size_t Memory::bytes() const { return chunk_ ? chunk_->bytes : 0; }

void Memory::shrink(std::size_t bytes) {
    if (!chunk_ || !chunk_->pool || chunk_->pool->offset_of(chunk_->block) < 0) return;
    const auto kept = Pool::rounded(bytes), taken = Pool::rounded(chunk_->bytes);
    if (kept < taken) chunk_->pool->give_back(chunk_->block + kept, taken - kept);
    if (chunk_->pins > 0) {
        chunk_->pool->unpin(chunk_->bytes);
        chunk_->pool->pin(bytes);
    }
    chunk_->bytes = bytes;
}

bool Memory::in_file() const { return chunk_ && chunk_->fd >= 0; }

std::ptrdiff_t Memory::shared_offset() const {
    return chunk_ && chunk_->pool && chunk_->pool->descriptor() >= 0 ? chunk_->pool->offset_of(chunk_->block)
                                                                     : -1;
}

void Memory::pin() {
    if (chunk_ && chunk_->pool && chunk_->pins++ == 0) chunk_->pool->pin(chunk_->bytes);
    if (room_) room_->pin();
}

void Memory::unpin() {
    if (chunk_ && chunk_->pool && --chunk_->pins == 0) chunk_->pool->unpin(chunk_->bytes);
    if (room_) room_->unpin();
}

} // namespace squall::io
