#include "publish/file_names.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace squall::io {
namespace {

/// "day_2000-01-01_12-00-00.nc" where the pattern makes "day.nc", unless it tells seconds itself.
std::string name_apart(const std::string &pattern, const Time &time) {
    if (pattern.find("%S") != pattern.npos) return format_time(time, pattern);
    const std::filesystem::path whole = format_time(time, pattern);
    const auto name =
        whole.stem().string() + format_time(time, "_%Y-%m-%d_%H-%M-%S") + whole.extension().string();
    return (whole.parent_path() / name).string();
}

} // namespace

void FileNames::see(std::int64_t file, const Time &time) {
    if (file == file_ && !ended_early_) return;
    if (file == file_)
        name_ = name_apart(pattern_, time);
    else
        name_ = format_time(time, pattern_);
    file_ = file;
    ended_early_ = false;
}

void FileNames::set_apart(const Time &time) { name_ = name_apart(pattern_, time); }

std::string FileNames::fault() const {
    const auto known = holder(name_);
    if (!known || *known == file_) return "";
    return "this stream has already written a file of this name; put finer units of time into the path, or "
           "more "
           "frames into a file";
}

std::optional<std::int64_t> FileNames::holder(const std::string &name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace squall::io
