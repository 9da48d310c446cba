#include "publish/burst_copier.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/crc32c.hpp"
#include "common/retried.hpp"
#include "publish/kept_open.hpp"
#include "publish/publish.hpp"

namespace squall::io {
namespace {

constexpr std::size_t buffer_bytes = 4 << 20;

[[noreturn]] void fail(const char *doing, const std::string &file) {
    throw Error(fmt::format("{} {}: {}", doing, file, std::strerror(errno)));
}

class OpenFile {
  public:
    enum class For { reading, writing };
    /// For writing it is made anew.
    OpenFile(const std::string &name, For purpose)
        : name_(name),
          fd_(purpose == For::writing ? open_new(name)
                                      : retried([&] { return ::open(name.c_str(), O_RDONLY | O_CLOEXEC); })) {
        if (fd_ < 0) fail("opening", name);
    }
    ~OpenFile() { ::close(fd_); }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;

    std::size_t read(std::vector<std::byte> &buffer) const {
        const auto n = retried([&] { return ::read(fd_, buffer.data(), buffer.size()); });
        if (n < 0) fail("reading", name_);
        return static_cast<std::size_t>(n);
    }
    void write(const std::byte *at, std::size_t bytes) const {
        while (bytes > 0) {
            const auto n = retried([&] { return ::write(fd_, at, bytes); });
            if (n < 0) fail("writing", name_);
            at += n;
            bytes -= static_cast<std::size_t>(n);
        }
    }
    void to_disk_and_out_of_memory() const {
        bring_to_disk(fd_, name_);
        posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED); // so that reading back reads the disk
    }

  private:
    std::string name_;
    int fd_;
};

std::uint32_t checksum_of(const std::string &file) {
    const OpenFile in(file, OpenFile::For::reading);
    std::vector<std::byte> buffer(buffer_bytes);
    std::uint32_t sum = 0;
    while (const auto n = in.read(buffer)) sum = crc32c(buffer.data(), n, sum);
    return sum;
}

} // namespace

void copy_verified(const std::string &from, const std::string &to) {
    make_directory_of(to);
    std::uint32_t sum = 0;
    {
        const OpenFile in(from, OpenFile::For::reading), out(to, OpenFile::For::writing);
        std::vector<std::byte> buffer(buffer_bytes);
        while (const auto n = in.read(buffer)) {
            sum = crc32c(buffer.data(), n, sum);
            out.write(buffer.data(), n);
        }
        out.to_disk_and_out_of_memory();
    }
    if (checksum_of(to) != sum)
        throw Error(fmt::format("{} does not read back as {} did; the copy stays in the burst directory: "
                                "check the disk, then run `squall recover`",
                                to, from));
}

void BurstCopier::carry(Departure departure, Arrived arrived) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back({std::move(departure), std::move(arrived)});
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    }
    changed_.notify_one();
}

void BurstCopier::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        const auto job = std::move(jobs_.front());
        jobs_.pop_front();
        at_ = part_name(job.departure.file);
        lock.unlock();
        std::string fault;
        try {
            const auto &d = job.departure;
            std::set<std::string> directories;
            for (const auto &part : d.parts) {
                const auto tail = part.empty() ? "" : "/" + part;
                copy_verified(d.held + tail, part_name(d.file) + tail);
                directories.insert(std::filesystem::path(part_name(d.file) + tail).parent_path());
            }
            for (const auto &directory : directories) bring_to_disk(directory.empty() ? "." : directory);
        } catch (const std::exception &e) {
            fault = e.what();
        }
        job.arrived(fault);
        lock.lock();
        at_.clear();
    }
}

std::string BurstCopier::at() const {
    const std::lock_guard lock(mutex_);
    return at_;
}

BurstCopier::~BurstCopier() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

} // namespace squall::io
