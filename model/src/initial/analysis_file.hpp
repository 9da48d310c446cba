/// A file of analyses on a domain's own points, one record a time: WRF's wrflowinp and wrffdda files.
#pragma once

#include <string>
#include <vector>

#include "initial/input_file.hpp"
#include "settings/config.hpp"

namespace squall {

/// Which records lie around a time, and how far it is from the first to the second, 0 to 1.
struct Between {
    std::int64_t before = 0, after = 0;
    double share = 0;
};

class AnalysisFile {
  public:
    /// Opens `path` for the domain of `config`; `remedy`: who writes such a file. Throws std::runtime_error
    /// as InputFile: a file of another domain than initial.file's, whose times do not follow each other, or
    /// that begins after the run does, or goes on.
    AnalysisFile(const std::string &path, const Config &config, const std::string &remedy);

    /// At `seconds` after run.start; before the first record and beyond the last, that one.
    Between around(double seconds) const;

    double time(std::int64_t record) const { return times_[static_cast<std::size_t>(record)]; }
    std::int64_t records() const { return static_cast<std::int64_t>(times_.size()); }

    /// The file as it is at a record.
    const InputFile &at(std::int64_t record) {
        file_.look_at(record);
        return file_;
    }
    [[noreturn]] void fail(const std::string &what) const { file_.fail(what); }

  private:
    void check_domain(const Config &config, const std::string &remedy) const;
    void read_times(const Config &config, const std::string &remedy);

    InputFile file_;
    std::vector<double> times_; ///< [s since run.start]
};

} // namespace squall
