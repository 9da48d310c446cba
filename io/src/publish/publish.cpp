#include "publish/publish.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"
#include "squall/io.hpp"

namespace squall::io {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const char *doing, const std::string &what) {
    throw Error(fmt::format("{} {}: {}", doing, what, std::strerror(errno)));
}

std::string directory_of(const std::string &file) {
    const auto parent = fs::path(file).parent_path();
    return parent.empty() ? "." : parent.string();
}

/// A name for what is in the way, which nothing has.
std::string unused_name(const std::string &file) {
    auto name = file + ".old";
    for (int n = 2; fs::exists(fs::symlink_status(name)); ++n) name = fmt::format("{}.old.{}", file, n);
    return name;
}

/// Moves what is in the way aside, and the part file to its name: with one exchange of names, or, on file
/// systems that cannot do that, in two steps. Returns where the old one is now; "" if it is gone.
std::string take_the_place_of(const std::string &file) {
    const auto part = part_name(file), old = unused_name(file);
    if (::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, file.c_str(), RENAME_EXCHANGE) == 0) {
        if (::rename(part.c_str(), old.c_str()) != 0) fail("moving away", part);
        return old;
    }
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) fail("renaming to", file);
    if (!fs::is_directory(file) && !fs::is_directory(part)) {
        if (::rename(part.c_str(), file.c_str()) != 0) fail("renaming to", file);
        return "";
    }
    if (::rename(file.c_str(), old.c_str()) != 0) fail("moving away", file);
    if (::rename(part.c_str(), file.c_str()) != 0) {
        const int cause = errno;
        static_cast<void>(::rename(old.c_str(), file.c_str()));
        errno = cause;
        fail("renaming to", file);
    }
    return old;
}

/// Undoes that, as far as it can be undone.
void give_the_place_back(const std::string &file, const std::string &old) {
    const auto part = part_name(file);
    if (!old.empty() && ::renameat2(AT_FDCWD, old.c_str(), AT_FDCWD, file.c_str(), RENAME_EXCHANGE) == 0) {
        static_cast<void>(::rename(old.c_str(), part.c_str()));
        return;
    }
    static_cast<void>(::rename(file.c_str(), part.c_str()));
    if (!old.empty()) static_cast<void>(::rename(old.c_str(), file.c_str()));
}

} // namespace

std::string part_name(const std::string &file) { return file + ".part"; }
std::string untrusted_name(const std::string &file) { return file + ".untrusted"; }

void make_directory_of(const std::string &file) {
    std::vector<fs::path> missing; // the innermost first
    std::error_code problem;
    const fs::path directory = directory_of(file);
    for (auto at = directory; !at.empty() && !fs::exists(at, problem); at = at.parent_path())
        missing.push_back(at);
    fs::create_directories(directory, problem);
    if (problem) throw Error(fmt::format("creating directory {}: {}", directory.string(), problem.message()));
    for (const auto &made : missing) bring_to_disk(directory_of(made));
}

void bring_to_disk(int descriptor, const std::string &path) {
    const int status = retried([&] { return ::fsync(descriptor); });
    // Some file systems cannot sync a directory and say so with EINVAL.
    if (status != 0 && errno != EINVAL) fail("syncing to disk", path);
}

void bring_to_disk(const std::string &path) {
    const int fd = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (fd < 0) fail("opening", path);
    try {
        bring_to_disk(fd, path);
    } catch (...) {
        ::close(fd);
        throw;
    }
    ::close(fd);
}

void publish(const std::string &file) {
    const auto part = part_name(file);
    std::string old;
    if (fs::exists(fs::symlink_status(file)))
        old = take_the_place_of(file);
    else if (::rename(part.c_str(), file.c_str()) != 0)
        fail("renaming to", file);
    try {
        bring_to_disk(directory_of(file));
    } catch (...) { // what is reported as lost must not be seen
        give_the_place_back(file, old);
        throw;
    }
    std::error_code ignored; // it is published; what could not be removed is in nobody's way
    if (!old.empty()) fs::remove_all(old, ignored);
}

std::uint64_t size_on_disk(const std::string &path) {
    if (!fs::is_directory(path)) return fs::file_size(path);
    std::uint64_t sum = 0;
    for (const auto &entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) sum += entry.file_size();
    return sum;
}

} // namespace squall::io
