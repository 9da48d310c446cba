#include "publish/file_names.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace squall::io {
namespace {

/// "day_2000-01-01_12-00-00.nc" for "day.nc".
std::string with_time(const std::filesystem::path &file, const Time &time) {
    const auto name =
        file.stem().string() + format_time(time, "_%Y-%m-%d_%H-%M-%S") + file.extension().string();
    return (file.parent_path() / name).string();
}

} // namespace

std::string FileNames::apart(const Time &time) const {
    if (!given_.empty()) return with_time(given_, time);
    const auto name = format_time(time, pattern_);
    return pattern_.find("%S") == pattern_.npos ? with_time(name, time) : name;
}

void FileNames::see(std::int64_t file, const Time &time, const std::string &given) {
    given_ = given;
    if (file != file_)
        name_ = given.empty() ? format_time(time, pattern_) : given;
    else if (ended_early_)
        name_ = apart(time);
    file_ = file;
    ended_early_ = false;
}

std::string FileNames::fault() const {
    const auto known = holder(name_);
    if (!known || *known == file_ || name_ == given_) return "";
    return "this stream has already written a file of this name; put finer units of time into the path, "
           "or more frames into a file";
}

std::optional<std::int64_t> FileNames::holder(const std::string &name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace squall::io
