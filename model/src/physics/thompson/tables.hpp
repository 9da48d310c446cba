/// What is too costly to find at every point, by content and intercept: collisions of distributions that
/// overlap, freezing drop by drop, crystals that are snow, and efficiencies of collection.
///
/// Contents and intercepts are those of the digits 1 to 9 of each decade; a table is looked up at the
/// next lower ones, as WRF does.
#pragma once

#include <array>
#include <vector>

#include "physics/thompson/freezing.hpp"

namespace squall::thompson {

/// The digits of some decades: 10^first, 2 10^first, ..., 10^last.
struct Digits {
    int first, last;
    int size() const { return 9 * (last - first) + 1; }
    double value(int n) const;
    int at(double x) const; ///< the next lower, 0-based; the ends beyond them
};

inline constexpr Digits contents{-6, -2}, rain_intercepts{6, 10}, graupel_intercepts{2, 6};
inline constexpr Digits ice_contents{-10, -3}, ice_numbers{0, 6};
inline constexpr int colds = 45;     ///< whole degrees below freezing, from 1
inline constexpr int snow_colds = 9; ///< steps of 5 degrees from freezing

/// Rain collides with graupel: contents and numbers that change [kg m-3 s-1], [m-3 s-1].
struct WithGraupel {
    float rain, rain_number;    ///< that freezes
    float graupel, slow_number; ///< that melts; of rain that graupel overtakes
};

/// Rain collides with snow: of drops heavier than the flake, and of others.
struct WithSnow {
    float rain_heavy, rain_light, snow_heavy, rain_number;
};

/// Crystals larger than the smallest snow [kg m-3], [m-3], and what part of growth goes to the others.
struct LargeIce {
    float mass, number, small_share;
};

class Tables {
  public:
    /// Builds them, on all threads: half a second of one processor.
    Tables();

    /// Those of this process, built when first asked for.
    static const Tables &shared();

    /// `as_wrf`: WRF 4.5 to 4.7 has one density of graupel in this table, reads it as that of the fifth, and
    /// so takes rain whose intercept is four entries higher (past the highest: of the next content).
    const WithGraupel &with_graupel(int intercept, int content, int rain_intercept, int rain,
                                    bool as_wrf) const;
    const WithSnow &with_snow(int content, int cold, int rain_intercept, int rain) const;
    const FrozenRain &frozen_rain(int content, int intercept, int cold) const;
    const FrozenCloud &frozen_cloud(int content, int cold) const;
    const LargeIce &large_ice(int content, int number) const;

    /// Of droplets of a diameter [m] collected by rain of a median diameter, by snow of a mean one.
    double rain_efficiency(double diameter, double droplet) const;
    double snow_efficiency(double diameter, double droplet) const;

  private:
    void collide_with_graupel();
    void collide_with_snow();
    void freeze_rain();
    void freeze_cloud();
    void find_large_ice();
    void find_efficiencies();

    std::vector<WithGraupel> with_graupel_;
    std::vector<WithSnow> with_snow_;
    std::vector<FrozenRain> frozen_rain_;
    std::vector<FrozenCloud> frozen_cloud_;
    std::vector<LargeIce> large_ice_;
    std::vector<float> rain_efficiency_, snow_efficiency_;
};

} // namespace squall::thompson
