#include "leftovers.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "common/confine.hpp"
#include "engines/engine.hpp"
#include "publish/publish.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;

std::string rescue_name(const std::string &file) { return file + ".rescued"; }

namespace {

std::vector<std::string> burst_dirs_of(const Logbook &book, std::vector<std::string> more) {
    more.insert(more.end(), book.burst_dirs.begin(), book.burst_dirs.end());
    return more;
}

/// A manifest may name any file as what lies in a burst directory; only below one, and under the name that
/// the file has there, a run can have put it.
void check_held(const Logbook &book, const FileRecord &file, const std::vector<std::string> &burst_dirs) {
    const auto name = fs::path(part_name(file.path)).filename();
    const bool declared = std::ranges::any_of(
        burst_dirs, [&](const std::string &burst) { return lies_below(burst, file.held); });
    if (!declared || fs::path(file.held).filename() != name)
        throw Error(
            fmt::format("{}: the manifest places {} in {}, which is not {} in a burst directory of this "
                        "stream; if the manifest is right, name its burst directory with --burst-dir",
                        book.path, file.name, file.held, name.string()));
}

} // namespace

std::string link_fault(const Logbook &book, const FileRecord &file) {
    const auto directory = fs::path(book.path).parent_path().string();
    try {
        for (const auto &name : {file.name, part_name(file.name), rescue_name(file.name)})
            confined(directory, name);
    } catch (const std::exception &e) {
        return e.what();
    }
    return "";
}

std::vector<std::string> places_of_pending(const Logbook &book, const FileRecord &file,
                                           const std::vector<std::string> &more_burst_dirs) {
    std::vector<std::string> places;
    const auto add = [&](const std::string &place) {
        if (!place.empty() && fs::exists(place)) places.push_back(place);
    };
    const auto burst_dirs = burst_dirs_of(book, more_burst_dirs);
    if (!file.held.empty() && fs::exists(file.held)) check_held(book, file, burst_dirs);
    add(file.held);
    add(part_name(file.path));
    const auto below = fs::absolute(file.path).lexically_normal().relative_path();
    for (const auto &burst : burst_dirs) add(part_name((fs::path(burst) / below).string()));
    add(rescue_name(file.path));
    add(file.path);
    return places;
}

bool left_in_burst(const Logbook &book, const FileRecord &file,
                   const std::vector<std::string> &more_burst_dirs) {
    const bool published = file.is_published && file.pending.empty();
    if (!published || file.held.empty() || !fs::exists(file.path) || !fs::exists(file.held)) return false;
    check_held(book, file, burst_dirs_of(book, more_burst_dirs));
    return true;
}

namespace {

bool is_part_of(const std::string &copy, const std::string &source) {
    const fs::recursive_directory_iterator all(copy);
    return std::all_of(begin(all), end(all), [&](const fs::directory_entry &entry) {
        return fs::exists(fs::symlink_status(source / entry.path().lexically_relative(copy)));
    });
}

/// Whether it is of an engine that makes directories, or of one that makes files.
bool recognised(const std::string &path, bool directory) {
    return std::ranges::any_of(built_engines(), [&](const Engine *e) {
        return e->directory == directory && e->recognises && e->recognises(path);
    });
}

} // namespace

bool may_be_made(const std::string &path, const std::string &source) {
    const auto about = fs::symlink_status(path);
    if (!fs::exists(about)) return true;
    if (fs::is_directory(about)) return is_part_of(path, source) || recognised(path, true);
    if (!fs::is_regular_file(about)) return false;
    std::ifstream in(path, std::ios::binary);
    char first[4] = {};
    in.read(first, sizeof first);
    // Of a file that was not yet written from its beginning nothing can be said but that it is empty there.
    return std::ranges::all_of(first, [](char c) { return c == 0; }) || recognised(path, false);
}

std::vector<std::string> unknown_files(const std::vector<Logbook> &books) {
    std::set<fs::path> directories, known, finished;
    for (const auto &book : books) {
        directories.insert(fs::absolute(book.path).lexically_normal().parent_path());
        for (const auto &file : book.files) {
            const auto path = fs::absolute(file.path).lexically_normal();
            directories.insert(path.parent_path());
            known.insert(path);
            if (!file.pending.empty()) known.insert(part_name(path));
        }
    }
    std::vector<std::string> found;
    for (const auto &directory : directories) {
        if (!fs::is_directory(directory)) continue;
        for (const auto &entry : fs::directory_iterator(directory)) {
            const auto path = entry.path().string();
            if (known.contains(entry.path())) continue;
            if (path.ends_with(".part"))
                found.push_back(
                    fmt::format("{}: left over; no frame in it was stored, it can be removed", path));
            else if (recognised(path, false) || recognised(path, true))
                found.push_back(fmt::format("{}: in no manifest, not checked", path));
        }
    }
    std::ranges::sort(found);
    return found;
}

} // namespace squall::io::tools
