#include "leftovers.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "publish.hpp"

namespace squall::io::tools {
namespace fs = std::filesystem;

std::string rescue_name(const std::string &file) { return file + ".rescued"; }

std::vector<std::string> places_of_pending(const Logbook &book, const FileRecord &file,
                                           const std::vector<std::string> &more_burst_dirs) {
    std::vector<std::string> places;
    const auto add = [&](const std::string &place) {
        if (!place.empty() && fs::exists(place)) places.push_back(place);
    };
    add(file.held);
    add(part_name(file.path));
    auto burst_dirs = more_burst_dirs;
    burst_dirs.insert(burst_dirs.end(), book.burst_dirs.begin(), book.burst_dirs.end());
    const auto below = fs::absolute(file.path).lexically_normal().relative_path();
    for (const auto &burst : burst_dirs) add(part_name((fs::path(burst) / below).string()));
    add(rescue_name(file.path));
    add(file.path);
    return places;
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
            else if (std::ranges::any_of(built_engines(), [&](const Engine *e) {
                         return e->recognises && e->recognises(path);
                     }))
                found.push_back(fmt::format("{}: in no manifest, not checked", path));
        }
    }
    std::ranges::sort(found);
    return found;
}

} // namespace squall::io::tools
