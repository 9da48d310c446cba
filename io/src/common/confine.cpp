#include "common/confine.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {
namespace fs = std::filesystem;
namespace {

/// Whether absolute, normal paths are a directory and something below it.
bool begins_with(const fs::path &path, const fs::path &directory) {
    const auto [end, rest] = std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
    return end == directory.end() && rest != path.end();
}

} // namespace

std::string name_fault(std::string_view name) {
    if (name.find('/') != name.npos) return fmt::format("\"{}\" is a path, but must be a name", name);
    return path_fault(name);
}

std::string path_fault(std::string_view path) {
    if (path.empty()) return "a name is empty";
    if (std::ranges::any_of(path, [](unsigned char c) { return c < ' '; }))
        return "a name contains a control character";
    if (path.front() == '/') return fmt::format("\"{}\" is an absolute path", path);
    bool named = false;
    for (const auto &part : fs::path(path)) {
        if (part == "..") return fmt::format("\"{}\" leads out of its directory", path);
        named |= part != "." && !part.empty();
    }
    return named ? "" : fmt::format("\"{}\" is not a name", path);
}

std::string confined(const std::string &directory, const std::string &relative) {
    if (const auto fault = path_fault(relative); !fault.empty())
        throw Error(fault + "; only files in its own directory may be named");
    auto path = fs::path(directory.empty() ? "." : directory);
    for (const auto &part : fs::path(relative)) {
        path /= part;
        std::error_code problem;
        if (fs::symlink_status(path, problem).type() != fs::file_type::symlink) continue;
        const auto target = fs::canonical(path, problem);
        if (problem) throw Error(fmt::format("{} is a dangling link", path.string()));
        if (!begins_with(target, fs::canonical(directory.empty() ? "." : directory)))
            throw Error(fmt::format("{} is a link out of its directory, to {}; put the file itself there",
                                    path.string(), target.string()));
    }
    return (fs::path(directory) / relative).string();
}

bool lies_below(const std::string &directory, const std::string &path) {
    std::error_code problem;
    const auto resolved = [&](const std::string &some) {
        auto whole = fs::absolute(some).lexically_normal();
        return whole.filename().empty() ? whole.parent_path() : whole; // a slash at the end means nothing
    };
    const auto top = fs::weakly_canonical(resolved(directory), problem);
    // The last part may be a link itself, which is removed or renamed as it is.
    const auto whole = resolved(path);
    const auto parent = problem ? fs::path() : fs::weakly_canonical(whole.parent_path(), problem);
    return !problem && begins_with(parent / whole.filename(), top);
}

} // namespace squall::io
