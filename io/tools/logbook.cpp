#include "logbook.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/document.hpp"
#include "engines/engine.hpp"
#include "manifest_reader.hpp"
#include "publish/manifest_file.hpp"
#include "team.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
namespace {

constexpr auto ending = manifest_ending;
/// A manifest that is read; more than 30 million checksums.
constexpr std::size_t longest_manifest = (std::size_t(1) << 31) - 1;

bool recognised(const std::string &path) {
    return std::ranges::any_of(built_engines(),
                               [&](const Engine *e) { return e->recognises && e->recognises(path); });
}

/// Manifests below a directory; what an engine made is not entered.
std::vector<std::string> below(const std::string &directory) {
    std::vector<std::string> found;
    for (auto at = fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied);
         at != fs::recursive_directory_iterator(); ++at) {
        const auto path = at->path().string();
        if (at->is_directory() && (path.ends_with(".part") || recognised(path)))
            at.disable_recursion_pending();
        else if (path.ends_with(ending))
            found.push_back(path);
    }
    std::ranges::sort(found);
    return found;
}

} // namespace

std::vector<std::string> find_manifests(const std::vector<std::string> &arguments) {
    std::vector<std::string> all;
    for (const auto &argument : arguments) {
        if (!fs::is_directory(argument)) {
            if (!fs::exists(argument))
                throw Error(fmt::format("{} does not exist; name the directory of a run", argument));
            if (!argument.ends_with(ending))
                throw Error(fmt::format("{}: neither a directory nor a manifest (NAME{})", argument, ending));
            all.push_back(argument);
            continue;
        }
        const auto found = below(argument);
        if (found.empty())
            throw Error(
                fmt::format("{} has no manifest (NAME{}); name the directory of a run", argument, ending));
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

Logbook read_logbook(const RankGroup &group, const std::string &manifest) {
    std::string text;
    group.attempt([&] {
        if (!group.leads()) return;
        text = text_of(manifest, longest_manifest);
    });
    return parse_manifest(manifest, broadcast(group, std::move(text)), grows);
}

bool grows(const FileRecord &file) {
    const auto &all = built_engines();
    const auto engine = std::ranges::find(all, file.engine, &Engine::name);
    return engine != all.end() && (*engine)->grows;
}

ManifestFile::Use use_of(const std::string &manifest) { return ManifestFile::use_of(manifest); }

Hold::Hold(const std::string &manifest, bool no_locks)
    : fd_(::open(manifest.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
    if (fd_ < 0 && errno == ELOOP)
        throw Error(fmt::format("{} is a link; name the manifest itself", manifest));
    if (fd_ < 0) throw Error(fmt::format("opening the manifest {}: {}", manifest, std::strerror(errno)));
    const auto use = ManifestFile::claim(fd_);
    const int cause = errno;
    if (use == ManifestFile::Use::no || (use == ManifestFile::Use::unknown && no_locks)) return;
    ::close(fd_);
    if (use == ManifestFile::Use::unknown)
        throw Error(fmt::format(
            "{} cannot be locked ({}), so it cannot be seen whether a run is still writing it; make sure "
            "that none is, and recover again with --no-locks, or let the file system have locks (Lustre: "
            "mount "
            "option flock; NFS: without nolock)",
            manifest, std::strerror(cause)));
    throw Error(
        fmt::format("{}: a run, or another recovery, is writing it; wait for its end, or end it", manifest));
}

Hold::~Hold() { ::close(fd_); }

void add_published(const std::string &manifest, const std::string &file, std::optional<std::int64_t> frames,
                   const Frames &appeared) {
    Json line{{"event", "published"}, {"file", file}};
    if (frames) line["frames"] = *frames;
    auto lines = line.dump() + "\n";
    for (const auto &[number, frame] : appeared)
        if (!frames || number < *frames)
            lines +=
                Json{{"event", "frame"}, {"time", frame.time}, {"file", file}, {"frame", number}}.dump() +
                "\n";
    // After a half line, on a line of its own.
    std::ifstream in(manifest, std::ios::binary | std::ios::ate);
    in.seekg(-1, std::ios::end);
    const bool torn = in && in.get() != '\n';
    const auto text = (torn ? "\n" : "") + lines;
    const int fd = ::open(manifest.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    const bool well = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                      ::fdatasync(fd) == 0;
    const int cause = errno;
    if (fd >= 0) ::close(fd);
    if (!well) throw Error(fmt::format("writing the manifest {}: {}", manifest, std::strerror(cause)));
}

std::vector<Task> tasks_for(const Frames &frames, const std::string &path) {
    std::vector<Task> tasks;
    for (const auto &[number, frame] : frames)
        for (const auto &[field, sum] : frame.fields) tasks.push_back({path, number, field, sum});
    return tasks;
}

} // namespace squall::io::tools
