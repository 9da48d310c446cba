/// Tables beside a run file: comma-separated, the first line names the columns, # begins a comment.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "settings/small_files.hpp"

namespace squall {

/// Reads the lines one by one, and knows where it is. All functions throw ConfigError: the file, the line and
/// what it lacks.
class TextTable {
  public:
    /// `what` it is of, for messages: "places".
    TextTable(const SmallFiles &files, const std::string &file, const std::string &what);

    bool has(const std::string &column) const;
    /// Refuses a table that lacks one of them.
    void require(const std::vector<std::string> &columns) const;
    /// Goes on to the next line; false: there is none.
    bool next();

    // Of this line.
    const std::string &text(const std::string &column) const;
    double number(const std::string &column) const;
    /// Of the column `time`, a date or seconds since `start`: the latter.
    double time(const std::string &start) const;
    [[noreturn]] void refuse(const std::string &what) const;

  private:
    bool read_line();

    std::string file_;
    std::istringstream in_;
    int line_ = 0;
    std::vector<std::string> names_, cells_;
};

} // namespace squall
