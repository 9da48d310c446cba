/// What the files of a stream are called: known before anything of a file is written, and no name twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "squall/io.hpp"

namespace squall::io {

/// A file is called after the time of its first frame, stored or lost, so that no failure changes a name. See
/// frame after frame.
class FileNames {
  public:
    /// `pattern`: StreamSpec::path.
    explicit FileNames(std::string pattern) : pattern_(std::move(pattern)) {}

    /// The next frame, of the file of a number. `given`: the name that the client gave that file, or "".
    void see(std::int64_t file, const Time &time, const std::string &given = "");
    /// The file of that frame is called after this frame, whatever others of the same number are called.
    void set_apart(const Time &time) { name_ = apart(time); }
    /// The file of that frame counts as this one from now on: it goes on with frames of an earlier run.
    void renumber(std::int64_t file) { file_ = file; }
    /// A file had to be published already: frames of it that follow are set apart.
    void end_early(std::int64_t file) { ended_early_ = file == file_; }

    /// Of the file of that frame.
    const std::string &name() const { return name_; }
    /// Why that file cannot be written: another one of the stream has its name; "": it can. The client may
    /// give a name again.
    std::string fault() const;

    /// The number of the file that has a name; none has it.
    std::optional<std::int64_t> holder(const std::string &name) const;
    void take(const std::string &name, std::int64_t file) { files_.try_emplace(name, file); }
    void give_back(const std::string &name) { files_.erase(name); }

  private:
    std::string apart(const Time &time) const;

    std::string pattern_, name_;
    std::string given_;      ///< by the client, to the file of the last frame
    std::int64_t file_ = -1; ///< of the last frame; -1: there was none
    bool ended_early_ = false;
    std::map<std::string, std::int64_t> files_; ///< by name
};

} // namespace squall::io
