#include "publish.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

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

} // namespace

std::string part_name(const std::string &file) { return file + ".part"; }

void make_directory_of(const std::string &file) {
    std::error_code problem;
    const fs::path directory = directory_of(file);
    fs::create_directories(directory, problem);
    if (problem) throw Error(fmt::format("creating directory {}: {}", directory.string(), problem.message()));
}

void bring_to_disk(const std::string &path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) fail("opening", path);
    const int status = ::fsync(fd);
    const int cause = errno;
    ::close(fd);
    errno = cause;
    // Some file systems cannot sync a directory and say so with EINVAL.
    if (status != 0 && cause != EINVAL) fail("bringing to disk", path);
}

void publish(const std::string &file) {
    // rename replaces a file, but not a directory that is not empty: move that out of the way.
    const auto old = file + ".old";
    const bool directory = fs::is_directory(file);
    if (directory && ::rename(file.c_str(), old.c_str()) != 0) fail("moving away", file);
    if (::rename(part_name(file).c_str(), file.c_str()) != 0) fail("renaming to", file);
    bring_to_disk(directory_of(file));
    if (directory) fs::remove_all(old);
}

std::uint64_t size_on_disk(const std::string &path) {
    if (!fs::is_directory(path)) return fs::file_size(path);
    std::uint64_t sum = 0;
    for (const auto &entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) sum += entry.file_size();
    return sum;
}

} // namespace squall::io
