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

void to_disk(const std::string &path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0) fail("opening", path);
    const int status = ::fsync(fd);
    const int cause = errno;
    ::close(fd);
    errno = cause;
    // Some file systems cannot sync a directory and say so with EINVAL.
    if (status != 0 && cause != EINVAL) fail("bringing to disk", path);
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

void publish(const std::string &file) {
    to_disk(part_name(file), O_WRONLY);
    if (::rename(part_name(file).c_str(), file.c_str()) != 0) fail("renaming to", file);
    to_disk(directory_of(file), O_RDONLY | O_DIRECTORY);
}

} // namespace squall::io
