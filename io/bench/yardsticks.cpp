#include "yardsticks.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace squall::bench {
namespace {

/// An open file.
class Descriptor {
  public:
    Descriptor(const std::string &path, int flags) : path_(path), fd_(::open(path.c_str(), flags, 0644)) {
        check(fd_ >= 0, "opening");
    }
    ~Descriptor() { ::close(fd_); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    void write(const void *data, std::size_t bytes) {
        constexpr std::size_t at_once = 8 << 20;
        const auto *at = static_cast<const char *>(data);
        while (bytes > 0) {
            const auto done = ::write(fd_, at, std::min(bytes, at_once));
            check(done > 0, "writing");
            at += done;
            bytes -= static_cast<std::size_t>(done);
        }
    }
    void give_pages_back() { ::posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED); }
    void to_disk() { check(::fsync(fd_) == 0, "fsync of"); }

  private:
    void check(bool good, const char *doing) const {
        if (!good) throw io::Error(fmt::format("{} {}: {}", doing, path_, std::strerror(errno)));
    }
    std::string path_;
    int fd_;
};

constexpr std::size_t array = std::size_t(4) << 20; ///< points; three arrays of 16 MiB

} // namespace

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Copy::Copy(const Patch &patch) : patch_(patch) {
    for (std::size_t f = 0; f < patch.values.size(); ++f)
        room_.emplace_back(static_cast<std::size_t>(patch.points()), 1.0F);
}

double Copy::run() {
    const double start = seconds();
    for (std::size_t f = 0; f < room_.size(); ++f)
        std::memcpy(room_[f].data(), patch_.values[f].data(), room_[f].size() * sizeof(float));
    return seconds() - start;
}

double write_raw(const Patch &patch, const std::string &path, bool fsync) {
    const double start = seconds();
    {
        Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
        for (const auto &field : patch.values)
            file.write(field.data(), static_cast<std::size_t>(patch.points()) * sizeof(float));
        if (fsync) file.to_disk();
    }
    const double taken = seconds() - start;
    std::filesystem::remove(path); // before the system writes out what is not on disk
    return taken;
}

Computing::Computing() : a_(array, 0.0F), b_(array, 1.0F), c_(array, 2.0F) {}

void Computing::run(double duration) {
    constexpr std::size_t piece = 1 << 16;
    const double end = seconds() + duration;
    for (std::size_t at = 0; seconds() < end; at = (at + piece) % array)
        for (std::size_t i = at; i < at + piece; ++i) a_[i] = b_[i] + 0.5F * (c_[i] - a_[i]);
}

void bring_to_disk(const std::string &path) {
    if (std::filesystem::is_directory(path))
        for (const auto &entry : std::filesystem::directory_iterator(path)) bring_to_disk(entry.path());
    Descriptor(path, O_RDONLY).to_disk();
}

void give_pages_back(const std::string &directory) {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(directory))
        if (entry.is_regular_file()) Descriptor(entry.path(), O_RDONLY).give_pages_back();
}

} // namespace squall::bench
