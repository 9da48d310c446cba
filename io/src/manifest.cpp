#include "manifest.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "publish.hpp"

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
    if (fd_ < 0) {
        path_ = manifest_path(layout_.spec);
        make_directory_of(path_);
        fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (fd_ < 0) throw Error(fmt::format("opening the manifest {}: {}", path_, std::strerror(errno)));
        ::flock(fd_, LOCK_SH | LOCK_NB); // so that `squall recover` leaves a run alone that still writes
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        Json open{{"event", "open"},
                  {"stream", layout_.spec.name},
                  {"engine", layout_.spec.engine},
                  {"at", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))}};
        if (!layout_.spec.burst_dir.empty())
            open["burst_dir"] = std::filesystem::absolute(layout_.spec.burst_dir).string();
        append(open.dump());
    }
    const auto text = line + "\n";
    if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()) || ::fdatasync(fd_) != 0)
        throw Error(fmt::format("writing the manifest {}: {}", path_, std::strerror(errno)));
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
