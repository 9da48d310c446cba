#include "publish/manifest.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/retried.hpp"
#include "publish/publish.hpp"

namespace squall::io {

using Json = nlohmann::ordered_json;

std::string manifest_path(const StreamSpec &spec) {
    const auto fixed = spec.path.substr(0, spec.path.find('%'));
    const auto slash = fixed.rfind('/');
    return (slash == std::string::npos ? "" : fixed.substr(0, slash + 1)) + spec.name + ".manifest.jsonl";
}

Manifest::~Manifest() {
    if (fd_ >= 0) ::close(fd_);
}

std::string Manifest::relative(const std::string &file) const {
    const auto directory = std::filesystem::path(manifest_path(layout_.spec)).parent_path();
    return std::filesystem::path(file).lexically_relative(directory.empty() ? "." : directory).string();
}

void Manifest::append(const std::string &line) {
    if (fd_ < 0) open();
    if (doubtful_) renew();
    write(line + "\n");
}

void Manifest::open() {
    path_ = manifest_path(layout_.spec);
    make_directory_of(path_);
    fd_ = retried([&] { return ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666); });
    if (fd_ < 0) throw Error(fmt::format("opening the manifest {}: {}", path_, std::strerror(errno)));
    ::flock(fd_, LOCK_SH | LOCK_NB); // so that `squall recover` leaves a run alone that still writes
    durable_ = ::lseek(fd_, 0, SEEK_END);
    bring_to_disk(std::filesystem::absolute(path_).parent_path());
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    Json open{{"event", "open"},
              {"stream", layout_.spec.name},
              {"engine", layout_.spec.engine},
              {"at", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))}};
    if (!layout_.spec.burst_dir.empty())
        open["burst_dir"] = std::filesystem::absolute(layout_.spec.burst_dir).string();
    write(open.dump() + "\n");
}

namespace {

/// Keeps the leaders of other groups of servers from writing into the middle of a line whose first write was
/// short. A byte far behind the end stands for it, as all hold the lock of the whole file. Where the file
/// system has one kind of lock only, others' would stand in the way for ever: then after a while without.
class Alone {
  public:
    explicit Alone(int fd) : fd_(fd) {
        for (int tries = 0; tries < 50 && !set(F_WRLCK); ++tries) ::usleep(1000);
    }
    ~Alone() { set(F_UNLCK); }
    Alone(const Alone &) = delete;
    Alone &operator=(const Alone &) = delete;

  private:
    bool set(short type) const {
        struct flock lock {};
        lock.l_type = type;
        lock.l_whence = SEEK_SET;
        lock.l_start = off_t(1) << 62;
        lock.l_len = 1;
        return ::fcntl(fd_, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
    }
    int fd_;
};

} // namespace

/// Appends a text and brings it to disk.
void Manifest::write(const std::string &text) {
    const Alone alone(fd_);
    doubtful_ = true;
    for (std::size_t done = 0; done < text.size();) {
        const auto n = retried([&] { return ::write(fd_, text.data() + done, text.size() - done); });
        if (n < 0) throw Error(fmt::format("writing the manifest {}: {}", path_, std::strerror(errno)));
        done += static_cast<std::size_t>(n);
    }
    bring_to_disk(fd_, path_);
    durable_ = ::lseek(fd_, 0, SEEK_CUR); // with what other groups have written before
    doubtful_ = false;
}

/// After a failure: goes on in a copy of what is known to be on disk. The file itself is not trusted any
/// more: the system tells of lost bytes once, and the next fsync would say that all is well.
void Manifest::renew() {
    std::string text(static_cast<std::size_t>(durable_), ' ');
    std::ifstream(path_, std::ios::binary).read(text.data(), durable_);
    const auto copy = path_ + ".new";
    const int fd = retried(
        [&] { return ::open(copy.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666); });
    if (fd < 0) throw Error(fmt::format("opening the manifest {}: {}", copy, std::strerror(errno)));
    ::close(std::exchange(fd_, fd));
    ::flock(fd_, LOCK_SH | LOCK_NB);
    durable_ = 0;
    try {
        write(text);
        if (::rename(copy.c_str(), path_.c_str()) != 0)
            throw Error(fmt::format("renaming to {}: {}", path_, std::strerror(errno)));
        bring_to_disk(std::filesystem::absolute(path_).parent_path());
    } catch (...) {
        ::close(std::exchange(fd_, -1)); // the next one begins with the file as it is
        doubtful_ = false;
        throw;
    }
}

void Manifest::stored(const std::string &file, std::int64_t frame, const Time &time, bool with_fixed,
                      const std::vector<std::uint64_t> &checksums) {
    Json fields = Json::object();
    for (std::size_t f = 0; f < layout_.fields.size(); ++f)
        if (with_fixed || layout_.fields[f].field.per_frame)
            fields[layout_.fields[f].field.name] = fmt::format("{:016x}", checksums[f]);
    append(Json{{"event", "stored"},
                {"file", relative(file)},
                {"frame", frame},
                {"time", format_time(time, "%Y-%m-%dT%H:%M:%S")},
                {"fields", fields}}
               .dump());
}

void Manifest::burst(const std::string &file, const std::string &held) {
    append(
        Json{{"event", "burst"}, {"file", relative(file)}, {"held", std::filesystem::absolute(held).string()}}
            .dump());
}

void Manifest::published(const std::string &file) {
    append(Json{{"event", "published"}, {"file", relative(file)}}.dump());
}

} // namespace squall::io
