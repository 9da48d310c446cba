/// What a run says on the screen, kept with times.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

namespace squall {

/// As long as it lives, all that this process writes to std::cout, std::cerr and C's stderr goes to the
/// screen as ever and, line by line with the time (UTC), to run.log in the run's directory, which all ranks
/// add to. A line that cannot be kept is no error. One object at a time.
class RunLog {
  public:
    /// Opens the file with the first line: the directory may come later. `rank`: of all that were started.
    RunLog(const std::string &directory, int rank);
    ~RunLog();
    RunLog(const RunLog &) = delete;
    RunLog &operator=(const RunLog &) = delete;

    std::ostream &screen(); ///< std::cout without the file
    std::ostream &only();   ///< the file without a screen

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall
