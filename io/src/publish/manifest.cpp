#include "publish/manifest.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "publish/publish.hpp"

namespace squall::io {
using Json = nlohmann::ordered_json;
using Doing = ManifestFile::Doing;
using Turn = ManifestFile::Turn;

std::string manifest_path(const StreamSpec &spec) {
    const auto fixed = spec.path.substr(0, spec.path.find('%'));
    const auto slash = fixed.rfind('/');
    return (slash == std::string::npos ? "" : fixed.substr(0, slash + 1)) + spec.name + ".manifest.jsonl";
}

std::string Manifest::relative(const std::string &file) const {
    const auto directory = std::filesystem::path(manifest_path(layout_.spec)).parent_path();
    return std::filesystem::path(file).lexically_relative(directory.empty() ? "." : directory).string();
}

void Manifest::append(const std::string &lines, bool durable) {
    for (;;) {
        const bool stuck = !take_turn();
        struct End {
            std::unique_ptr<ManifestFile> &file;
            ~End() { file->end_turn(); }
        } const end{file_};
        if (stuck || !doubtful_.empty() || file_->is_sealed()) {
            if (!may_renew()) continue;
            renew();
        }
        if (add(lines, durable)) return;
    }
}

/// False: it does not count, since others go on in a copy, or want to; this process stood still meanwhile.
bool Manifest::add(const std::string &lines, bool durable) {
    if (file_->is_sealed()) return false;
    const auto all = introduced_ && file_->size() > 0 ? lines : introduction() + "\n" + lines;
    write(all, durable);
    if (!file_->counts(all)) return false;
    introduced_ = true;
    return true;
}

/// With the file that is at the path: another group may have put a copy there, or the directory is gone.
/// False: another group has its turn and stands still.
bool Manifest::take_turn() {
    path_ = manifest_path(layout_.spec);
    for (;;) {
        if (!file_) {
            make_directory_of(path_);
            file_ = std::make_unique<ManifestFile>(path_, ManifestFile::Begin::as_it_is);
            bring_to_disk(std::filesystem::absolute(path_).parent_path());
        }
        const auto turn = file_->take_turn(Doing::adding, patience_, path_);
        if (turn != Turn::elsewhere) return turn == Turn::mine;
        file_.reset();
    }
}

std::string Manifest::introduction() const {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    Json open{{"event", "open"},
              {"stream", layout_.spec.name},
              {"engine", layout_.spec.engine},
              {"at", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))}};
    if (!layout_.spec.burst_dir.empty())
        open["burst_dir"] = std::filesystem::absolute(layout_.spec.burst_dir).string();
    return open.dump();
}

/// Adds lines, all at once.
void Manifest::write(const std::string &lines, bool durable) {
    try {
        file_->add(lines);
        if (durable) file_->bring_to_disk();
    } catch (...) {
        doubtful_ = lines.substr(0, file_->added());
        throw;
    }
}

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        lines.push_back(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
    }
    return lines;
}

bool is_unfinished(std::string_view text) { return !text.empty() && text.back() != '\n'; }

/// The whole lines of a manifest without, of each of some lines, the last that reads so, and without lines of
/// which bytes were lost. What was cut off of a line is looked for as it was cut off: a line of another group
/// may begin alike.
std::string without(std::string_view doubtful, std::string_view text) {
    auto lines = lines_of(text);
    for (const auto line : lines_of(doubtful)) {
        const auto last = std::find(lines.rbegin(), lines.rend(), line);
        if (last != lines.rend()) *last = {};
    }
    if (is_unfinished(text)) lines.pop_back();
    std::erase_if(lines, [](std::string_view l) { return l.empty() || l.find('\0') != l.npos; });
    return fmt::format("{}", fmt::join(lines, "\n"));
}

} // namespace

/// False: another group has just put a copy in its place.
bool Manifest::may_renew() {
    const auto turn = file_->take_turn(Doing::replacing, patience_, path_);
    if (turn == Turn::stuck)
        throw Error(fmt::format("writing the manifest {}: another group of servers has been writing it for "
                                "{} s; see what its first server or the disk is doing",
                                path_, 2 * patience_));
    return turn == Turn::mine;
}

/// After a failure, or where the group that adds to it stands still: goes on in a copy, with all that counts
/// of what others have written but without the line that failed. A file that failed is not trusted any more:
/// the system tells of lost bytes once, and the next fsync would say that all is well. Whoever waits for it
/// finds the copy. Whoever fails here has sealed it: the next one tries again, of whatever group.
void Manifest::renew() {
    const auto name = path_ + ".new";
    try {
        auto copy = std::make_unique<ManifestFile>(name, ManifestFile::Begin::empty);
        copy->take_turn(Doing::adding, patience_, name);
        if (const auto text = without(doubtful_, file_->seal()); !text.empty()) copy->add(text);
        copy->bring_to_disk();
        if (::rename(name.c_str(), path_.c_str()) != 0)
            throw Error(fmt::format("renaming to {}: {}", path_, std::strerror(errno)));
        file_ = std::move(copy);
    } catch (...) {
        ::unlink(name.c_str());
        file_->end_turn(Doing::replacing);
        throw;
    }
    bring_to_disk(std::filesystem::absolute(path_).parent_path());
    doubtful_.clear();
}

void Manifest::stored(const std::string &file, std::int64_t frame, const Time &time,
                      const std::vector<bool> &written, const std::vector<std::uint64_t> &checksums) {
    Json fields = Json::object();
    for (std::size_t f = 0; f < layout_.fields.size(); ++f)
        if (written[f]) fields[layout_.fields[f].field.name] = fmt::format("{:016x}", checksums[f]);
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

std::string Manifest::frame_line(const std::string &file, std::int64_t frame, const Time &time) const {
    return Json{{"event", "frame"},
                {"time", format_time(time, "%Y-%m-%dT%H:%M:%S")},
                {"file", relative(file)},
                {"frame", frame}}
        .dump();
}

void Manifest::published(const std::string &file, std::int64_t first, const std::vector<Time> &times) {
    auto lines = Json{{"event", "published"}, {"file", relative(file)}}.dump();
    for (const auto &time : times) lines += "\n" + frame_line(file, first++, time);
    append(lines);
}

void Manifest::cut(const std::string &file, std::int64_t frames) {
    append(Json{{"event", "published"}, {"file", relative(file)}, {"frames", frames}}.dump());
}

void Manifest::shown(const std::string &file, std::int64_t frame, const Time &time) {
    append(frame_line(file, frame, time), false);
}

} // namespace squall::io
