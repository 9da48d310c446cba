#include "engines/zarr/files.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <iterator>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"
#include "publish/kept_open.hpp"
#include "publish/publish.hpp"
#include "squall/io.hpp"

namespace squall::io::zarr {
namespace {

constexpr std::size_t most_open = 64;  ///< files that wait for Unsynced::to_disk
constexpr std::size_t one_by_one = 24; ///< are brought to disk; more all at once

const char *advice(int cause) {
    switch (cause) {
    case ENOSPC:
    case EDQUOT:
        return "; free space there, or write elsewhere";
    case EROFS:
    case EACCES:
    case EPERM:
        return "; choose a directory in which you may write";
    case ENOENT:
    case ENOTDIR:
        return "; the directory is gone: was it moved or removed during the run?";
    case EFBIG:
        return "; raise the limit of file sizes (ulimit -f), or choose smaller shards (option shard)";
    case EMFILE:
    case ENFILE:
        return "; raise the limit of open files (ulimit -n)";
    case EIO:
        return "; the disk or the network to it is failing";
    default:
        return "";
    }
}

/// Calls f(0) ... f(n - 1), several at a time: a disk takes as long for one fsync as for many at once. Throws
/// what one of them threw.
template <class F> void side_by_side(std::size_t n, F f) {
    constexpr std::size_t most = 8;
    std::atomic<std::size_t> next = 0;
    std::vector<std::future<void>> workers;
    for (std::size_t w = 0; w < std::min(n, most); ++w)
        workers.push_back(std::async(std::launch::async, [&] {
            for (auto i = next++; i < n; i = next++) f(i);
        }));
    for (auto &w : workers) w.wait(); // all, before any of them throws
    for (auto &w : workers) w.get();
}

/// Whether syncfs brings all files to disk and tells of lost bytes, as Linux does since 5.8 of these. Others
/// need not implement it (NFS, Lustre, FUSE), and say that it has worked.
bool syncfs_brings_to_disk(int fd) {
    utsname system{};
    int major = 0, minor = 0;
    if (::uname(&system) != 0 || std::sscanf(system.release, "%d.%d", &major, &minor) != 2) return false;
    if (major < 5 || (major == 5 && minor < 8)) return false;
    struct statfs about {};
    if (::fstatfs(fd, &about) != 0) return false;
    constexpr std::uint32_t known[] = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
                                       RAMFS_MAGIC};
    return std::ranges::find(known, static_cast<std::uint32_t>(about.f_type)) != std::end(known);
}

std::string temporary(const std::string &path) { return path + ".new"; }

} // namespace

void fail(const std::string &doing, const std::string &path) {
    const int cause = errno;
    throw Error(fmt::format("{} {}: {}{}", doing, path, std::strerror(cause), advice(cause)));
}

NewFile::NewFile(const std::string &path) : path_(path), fd_(open_new(path)) {
    if (fd_ < 0) fail("creating", path);
}

NewFile::NewFile(NewFile &&other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_),
      started_(other.started_) {}

NewFile &NewFile::operator=(NewFile &&other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    std::swap(size_, other.size_);
    std::swap(started_, other.started_);
    return *this;
}

NewFile::~NewFile() {
    if (fd_ >= 0) ::close(fd_);
}

void NewFile::append(std::vector<iovec> &pieces) {
    auto next = pieces.begin();
    while (next != pieces.end()) {
        const auto n = static_cast<int>(std::min<std::ptrdiff_t>(pieces.end() - next, IOV_MAX));
        auto written = retried([&] { return ::writev(fd_, &*next, n); });
        if (written < 0) fail("writing", path_);
        size_ += static_cast<std::size_t>(written);
        for (; next != pieces.end() && written >= static_cast<ssize_t>(next->iov_len); ++next)
            written -= static_cast<ssize_t>(next->iov_len);
        if (next == pieces.end()) break;
        next->iov_base = static_cast<char *>(next->iov_base) + written;
        next->iov_len -= static_cast<std::size_t>(written);
    }
    pieces.clear();
}

void NewFile::start_to_disk(std::size_t least) {
    if (size_ - started_ < least) return;
#ifdef SYNC_FILE_RANGE_WRITE
    ::sync_file_range(fd_, static_cast<off_t>(started_), static_cast<off_t>(size_ - started_),
                      SYNC_FILE_RANGE_WRITE);
#endif
    started_ = size_;
}

void NewFile::to_disk() const {
    if (retried([&] { return ::fsync(fd_); }) != 0) fail("syncing to disk", path_);
}

Unsynced::~Unsynced() {
    if (fd_ >= 0) ::close(fd_);
}

void Unsynced::begin() {
    if (fd_ < 0) fd_ = retried([&] { return ::open(directory_.c_str(), O_RDONLY | O_CLOEXEC); });
}

void Unsynced::add(NewFile file, std::int64_t frame) {
    begin();
    const bool full = files_.size() >= most_open;
    if (full && trusts_file_system()) return files_.push_back({frame, std::nullopt});
    if (full) open_to_disk();
    files_.push_back({frame, std::move(file)});
}

void Unsynced::forget_from(std::int64_t frame) {
    std::erase_if(files_, [frame](const Entry &f) { return f.frame >= frame; });
}

bool Unsynced::trusts_file_system() {
    begin();
    if (!trusts_ && fd_ >= 0) trusts_ = syncfs_brings_to_disk(fd_);
    return trusts_.value_or(false);
}

void Unsynced::open_to_disk() {
    const auto files = std::exchange(files_, {}); // none of them is asked for again, whatever happens
    side_by_side(files.size(), [&](std::size_t i) {
        if (files[i].open) files[i].open->to_disk();
    });
}

/// What syncfs tells may be about others' files: those that are open are asked one by one then.
void Unsynced::to_disk() {
    const auto files = std::exchange(files_, {}); // none of them is asked for again, whatever happens
    const auto directories = std::exchange(directories_, {});
    const std::vector<std::string> names(directories.begin(), directories.end());
    const auto all = files.size() + names.size();
    if (all > one_by_one && trusts_file_system()) {
        if (::syncfs(fd_) == 0) return;
        const bool all_open = std::ranges::all_of(files, [](const Entry &f) { return f.open.has_value(); });
        if (!all_open) fail("syncing to disk the file system of", directory_);
    }
    side_by_side(all, [&](std::size_t i) {
        if (i < files.size())
            files[i].open->to_disk();
        else
            bring_to_disk(names[i - files.size()]);
    });
}

Replacement::~Replacement() {
    for (const auto &path : paths_) ::unlink(temporary(path).c_str());
}

NewFile Replacement::prepare(const std::string &path, const std::string &text) {
    NewFile file(temporary(path));
    paths_.push_back(path);
    std::vector<iovec> pieces{{const_cast<char *>(text.data()), text.size()}};
    file.append(pieces);
    return file;
}

void Replacement::commit() {
    for (const auto &path : paths_)
        if (::rename(temporary(path).c_str(), path.c_str()) != 0) fail("renaming to", path);
    side_by_side(paths_.size(),
                 [this](std::size_t i) { bring_to_disk(std::filesystem::path(paths_[i]).parent_path()); });
    paths_.clear();
}

void make_directory(const std::string &path) {
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) fail("creating directory", path);
}

} // namespace squall::io::zarr
