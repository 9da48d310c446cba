/// A sea that is partly under ice (physics.fractional_sea_ice; WRF's fractional_seaice).
///
/// A cell of the sea with a share x of ice, least_ice and more, has two surfaces. The surface layer looks at
/// both: at ice as at land, and at water of sea_roughness that is as warm as the sea. Land advances the ice.
/// What the cell has then is the mean, x of ice and 1 - x of water, of fluxes, exchange coefficients, what is
/// carried to the next step (but for the roughness, that of ice), wind at 10 m, albedo, emissivity and skin
/// temperature; air at 2 m follows from the means. In WRF's forms (SurfaceColumns::as_wrf) land is told the
/// mean skin temperature in place of that of ice, the surface layer the mean vapour at the surface, and water
/// is as rough as ice when a step begins; but not beside a surface layer with a sublayer over water.
#pragma once

#include <algorithm>

#include "physics/column.hpp"
#include "physics/surface_columns.hpp"
#include "physics/surface_layer_scheme.hpp"

namespace squall {

namespace sea_ice {

/// Shares of ice below it count as none; a cell that has no fractions is ice from a half on.
inline constexpr real least = real(0.02), half = real(0.5);
inline real threshold(bool fractional) { return fractional ? least : half; }

inline constexpr real water_albedo = real(0.08), water_emissivity = real(0.98);
inline constexpr real freezing = real(271.4); ///< of the sea beside ice [K]

inline real mean(real share, real ice, real water) { return ice * share + (1 - share) * water; }

/// As warm as the sea can be beside a share of ice, where an analysis has it warmer or colder (WRF's bounds)
/// [K].
inline real beside_ice(real share, real temperature) {
    const real t = std::max(temperature, freezing);
    if (t <= 273) return t;
    if (share >= real(0.6)) return freezing;
    if (share >= real(0.4)) return 273;
    return std::min(t, share >= real(0.2) ? real(275) : real(278));
}

/// The ice's temperature, of which and of the sea's `skin` is the mean; within WRF's bounds, as the share of
/// an analysis and its skin need not go together [K].
inline real ice_temperature(real share, real skin, real water) {
    if (share < real(0.1) && skin < real(263.15)) return real(263.15);
    if (share < real(0.2) && skin < real(253.15)) return real(253.15);
    return std::max((skin - (1 - share) * water) / share, real(221.4));
}

} // namespace sea_ice

/// Works on a batch of columns at a time; one object per thread.
class SeaIce {
  public:
    SeaIce() : storage_(most_rows, 1) {}

    static bool is_partial(const SurfaceColumns &c, int i) {
        return c.ice.share && c.land[i] > real(0.5) && c.ice.share[i] >= sea_ice::least;
    }
    /// Whether any of the columns is.
    static bool any(const SurfaceColumns &c);

    /// Has a surface layer look at water() and at the ice: `c` is that of the ice from now on.
    void exchange(SurfaceLayerScheme &scheme, const SurfaceColumns &c);

    const SurfaceColumns &water() const { return water_; }

    /// Between exchange() and land.
    void tell_land(const SurfaceColumns &c) const;

    /// After land: keeps what ice has, and makes `c` the mean of ice and water.
    void blend(const SurfaceColumns &c) const;

  private:
    static constexpr int most_rows = 40;

    void copy(const SurfaceColumns &c);

    ColumnStorage storage_;
    SurfaceColumns water_{};
    real skin_[columns_at_a_time] = {}; ///< the mean, of before
};

} // namespace squall
