/// Which drops of a distribution freeze within a step (Bigg 1953), and which droplets evaporate, summed over
/// bins.
#pragma once

#include <vector>

#include "physics/thompson/bins.hpp"

namespace squall::thompson {

/// What freezes within a step [kg m-3], [m-3]: small drops to ice, large ones to graupel.
struct FrozenRain {
    float ice, ice_number, graupel, graupel_number;
};

struct FrozenCloud {
    float mass, number;
};

/// Numbers [m-3] of droplets in bins, of a content [kg m-3] and a number [m-3].
Binned droplets_in_bins(const Bins &b, double content, double number);

/// What part of the drops in each bin freezes, so far below freezing [K].
Binned freezing_parts(const Bins &b, double cold);

/// The largest drops first, until all of the content is frozen.
FrozenRain frozen_of_rain(const Bins &b, const Binned &drops, const Binned &parts, double content);
FrozenCloud frozen_of_cloud(const Bins &b, const Binned &cloud, const Binned &parts, double content,
                            double number);

/// Concentrations of droplets [m-3] that tables are looked up at.
struct DropletNumbers {
    static double value(int n);
    static int at(double number); ///< the entry that WRF's index of its table leads to
};

/// The same of air whose nuclei are counted: with more of them drops freeze as if it were colder, a tenth or
/// ten times the usual concentration, 1000 m-3, by 1 K.
class Freezing {
  public:
    Freezing();

    /// That of this process, built when first asked for.
    static const Freezing &shared();

    /// Indices as in Tables; `nuclei`: of ice_numbers, `number`: of DropletNumbers.
    FrozenRain rain(int content, int intercept, int cold, int nuclei) const;
    FrozenCloud cloud(int content, int number, int cold, int nuclei) const;
    /// Droplets up to a diameter [m-3], in whole micrometres from 1 to `bins`.
    double droplets_up_to(int diameter, int content, int number) const;

  private:
    const Bins rain_bins_ = rain_bins(), droplet_bins_ = droplet_bins();
    std::vector<Binned> rain_, droplets_, rain_parts_, droplet_parts_;
};

} // namespace squall::thompson
