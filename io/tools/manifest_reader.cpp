#include "manifest_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "common/confine.hpp"
#include "common/document.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;
using Item = io::Item<Json>;

std::optional<Json> object_in(std::string_view line) {
    if (!line.starts_with('{')) return std::nullopt; // far faster than to have it refused
    try {
        auto json = parse_document<Json>(line, "the line");
        return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
    } catch (const TooLarge &) { // no half line is
        throw;
    } catch (const Error &) {
        return std::nullopt;
    }
}

std::string text_in(const Item &event, const char *name) {
    return event.has(name) ? event[name].text() : std::string();
}

std::uint64_t checksum_in(const Item &item) {
    const auto text = item.text();
    std::uint64_t sum = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), sum, 16);
    if (problem != std::errc() || stop != text.data() + text.size())
        item.fail("it must be a checksum in hexadecimal");
    return sum;
}

std::string absolute_path(const Item &event, const char *name) {
    const auto path = text_in(event, name);
    if (!path.empty() && (path.front() != '/' || path.find('\0') != path.npos))
        event[name].fail("it must be an absolute path");
    return path;
}

class ManifestParser {
  public:
    using Grows = bool (*)(const FileRecord &);

    ManifestParser(const std::string &path, Grows grows) : grows_(grows) {
        book_.path = path;
        const auto name = fs::path(path).filename().string();
        book_.stream = name.substr(0, name.size() - std::min(name.size(), std::strlen(manifest_ending)));
    }

    /// A run that was killed may leave half a line, to which the next run adds its first.
    void take(std::string_view line) {
        ++line_;
        auto json = object_in(line);
        const auto last = line.rfind("{\"event\"");
        if (!json && last != line.npos) json = object_in(line.substr(last));
        if (!json) return;
        const Item event(*json, "the line");
        const auto kind = text_in(event, "event");
        if (kind == "open")
            open(event);
        else if (event.has("file"))
            about_file(kind, event, record(event["file"].text()));
    }

    Logbook done() { return std::move(book_); }

  private:
    void open(const Item &event) {
        engine_ = text_in(event, "engine");
        const auto burst = absolute_path(event, "burst_dir");
        if (!burst.empty() && std::ranges::find(book_.burst_dirs, burst) == book_.burst_dirs.end())
            book_.burst_dirs.push_back(burst);
    }

    FileRecord &record(const std::string &name) {
        if (const auto fault = path_fault(name); !fault.empty())
            throw Error(fault + "; a stream's files are below its manifest");
        const auto [known, added] = index_.try_emplace(name, book_.files.size());
        if (added)
            book_.files.push_back(
                {name, (fs::path(book_.path).parent_path() / name).string(), engine_, false, {}, {}, ""});
        return book_.files[known->second];
    }

    void about_file(const std::string &kind, const Item &event, FileRecord &file) {
        if (kind == "stored")
            stored(event, file);
        else if (kind == "burst")
            file.held = absolute_path(event, "held");
        else if (kind == "published")
            published(event, file);
        else if (kind == "removed")
            file.published.clear(), file.pending.clear(), file.held.clear(), file.is_published = false;
    }

    /// A file begins with frame 0, unless a run goes on behind frames of an earlier one: then those of a copy
    /// are in it, too, which is published in place of the first. A frame that follows after the file was
    /// published is of an engine that shows its frames one by one.
    void stored(const Item &event, FileRecord &file) {
        const auto number = event["frame"].integer();
        StoredFrame frame{text_in(event, "time"), {}, line_};
        for (const auto &[name, sum] : event["fields"].members()) frame.fields[name] = checksum_in(sum);
        if (number == 0) {
            file.pending.clear();
            file.held.clear();
            file.engine = engine_;
        } else if (file.pending.empty() && !grows_(file)) {
            file.pending = {file.published.begin(), file.published.lower_bound(number)};
            file.held.clear();
        }
        auto &frames = number > 0 && file.pending.empty() ? file.published : file.pending;
        if (!file.pending.empty()) frames.erase(frames.lower_bound(number), frames.end()); // made anew
        if (number > std::ssize(frames))
            throw Error(fmt::format("frame {} of {} follows {}", number, file.name, std::ssize(frames) - 1));
        frames[number] = std::move(frame);
    }

    static void published(const Item &event, FileRecord &file) {
        const auto frames = event.has("frames") ? std::optional(event["frames"].integer()) : std::nullopt;
        if (!file.pending.empty()) file.published = std::exchange(file.pending, {});
        file.is_published = true;
        if (!frames) return;
        file.published.erase(file.published.lower_bound(*frames), file.published.end());
        file.held.clear(); // it may hold what the published file lacks
    }

    Grows grows_;
    Logbook book_;
    std::int64_t line_ = 0;
    std::string engine_;
    std::map<std::string, std::size_t> index_;
};

} // namespace

Logbook parse_manifest(const std::string &path, std::string_view text, bool (*grows)(const FileRecord &)) {
    ManifestParser parser(path, grows);
    for (int number = 1; !text.empty(); ++number) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        try {
            parser.take(line);
        } catch (const std::exception &e) {
            throw Error(
                fmt::format("{}, line {}: Squall does not write such a line ({}); restore the manifest", path,
                            number, e.what()));
        }
    }
    return parser.done();
}

} // namespace squall::io::tools
