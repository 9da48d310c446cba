/// Tables of places beside a run file: comma-separated, the first line names the columns, # begins a comment.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "output/places.hpp"
#include "settings/small_files.hpp"

namespace squall {

/// How a table says where its places are.
enum class PlaceColumns { longitude_latitude, x_y, i_j };

/// Reads the lines one by one, and knows where it is. All functions throw ConfigError: the file, the line and
/// what it lacks.
class PlaceTable {
  public:
    PlaceTable(const SmallFiles &files, const std::string &file);

    PlaceColumns columns() const { return kind_; }
    bool has(const std::string &column) const;
    /// Goes on to the next line; false: there is none.
    bool next();

    // Of this line.
    /// By x and y: i and j are these [m].
    Place place() const;
    const std::string &text(const std::string &column) const;
    double number(const std::string &column) const;
    [[noreturn]] void refuse(const std::string &what) const;

  private:
    bool read_line();

    std::string file_;
    std::istringstream in_;
    int line_ = 0;
    std::vector<std::string> names_, cells_;
    PlaceColumns kind_ = PlaceColumns::longitude_latitude;
    std::string east_, north_;
};

} // namespace squall
