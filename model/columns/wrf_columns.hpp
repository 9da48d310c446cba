/// The columns of a WRF history, as physics schemes see them: pairs of frames, the second one time step after
/// the first, whose tendencies and fluxes WRF's schemes made of the first one's state.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "physics/column.hpp"
#include "squall/io.hpp"

namespace squall::columns {

/// Values of all columns side by side, level after level from the ground up.
using Field = std::vector<real>;

/// The state of a frame. Winds are at the middle of cells, pressure is hydrostatic only where its name says
/// so.
struct Air {
    int columns = 0, nz = 0;
    Field u, v, theta, exner, pressure, density, depth, temperature;
    Field vapour, cloud, ice;
    Field weight;  ///< hydrostatic pressure with the water's weight at interfaces, nz + 1 [Pa]
    Field middle;  ///< of layers [Pa]
    Field spacing; ///< root of the area of cells [m]

    /// Columns c, c + 1, ... of a field.
    ConstColumns at(const Field &f, int c) const { return {f.data() + c, columns}; }
    Columns at(Field &f, int c) const { return {f.data() + c, columns}; }
};

class WrfColumns {
  public:
    /// Throws io::Error: a file that cannot be read.
    explicit WrfColumns(const std::string &path);

    int pairs() const { return static_cast<int>(file_.frames() / 2); }
    int columns() const { return nx_ * ny_; }
    int nz() const { return nz_; }
    /// Whether a column is within so many of a side.
    bool in_rim(int column, int width) const {
        const int i = column % nx_, j = column / nx_;
        return std::min({i, j, nx_ - 1 - i, ny_ - 1 - j}) < width;
    }
    double time_step() const;
    double spacing() const; ///< DX [m]
    int cumulus_scheme() const;

    /// A global attribute.
    double number(const std::string &name) const { return file_.number(name); }
    std::string text(const std::string &name) const { return file_.text(name); }

    /// All of a variable, of the first (0) or the second (1) frame of a pair.
    Field read(const std::string &name, int pair, int frame) const;
    bool has(const std::string &name) const { return file_.has(name); }

    /// The state that the step of a pair begins with.
    Air air(int pair) const;

  private:
    void set_weight(int pair, Air &air) const;

    io::Reader file_;
    int nx_, ny_, nz_;
};

} // namespace squall::columns
