/// The map projection as CF has it: a grid mapping, and the coordinates of the grid on the map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// A sphere's map, by the numbers of the initial file.
class GridMapping {
  public:
    /// None on a plane that is no map, and on maps that CF has not in this form (a rotated pole). Throws
    /// io::Error: an initial file that cannot be read.
    static std::optional<GridMapping> make(const Config &config);

    /// The name of the variable that holds it, for the attribute grid_mapping of fields.
    static constexpr const char *name = "projection";

    /// What is put once a stream: the mapping, and where its lines are distances on a plane their
    /// coordinates, of cells and faces.
    std::vector<io::Field> fields() const;

    /// Puts them, on the rank of the first patch; nothing elsewhere. `grid`: its latitudes and longitudes.
    void put(io::Stream &stream, const Patch &patch, const Grid &grid) const;

    /// Where a point lies on the map [m], from latitude and longitude [degrees].
    struct Point {
        double x, y;
    };
    Point project(double latitude, double longitude) const;

  private:
    enum class Kind { lambert, polar, mercator, latitude_longitude };
    Kind kind_ = Kind::lambert;
    double true_1_ = 0, true_2_ = 0, standard_longitude_ = 0, origin_latitude_ = 0; ///< [degrees]
};

} // namespace squall
