/// From the levels of one domain to those of another, over the same dry mass.
///
/// Both stand in the same column: pressure of dry air at an interface is c3 mu + c4 + p_top with the column's
/// mass mu, so that layers of both share the mass between surface and top. What stands on layers is, in each,
/// a line in that mass whose slope is that of its neighbours (van Leer 1977, J. Comput. Phys. 23, 276-299),
/// and a layer of the other takes the mean over its own mass: the integral over the column stays, constants
/// stay to the last bit, and where the slope is limited no new extremes arise. Geopotential keeps its values
/// at the interfaces and the mean of its gradient in each layer, which is mapped as theta is: pressure, which
/// follows from the two, has no sawtooth of the levels.
#pragma once

#include <vector>

#include "core/array.hpp"
#include "core/loop.hpp"
#include "grid/grid.hpp"

namespace squall {

/// How a variable stands in a column.
enum class OnLevels {
    none,         ///< it is of the column
    layers,       ///< on layers, of any sign: slopes as they are
    amounts,      ///< on layers, limited
    interfaces,   ///< on interfaces, along lines
    geopotential, ///< on interfaces, whose differences stand on layers
};

class LevelRemap {
  public:
    /// No levels but the same on both sides: same() is true, set() must not be called.
    LevelRemap() = default;
    LevelRemap(const VerticalGrid &from, const VerticalGrid &to);

    bool same() const { return to_nz_ == 0; }
    int layers_to() const { return to_nz_; }
    const VerticalGrid &target() const { return target_; }

    /// Sets `to` in `columns` from `from`; `mass`: mu of the columns at full value [Pa]. All in one kind of
    /// local indices. A column of u or v takes the mass of the cell of its index.
    void set(OnLevels kind, ConstField3 from, ConstField2 mass, const Range &columns, Field3 to) const;

    /// Of potential temperature less theta0 [K] on layers: temperature along lines in ln p between the
    /// middles of layers, and beyond the first and the last.
    void set_by_temperature(ConstField3 from, ConstField2 mass, const Range &columns, Field3 to) const;

    /// The same of a profile on layers, in a column at 1000 hPa.
    std::vector<real> profile(const std::vector<real> &from) const;

  private:
    /// c3 and c4 of an interface: mass above it is c3 mu + c4.
    struct Interface {
        real c3 = 0, c4 = 0;
        real above(real mu) const { return c3 * mu + c4; }
    };
    /// What a layer `from` gives to one of the others: the part between two interfaces.
    struct Piece {
        int from;
        Interface below, above;
    };

    real slope(int k, ConstField3 q, int i, int j, real mu, bool limited) const;
    real slope(const real (&value)[3], int k, real mu, bool limited) const;
    real layer(int to, ConstField3 q, int i, int j, real mu, bool limited) const;
    real potential(int to, ConstField3 q, int i, int j, real mu) const;
    real middle(int k, real mu) const {
        return real(0.5) * (from_[std::size_t(k)].above(mu) + from_[std::size_t(k) + 1].above(mu));
    }

    VerticalGrid target_;
    int from_nz_ = 0, to_nz_ = 0;
    std::vector<Interface> from_, to_;
    std::vector<std::vector<Piece>> pieces_; ///< of each layer `to`
    std::vector<int> within_; ///< the layer `from` whose lower interface is at or below, of each interface
};

/// Sets `bend` in `columns`: by how much temperature between the middles of a base state's layers lies beside
/// the base state on other levels, in potential temperature [K]. What an analytic atmosphere has of corners
/// (its stratosphere begins where no tropopause need be) is no air's: a departure from it has the corner,
/// too, which no line through layers finds again. `parent`: theta_init on the levels that `down` maps from;
/// `nest`: on the others.
void set_bend(const LevelRemap &down, ConstField3 parent, ConstField3 nest, ConstField2 mub,
              const Range &columns, Field3 bend);

/// The 1-D state that sponges relax to of a nest, from its parent's.
void set_base_profiles(const LevelRemap &levels, const Grid &parent, Grid &nest);

/// Whether two domains have the same levels, but for rounding in files.
bool same_levels(const VerticalGrid &a, const VerticalGrid &b);

/// The levels of a domain with interfaces at `eta` inside one with `parent`'s: of the same top, and turning
/// from terrain into pressure as those do. Throws as VerticalGrid::make.
VerticalGrid levels_inside(const VerticalGrid &parent, const std::vector<double> &eta);

/// `layers` + 1 interfaces from 1 to 0 whose layers divide those of `parent` smoothly: eta as a monotone
/// function of how many of the parent's layers lie below (Fritsch and Carlson 1980, SIAM J. Numer. Anal. 17,
/// 238-246), taken in even steps.
std::vector<double> divided(const std::vector<real> &parent, int layers);

} // namespace squall
