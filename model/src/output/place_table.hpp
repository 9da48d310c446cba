/// Tables of places beside a run file.
#pragma once

#include <string>

#include "output/places.hpp"
#include "settings/text_table.hpp"

namespace squall {

/// How a table says where its places are.
enum class PlaceColumns { longitude_latitude, x_y, i_j };

class PlaceTable : public TextTable {
  public:
    PlaceTable(const SmallFiles &files, const std::string &file);

    PlaceColumns columns() const { return kind_; }
    /// Of this line. By x and y: i and j are these [m].
    Place place() const;

  private:
    PlaceColumns kind_ = PlaceColumns::longitude_latitude;
    std::string east_, north_;
};

} // namespace squall
