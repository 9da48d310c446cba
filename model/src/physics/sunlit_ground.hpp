/// Sunlight's beam on ground that is inclined, and in the shadow of other ground.
///
/// A plane with the normal n takes the beam s n (Garnier and Ohmura 1968, J. Appl. Meteor. 7, 796-800,
/// equation 5). Here it is taken for the area of the map, not of the plane, as all other fluxes between
/// ground and air are: terrain as a whole then receives what the sun sends. The light of the sky is not
/// changed.
#pragma once

#include <mpi.h>

#include "core/array.hpp"
#include "grid/grid.hpp"
#include "parallel/decomposition.hpp"
#include "physics/radiation/sun.hpp"
#include "settings/config.hpp"

namespace squall {

class SunlitGround {
  public:
    static bool wanted(const PhysicsConfig &config) {
        return config.slope_radiation || config.topographic_shading;
    }

    /// Takes the terrain of a patch and around it, as far as shadows reach, from those who have it: what it
    /// keeps does not grow with the domain. Beyond a side that is not periodic nothing casts a shadow.
    /// `grid`: of the patch, which must outlive this object; halos are not looked at. Collective over `comm`,
    /// the ranks of the domain.
    SunlitGround(const Config &config, const Patch &patch, const Grid &grid, MPI_Comm comm);

    /// What a column's ground takes of the beam that falls on a level plane, for a sun above the horizon: 0
    /// in the shade; more than 1 on slopes that face it.
    double share(int i, int j, const radiation::Direction &sun) const;

    /// Whether other ground stands before the sun: along the ray over the map, at each row or column of cells
    /// it crosses, within physics.shadow_length; the Earth's curvature lowers what is far.
    bool in_shadow(int i, int j, const radiation::Direction &sun) const;

    /// How much the ground rises eastward and northward, of 1: over two cells, over one where the domain
    /// ends.
    struct Rise {
        double east, north;
    };
    Rise rise(int i, int j) const;

  private:
    void gather(const Boundaries &sides, MPI_Comm comm);
    double height(int i, int j) const { return double(terrain_(i + reach_, j + reach_)); }

    const Patch patch_;
    const Grid &grid_;
    bool inclined_, shaded_, of_slopes_area_;
    double length_;  ///< of shadows [m]
    int reach_ = 1;  ///< cells around the patch
    Array2 terrain_; ///< of these too; lower than any ground where the domain has ended
    double highest_ = 0;
};

} // namespace squall
