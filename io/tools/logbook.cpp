#include "logbook.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine.hpp"
#include "team.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
namespace {

constexpr const char *ending = ".manifest.jsonl";

/// Understands a manifest line by line.
class Clerk {
  public:
    explicit Clerk(const std::string &path) {
        book_.path = path;
        const auto name = fs::path(path).filename().string();
        book_.stream = name.substr(0, name.size() - std::strlen(ending));
    }

    /// A run that was killed may leave half a line, to which the next run adds its first.
    void take(const std::string &line) {
        auto event = Json::parse(line, nullptr, false);
        const auto last = line.rfind("{\"event\"");
        if (event.is_discarded() && last != std::string::npos)
            event = Json::parse(line.substr(last), nullptr, false);
        if (!event.is_object()) return;
        const auto kind = event.value("event", "");
        if (kind == "open")
            open(event);
        else if (event.contains("file"))
            about_file(kind, event, record(event["file"]));
    }

    Logbook done() { return std::move(book_); }

  private:
    void open(const Json &event) {
        engine_ = event.value("engine", "");
        const auto burst = event.value("burst_dir", "");
        if (!burst.empty() && std::ranges::find(book_.burst_dirs, burst) == book_.burst_dirs.end())
            book_.burst_dirs.push_back(burst);
    }

    FileRecord &record(const std::string &name) {
        const auto [known, added] = index_.try_emplace(name, book_.files.size());
        if (added)
            book_.files.push_back(
                {name, (fs::path(book_.path).parent_path() / name).string(), engine_, false, {}, {}, ""});
        return book_.files[known->second];
    }

    void about_file(const std::string &kind, const Json &event, FileRecord &file) {
        if (kind == "stored")
            stored(event, file);
        else if (kind == "burst")
            file.held = event.value("held", "");
        else if (kind == "published")
            published(event, file);
        else if (kind == "removed")
            file.published.clear(), file.pending.clear(), file.held.clear(), file.is_published = false;
    }

    /// A file begins with frame 0. A frame that follows after the file was published is of an engine
    /// that shows its frames one by one.
    void stored(const Json &event, FileRecord &file) {
        const auto number = event["frame"].get<std::int64_t>();
        if (number == 0) {
            file.pending.clear();
            file.held.clear();
            file.engine = engine_;
        }
        StoredFrame frame{event.value("time", ""), {}};
        for (const auto &[name, sum] : event["fields"].items())
            frame.fields[name] = std::stoull(sum.get<std::string>(), nullptr, 16);
        const bool grows = number > 0 && file.pending.empty();
        (grows ? file.published : file.pending)[number] = std::move(frame);
    }

    static void published(const Json &event, FileRecord &file) {
        if (!file.pending.empty()) file.published = std::exchange(file.pending, {});
        file.is_published = true;
        file.held.clear();
        if (event.contains("frames"))
            file.published.erase(file.published.lower_bound(event["frames"].get<std::int64_t>()),
                                 file.published.end());
    }

    Logbook book_;
    std::string engine_;
    std::map<std::string, std::size_t> index_;
};

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
            if (!argument.ends_with(ending) || !fs::exists(argument))
                throw Error(fmt::format("{}: neither a directory nor a manifest (NAME{})", argument, ending));
            all.push_back(argument);
            continue;
        }
        const auto found = below(argument);
        if (found.empty())
            throw Error(
                fmt::format("{}: no manifest (NAME{}) in it; name the directory of a run", argument, ending));
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

Logbook read_logbook(const Crew &crew, const std::string &manifest) {
    std::string text;
    crew.attempt([&] {
        if (!crew.leads()) return;
        std::ifstream in(manifest, std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(in), {});
        if (!in) throw Error(fmt::format("{}: cannot be read: {}", manifest, std::strerror(errno)));
    });
    std::istringstream lines(broadcast(crew, std::move(text)));
    Clerk clerk(manifest);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        try {
            clerk.take(line);
        } catch (const std::exception &e) {
            throw Error(fmt::format("{}, line {}: not as Squall writes it ({}); restore the manifest",
                                    manifest, number, e.what()));
        }
    }
    return clerk.done();
}

bool grows(const FileRecord &file) {
    const auto &all = built_engines();
    const auto engine = std::ranges::find(all, file.engine, &Engine::name);
    return engine != all.end() && (*engine)->grows;
}

bool in_use(const std::string &manifest) {
    const int fd = ::open(manifest.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false; // reading it will say why
    const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(fd);
    return locked;
}

Hold::Hold(const std::string &manifest) : fd_(::open(manifest.c_str(), O_RDWR | O_CLOEXEC)) {
    if (fd_ < 0) throw Error(fmt::format("opening the manifest {}: {}", manifest, std::strerror(errno)));
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(fd_);
    throw Error(
        fmt::format("{}: a run is writing it, or another recovery; wait for its end, or end it", manifest));
}

Hold::~Hold() { ::close(fd_); }

void add_published(const std::string &manifest, const std::string &file, std::optional<std::int64_t> frames) {
    Json line{{"event", "published"}, {"file", file}};
    if (frames) line["frames"] = *frames;
    // After a half line, on a line of its own.
    std::ifstream in(manifest, std::ios::binary | std::ios::ate);
    in.seekg(-1, std::ios::end);
    const bool torn = in && in.get() != '\n';
    const auto text = (torn ? "\n" : "") + line.dump() + "\n";
    const int fd = ::open(manifest.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
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
