#include "verify.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "check.hpp"
#include "leftovers.hpp"
#include "logbook.hpp"
#include "team.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;
namespace {

/// What was found about the files of one stream.
struct Findings {
    std::size_t files = 0, frames = 0, missing = 0, damaged = 0, unfinished = 0;
    std::uint64_t bytes = 0;
    std::vector<std::string> faults, notes;
};

/// Looks at a published file as a whole; returns a fault, or "". A note: the run ended before it
/// showed the last frame.
std::string look_at(const Logbook &book, const FileRecord &file, std::string &note) {
    if (const auto fault = link_fault(book, file); !fault.empty())
        return fmt::format("{}: {}", file.path, fault);
    if (!fs::exists(file.path)) return fmt::format("{}: published, but missing", file.path);
    try {
        const auto source = open_source(file.path);
        if (const auto fault = size_fault(*source, file.path); !fault.empty())
            return fmt::format("{}: {}", file.path, fault);
        const auto stored = static_cast<std::int64_t>(file.published.size());
        if (source->frames == stored || (grows(file) && source->frames > stored)) return "";
        if (grows(file) && source->frames == stored - 1) {
            note = fmt::format("{}: frame {} was stored but never published; `squall recover` records that",
                               file.path, stored - 1);
            return "";
        }
        return fmt::format("{} has {}, but {} were published", file.path, count(source->frames, "frame"),
                           stored);
    } catch (const std::exception &e) {
        return fmt::format("{} cannot be read: {}", file.path, e.what());
    }
}

class Verifier {
  public:
    Verifier(const RankGroup &group, const Logbook &book) : group_(group), book_(book) {}

    Findings run(std::size_t bytes) {
        std::vector<Task> tasks;
        for (const auto &file : book_.files) {
            if (!file.pending.empty()) unfinished(file);
            if (!file.is_published) continue;
            ++all_.files;
            if (file.engine == "null") continue;
            const auto more = look(file);
            tasks.insert(tasks.end(), more.begin(), more.end());
        }
        const auto checked = check(group_, tasks, bytes);
        all_.bytes = checked.bytes;
        std::string damaged;
        for (std::size_t t = 0; t < tasks.size(); ++t) {
            if (checked.faults[t].empty()) continue;
            all_.damaged += tasks[t].file != damaged;
            damaged = tasks[t].file;
            all_.faults.push_back(describe(tasks[t], checked.faults[t]));
        }
        return std::move(all_);
    }

  private:
    /// What is still to be checked of a published file. Rank 0 looks, for a live run changes things.
    std::vector<Task> look(const FileRecord &file) {
        std::string note;
        const auto fault = broadcast(group_, group_.leads() ? look_at(book_, file, note) : "");
        note = broadcast(group_, note);
        if (fault.empty()) {
            auto frames = file.published;
            if (!note.empty()) frames.erase(std::prev(frames.end()));
            if (!note.empty()) all_.notes.push_back(note);
            all_.frames += frames.size();
            return tasks_for(frames, file.path);
        }
        all_.faults.push_back(fault);
        ++(fs::exists(file.path) ? all_.damaged : all_.missing);
        return {};
    }

    void unfinished(const FileRecord &file) {
        ++all_.unfinished;
        const auto places = places_of_pending(book_, file);
        const auto frames = count(file.pending.size(), "frame");
        const auto what =
            places.empty()
                ? fmt::format("{}: {} stored but not published, and none of it is here; if it is in the "
                              "burst directory of another node, run `squall recover` there",
                              file.path, frames)
                : fmt::format("{}: {} stored but not published, in {}", file.path, frames, places.front());
        all_.notes.push_back(what + (places.empty() ? "" : what_next()));
    }

    const char *what_next() const {
        switch (use_of(book_.path)) {
        case ManifestFile::Use::yes:
            return "; the run is still writing";
        case ManifestFile::Use::unknown:
            return "; unless the run is still writing, `squall recover` publishes what is whole";
        default:
            return "; `squall recover` publishes what is whole";
        }
    }

    std::string describe(const Task &task, const std::string &fault) const {
        const auto file = std::ranges::find(book_.files, task.file, &FileRecord::path);
        return fmt::format("{}: frame {} ({}), field {}: {}", task.file, task.frame,
                           file->published.at(task.frame).time, task.field, fault);
    }

    const RankGroup &group_;
    const Logbook &book_;
    Findings all_;
};

void print(const RankGroup &group, const std::vector<Logbook> &books, const std::vector<Findings> &findings) {
    std::size_t wide = 6;
    for (const auto &book : books) wide = std::max(wide, book.stream.size());
    const auto row = [&](const auto &...cells) {
        say(group, fmt::format("{:<{}}  {:>6} {:>7} {:>10} {:>8} {:>8} {:>11}", cells...));
    };
    row("stream", wide, "files", "frames", "read", "missing", "damaged", "unfinished");
    for (std::size_t n = 0; n < books.size(); ++n) {
        const auto &f = findings[n];
        row(books[n].stream, wide, f.files, f.frames, in_units(f.bytes), f.missing, f.damaged, f.unfinished);
    }
}

} // namespace

bool verify(const RankGroup &group, const std::vector<std::string> &arguments, std::size_t memory) {
    std::vector<std::string> manifests;
    group.attempt([&] { manifests = find_manifests(arguments); });
    std::vector<Logbook> books;
    std::vector<Findings> findings;
    for (const auto &manifest : manifests) {
        books.push_back(read_logbook(group, manifest));
        findings.push_back(Verifier(group, books.back()).run(memory / 2));
    }
    print(group, books, findings);
    std::size_t faults = 0;
    for (const auto &f : findings) {
        for (const auto &fault : f.faults) say(group, "wrong: " + fault);
        for (const auto &note : f.notes) say(group, "note: " + note);
        faults += f.faults.size();
    }
    if (group.leads())
        for (const auto &unknown : unknown_files(books)) say(group, "note: " + unknown);
    say(group, faults == 0 ? "Everything published is present and whole."
                           : fmt::format("{} wrong; everything else that was published is whole.",
                                         count(faults, "thing")));
    return faults == 0;
}

} // namespace squall::io::tools
