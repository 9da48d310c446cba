/// The fall of one species in a column, with its number or without: upstream, in as many substeps as the
/// speeds at the beginning ask for.
#pragma once

#include <vector>

namespace squall::thompson {

/// Of a column, from the ground up.
struct FallingColumn {
    std::vector<double> mass, depth;         ///< of layers: of dry air [kg m-2]; [m]
    std::vector<double> speed, number_speed; ///< of what falls [m s-1]
    std::vector<double> q, number;           ///< [kg kg-1], [kg-1]

    int layers; ///< that are looked at; nothing falls from above

    explicit FallingColumn(int nz);

    /// Where there is nothing, `speed` is that above. Lets q (and number) fall for dt [s]; what reached the
    /// ground [kg m-2].
    double fall(double dt);

  private:
    void fall_once(int lowest, double dt, const std::vector<double> &at_speed, std::vector<double> &what);

    std::vector<double> leaving_; ///< what leaves layers in a substep; above the last, nothing
};

} // namespace squall::thompson
