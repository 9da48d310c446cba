/// Small files that a run file names: soundings, and tables of places, winds and surfaces.
#pragma once

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace squall {

/// Texts that one rank has read for all.
class SmallFiles {
  public:
    /// Keeps the text of a file that can be read.
    void read(const std::string &file);
    void keep(const std::string &file, std::string text);
    std::vector<std::string> names() const;

    /// The text that was kept, else of the file as it is now; a stream that has failed where that cannot be
    /// read.
    std::istringstream open(const std::string &file) const;

  private:
    std::map<std::string, std::shared_ptr<const std::string>> texts_; ///< shared by copies
};

} // namespace squall
