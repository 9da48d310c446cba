/// Tables in files of comma-separated values whose first line names the columns.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "settings/small_files.hpp"

namespace squall::transport {

class NumberTable {
  public:
    /// Throws ConfigError, with the file and the line, as all functions do: it cannot be read, or lacks one
    /// of `columns`. Lines that are empty or begin with # are passed over.
    NumberTable(const SmallFiles &files, const std::string &file, const std::vector<std::string> &columns);

    /// Goes on to the next line; false: there is none.
    bool next();
    const std::string &text(const std::string &column) const; ///< of this line
    double number(const std::string &column) const;
    [[noreturn]] void refuse(const std::string &what) const;

  private:
    bool read_line();

    std::string file_;
    std::istringstream in_;
    int line_ = 0;
    std::vector<std::string> names_, cells_;
};

} // namespace squall::transport
