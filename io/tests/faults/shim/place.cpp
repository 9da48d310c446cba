#include "place.hpp"

#include <climits>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace squall::faults {
namespace {

/// Own calls must not meet the shim again.
std::string link_of(const std::string &link) {
    char text[PATH_MAX];
    const auto n = ::readlink(link.c_str(), text, sizeof text);
    return n < 0 ? "" : std::string(text, static_cast<std::size_t>(n));
}

std::string real_path(const std::string &path) {
    char text[PATH_MAX];
    return ::realpath(path.c_str(), text) ? std::string(text) : "";
}

const std::string &directory() {
    static const std::string d = [] {
        const char *text = std::getenv("SQUALL_FAULTS_BELOW");
        return text ? real_path(text) : std::string();
    }();
    return d;
}

std::optional<std::string> relative(const std::string &path) {
    const auto &d = directory();
    if (d.empty() || !path.starts_with(d)) return {};
    if (path.size() == d.size()) return "";
    if (path[d.size()] != '/') return {};
    return path.substr(d.size() + 1);
}

} // namespace

int rank() {
    static const int r = [] {
        for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
            if (const char *text = std::getenv(name)) return std::atoi(text);
        return 0;
    }();
    return r;
}

std::optional<std::string> below(const char *path) { return below_at(AT_FDCWD, path); }

std::optional<std::string> below_at(int fd, const char *path) {
    if (!path || directory().empty()) return {};
    std::string whole = path;
    if (whole.empty()) return {};
    if (whole[0] != '/')
        whole =
            link_of(fd == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/" + std::to_string(fd)) + "/" + whole;
    while (whole.size() > 1 && whole.back() == '/') whole.pop_back();
    // The last part may not exist yet, or be a link that is meant itself.
    const auto slash = whole.rfind('/');
    const auto name = whole.substr(slash + 1);
    if (name == "." || name == "..") return relative(real_path(whole));
    const auto parent = real_path(slash == 0 ? "/" : whole.substr(0, slash));
    if (parent.empty()) return {}; // the call will fail by itself
    return relative(parent == "/" ? "/" + name : parent + "/" + name);
}

std::optional<std::string> below(int fd) {
    if (directory().empty()) return {};
    auto path = link_of("/proc/self/fd/" + std::to_string(fd));
    static const std::string gone = " (deleted)";
    if (path.ends_with(gone)) path.resize(path.size() - gone.size());
    return relative(path);
}

void say(const char *variable, const std::string &line) {
    const char *file = std::getenv(variable);
    if (!file) return;
    const auto fd = static_cast<int>(
        ::syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (fd < 0) return;
    const auto text = line + "\n";
    [[maybe_unused]] const auto n = ::syscall(SYS_write, fd, text.data(), text.size());
    ::syscall(SYS_close, fd);
}

} // namespace squall::faults
