#include "recover.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "check.hpp"
#include "convert.hpp"
#include "engines/engine.hpp"
#include "leftovers.hpp"
#include "logbook.hpp"
#include "publish/burst_copier.hpp"
#include "publish/publish.hpp"
#include "read/source.hpp"
#include "read/source_check.hpp"
#include "team.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;
namespace {

/// What is left of a file that was not published.
struct Remains {
    std::string place;
    std::int64_t frames = 0, whole = 0; ///< in it, and how many of the first ones are whole
    std::string fault;                  ///< why there are no more
};

/// The first frames of a place that are as stored. Collective.
Remains examine(const RankGroup &group, const Frames &stored, const std::string &place, std::size_t bytes,
                Opening opening) {
    Remains found{place, 0, 0, ""};
    if (group.leads()) {
        try {
            const auto source = opening(place);
            if (const auto fault = size_fault(*source, place); !fault.empty()) throw Error(fault);
            found.frames = source->frames;
        } catch (const std::exception &e) {
            found.fault = fmt::format("{} cannot be read: {}", place, e.what());
        }
    }
    MPI_Bcast(&found.frames, 1, MPI_INT64_T, 0, group.comm());
    Frames here(stored.begin(), stored.lower_bound(found.frames));
    const auto tasks = tasks_for(here, place);
    const auto checked = check(group, tasks, bytes, opening);
    std::int64_t first_bad = static_cast<std::int64_t>(here.size());
    for (std::size_t t = 0; t < tasks.size(); ++t)
        if (!checked.faults[t].empty() && tasks[t].frame < first_bad) {
            first_bad = tasks[t].frame;
            found.fault = fmt::format("{}: frame {}, field {}: {}", place, tasks[t].frame, tasks[t].field,
                                      checked.faults[t]);
        }
    found.whole = first_bad;
    if (found.fault.empty() && here.size() < stored.size())
        found.fault = fmt::format("{} has {}", place, count(here.size(), "frame"));
    return found;
}

/// Files that this is made of, relative to it; "" for a file.
std::vector<std::string> files_of(const std::string &path) {
    if (!fs::is_directory(path)) return {""};
    std::vector<std::string> files;
    for (const auto &entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(path).string());
    return files;
}

void bring_all_to_disk(const std::string &path) {
    for (const auto &file : files_of(path)) bring_to_disk(file.empty() ? path : path + "/" + file);
}

/// Opens what a run left, which may have been ended within a frame.
std::unique_ptr<Source> open_remains(const std::string &place) {
    const auto *salvage = salvage_of(place);
    if (!salvage) return open_source(place);
    auto source = salvage->open(place);
    check_source(*source);
    return source;
}

/// Before something is removed or rewritten, for what is in the source.
void require_made(const std::string &path, const std::string &source) {
    if (!may_be_made(path, source))
        throw Error(fmt::format(
            "{} is not what a run writes, and would be replaced; move it away and recover again", path));
}

/// The first frames of a file that was not published, up to one that others have written again, into a file
/// that they published, when the servers that had stored it were lost.
Frames not_written_again(const Logbook &book, const FileRecord &file) {
    std::map<std::string, std::int64_t> published; // by time: in which line
    for (const auto &other : book.files)
        if (other.name != file.name)
            for (const auto &[number, frame] : other.published) {
                auto &line = published[frame.time];
                line = std::max(line, frame.line);
            }
    auto first = std::ranges::find_if(file.pending, [&](const auto &stored) {
        const auto again = published.find(stored.second.time);
        return again != published.end() && again->second > stored.second.line;
    });
    return {file.pending.begin(), first};
}

class Recoverer {
  public:
    Recoverer(const RankGroup &group, const Recovery &job, const Logbook &book)
        : group_(group), job_(job), book_(book) {}

    /// Returns how many files had something to do, and whether all of that could be done.
    std::pair<std::size_t, bool> run() {
        std::size_t files = 0;
        bool all = true;
        for (const auto &file : book_.files) {
            if (file.pending.empty()) {
                const bool lost = put_on_record(file);
                files += clear_burst(file) || lost;
                continue;
            }
            ++files;
            auto rest = file;
            rest.pending = not_written_again(book_, file);
            if (rest.pending.empty())
                say(group_, fmt::format("{}: its frames were written again elsewhere; {} can be removed",
                                        file.path, part_name(file.path)));
            else
                all &= recover(rest);
        }
        return {files, all};
    }

  private:
    bool recover(const FileRecord &file) {
        group_.attempt([&] {
            if (!group_.leads()) return;
            if (const auto fault = link_fault(book_, file); !fault.empty())
                throw Error(fmt::format("{}: {}", file.path, fault));
        });
        const auto best = find_best(file);
        if (best.whole == 0 && grows(file) && file.pending.size() == 1 && book_.burst_dirs.empty()) {
            // Its engine shows every frame once it is stored: the run was ended between the two.
            say(group_,
                fmt::format(
                    "{}: its only frame was stored but never published; it is lost, and {} can be removed",
                    file.path, part_name(file.path)));
            return true;
        }
        if (best.whole == 0) {
            say(group_, fmt::format("{}: none of {} can be saved: {}", file.path,
                                    count(file.pending.size(), "stored frame"), best.fault));
            return false;
        }
        if (best.place != file.path && !takes_place_of_published(file, best) && exists(file.path)) {
            say(group_, fmt::format("{} exists, from an earlier run, and stays; to publish {} from {}, move "
                                    "it away and recover again",
                                    file.path, count(best.whole, "frame"), best.place));
            return false;
        }
        const auto stored = static_cast<std::int64_t>(file.pending.size());
        const auto lost = best.whole < stored ? fmt::format(" of {}; {}", stored, best.fault) : "";
        if (!job_.dry_run) publish_from(file, best);
        say(group_,
            fmt::format("{}: {} {} from {}{}", file.path, job_.dry_run ? "would publish" : "published",
                        count(best.whole, "frame"), best.place, lost));
        return true;
    }

    /// Whether what is left is a longer copy of what is published, or as long a one.
    static bool takes_place_of_published(const FileRecord &file, const Remains &left) {
        return !file.published.empty() && left.whole >= std::ssize(file.published) &&
               file.pending.begin()->second.line == file.published.begin()->second.line;
    }

    bool exists(const std::string &path) const {
        return !broadcast(group_, fs::exists(path) ? "y" : "").empty();
    }

    /// The place that holds most of a file; of equals the first.
    Remains find_best(const FileRecord &file) {
        std::string list;
        group_.attempt([&] {
            if (!group_.leads()) return;
            for (const auto &place : places_of_pending(book_, file, job_.burst_dirs)) {
                if (fs::is_symlink(place))
                    throw Error(fmt::format("{} is a link, and its target is not touched; put the file "
                                            "itself there and recover again",
                                            place));
                list += place + "\n";
            }
        });
        const auto stored = static_cast<std::int64_t>(file.pending.size());
        if (exists(file.path)) { // a run may have been ended before it wrote down that the file is there
            const auto there = examine(group_, file.pending, file.path, job_.memory / 2, open_source);
            if (there.frames == stored && there.whole == stored) return there;
        }
        std::istringstream places(broadcast(group_, list));
        Remains best{"", 0, 0,
                     "none of it is here; if it is in the burst directory of another node, run this there, "
                     "or name the directory with --burst-dir"};
        for (std::string place; std::getline(places, place);) {
            auto found = examine(group_, file.pending, place, job_.memory / 2,
                                 place == file.path ? open_source : open_remains);
            // What bears the final name is this file only if it holds nothing else.
            if (place == file.path && found.frames != found.whole) continue;
            if (best.place.empty() || found.whole > best.whole) best = found;
            if (best.whole == stored) break;
        }
        return best;
    }

    void publish_from(const FileRecord &file, const Remains &found) {
        if (found.place != file.path) {
            const bool cut = found.frames > found.whole;
            const auto *salvage = group_.leads() ? salvage_of(found.place) : nullptr;
            if (cut && !group_.any(salvage))
                rescue(file, found);
            else
                group_.attempt([&] {
                    if (group_.leads()) bring(file, found, salvage);
                });
        }
        group_.attempt([&] {
            if (!group_.leads()) return;
            if (found.place != file.path) publish(file.path);
            const auto &stored = std::ranges::find(book_.files, file.name, &FileRecord::name)->pending;
            const bool all = found.whole == std::ssize(stored);
            Frames appeared = stored;
            std::erase_if(appeared, [&](const auto &frame) {
                const auto before = file.published.find(frame.first);
                return before != file.published.end() && before->second.line == frame.second.line;
            });
            add_published(book_.path, file.name, all ? std::nullopt : std::optional(found.whole), appeared);
            const bool home = found.place == part_name(file.path) || found.place == file.path;
            if (!home) fs::remove_all(found.place);
            if (home && all && !file.held.empty()) fs::remove_all(file.held); // what has come home
        });
    }

    /// Takes the file to its part name as it is, or with its last frames cut where that is possible.
    static void bring(const FileRecord &file, const Remains &found, const Salvage *salvage) {
        const auto part = part_name(file.path);
        if (found.place != part) {
            require_made(part, found.place);
            fs::remove_all(part);
            for (const auto &name : files_of(found.place)) {
                const auto tail = name.empty() ? "" : "/" + name;
                copy_verified(found.place + tail, part + tail);
            }
        }
        if (salvage) salvage->cut(part, found.whole);
        bring_all_to_disk(part);
    }

    /// Makes the part file anew of the whole frames. Collective.
    void rescue(const FileRecord &file, const Remains &found) {
        const auto rescued = rescue_name(file.path);
        group_.attempt([&] {
            if (!group_.leads()) return;
            for (const auto &path : {part_name(file.path), rescued, part_name(rescued)})
                require_made(path, found.place);
        });
        Conversion job;
        job.inputs = {found.place};
        job.output = rescued;
        job.engine = file.engine;
        job.frames = {0, found.whole};
        job.memory = job_.memory;
        job.overwrite = true;
        convert(group_, job);
        group_.attempt([&] {
            if (!group_.leads()) return;
            fs::remove_all(part_name(file.path)); // all of it that is whole is in the other
            fs::rename(rescued, part_name(file.path));
        });
    }

    /// A run was ended after it stored a frame and before it showed it: that frame is lost.
    bool put_on_record(const FileRecord &file) {
        const auto stored = static_cast<std::int64_t>(file.published.size());
        std::int64_t frames = stored;
        if (group_.leads() && file.is_published && link_fault(book_, file).empty() && file.engine != "null" &&
            fs::exists(file.path)) {
            try {
                frames = open_source(file.path)->frames;
            } catch (const std::exception &) {
                return false; // `squall check` tells of it
            }
        }
        const bool lost = group_.leads() && grows(file) && frames == stored - 1;
        if (!group_.any(lost)) return false;
        group_.attempt([&] {
            if (group_.leads() && !job_.dry_run) add_published(book_.path, file.name, frames);
        });
        say(group_, fmt::format("{}: frame {} was stored but never published; it is lost{}", file.path,
                                stored - 1, job_.dry_run ? "" : ", and the manifest now says so"));
        return true;
    }

    /// A run was ended after it published a file and before it removed the copy in the burst directory.
    bool clear_burst(const FileRecord &file) {
        bool cleared = false;
        group_.attempt([&] {
            if (!group_.leads() || !left_in_burst(book_, file, job_.burst_dirs)) return;
            cleared = true;
            if (!job_.dry_run) fs::remove_all(file.held);
        });
        if (!group_.any(cleared)) return false;
        say(group_, fmt::format("{}: is published; {} its copy in the burst directory, {}", file.path,
                                job_.dry_run ? "would remove" : "removed", file.held));
        return true;
    }

    const RankGroup &group_;
    const Recovery &job_;
    const Logbook &book_;
};

} // namespace

bool recover(const RankGroup &group, const Recovery &job) {
    std::vector<std::string> manifests;
    group.attempt([&] { manifests = find_manifests(job.runs); });
    std::size_t files = 0;
    bool all = true;
    for (const auto &manifest : manifests) {
        std::unique_ptr<Hold> hold;
        group.attempt([&] {
            if (group.leads()) hold = std::make_unique<Hold>(manifest, job.no_locks);
        });
        const auto book = read_logbook(group, manifest);
        const auto [some, well] = Recoverer(group, job, book).run();
        files += some;
        all &= well;
    }
    if (files == 0) say(group, "Nothing to recover: everything stored is published.");
    return all;
}

} // namespace squall::io::tools
