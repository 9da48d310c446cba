#include <algorithm>
#include <cmath>

#include "columns/convection.hpp"

namespace squall::transport {
namespace {

// Tiedtke's (1989): what penetrating and shallow clouds exchange with the air around them, per height [m-1],
// how deep shallow ones are at most [Pa], and the downdraught, of the updraught at the cloud's base.
constexpr double of_deep = 1e-4, of_shallow = 3e-4, shallow_depth = 2e4, downdraught_share = 0.3;

/// What a parcel is warmer [K] and moister [kg kg-1] than the lowest layer, and how much colder than the air
/// around a cloud's base may be to rise all the same [K].
constexpr double warmer = 0.2, moister = 1e-4, inhibition = 0.5;

/// In which deep clouds remove the energy that lets them rise: Nordeng, T. E. (1994): Extended versions of
/// the convective parametrization scheme at ECMWF and their impact on the mean and transient activity of the
/// model in the tropics. ECMWF Technical Memorandum 206 [s].
constexpr double removal = 7200;

/// At most so much of the air below a cloud passes its base per second [s-1]: half of it in an hour.
constexpr double most_of_base = 0.5 / 3600;

double moist_energy(double temperature, double height, double humidity) {
    return heat_capacity * temperature + gravity * height + heat_of_evaporation * humidity;
}

/// Temperature at which saturated air has an energy: by Newton's method, of which a few steps are exact.
double saturated_temperature(double energy, double height, double pressure, double guess) {
    for (int n = 0; n < 6; ++n) {
        const double qs = saturation(guess, pressure);
        const double slope = (saturation(guess + 0.01, pressure) - qs) / 0.01;
        guess -= (moist_energy(guess, height, qs) - energy) / (heat_capacity + heat_of_evaporation * slope);
    }
    return guess;
}

/// A parcel that rises through the layers.
class Parcel {
  public:
    Parcel(const ColumnAir &air, int i, double entrainment)
        : air_(air), i_(i), entrainment_(entrainment), water_(air.humidity(i, 0) + moister),
          energy_(moist_energy(air.temperature(i, 0) + warmer, air.middle(i, 0), water_)) {
        for (int k = 1; k < air.nz() && goes_on_; ++k) rise_to(k);
    }

    int base() const { return base_; } ///< lowest layer in the cloud
    int top() const { return top_; }   ///< highest one; below base(): there is no cloud
    double depth() const {
        return air_.middle_pressure(i_, base_) - air_.middle_pressure(i_, top_);
    }                                                       ///< [Pa]
    double water_at_base() const { return water_at_base_; } ///< [kg kg-1]
    /// That lets it rise [J kg-1].
    double available() const { return available_; }

  private:
    void rise_to(int k) {
        const double z = air_.middle(i_, k), p = air_.middle_pressure(i_, k);
        if (base_ > 0) { // what it takes in on the way, within the cloud
            const double share = entrainment_ * (z - air_.middle(i_, k - 1));
            const double q = air_.humidity(i_, k - 1);
            energy_ +=
                share * (moist_energy(air_.temperature(i_, k - 1), air_.middle(i_, k - 1), q) - energy_);
            water_ += share * (q - water_);
        }
        const double dry = (energy_ - gravity * z - heat_of_evaporation * water_) / heat_capacity;
        const bool saturated = water_ >= saturation(dry, p);
        const double t = saturated ? saturated_temperature(energy_, z, p, dry) : dry;
        const double warmth = virtual_temperature(t, saturated ? saturation(t, p) : water_);
        const double buoyancy = warmth - air_.warmth(i_, k);
        if (base_ == 0 && saturated) base_ = k, water_at_base_ = water_;
        if (base_ == 0) return;
        goes_on_ = buoyancy > (k == base_ ? -inhibition : 0.0);
        if (!goes_on_) return;
        top_ = k;
        available_ += gravity * buoyancy / air_.warmth(i_, k) * air_.thickness(i_, k);
    }

    const ColumnAir &air_;
    int i_;
    double entrainment_, water_, energy_;
    double water_at_base_ = 0, available_ = 0;
    int base_ = 0, top_ = 0;
    bool goes_on_ = true;
};

/// Of shallow clouds: they carry away what evaporates, Tiedtke's balance of the water below them.
double shallow_flux(const ColumnAir &air, int i, const Parcel &parcel, double evaporation) {
    const double water = parcel.water_at_base();
    return std::max(evaporation, 0.0) / std::max(water - air.humidity(i, parcel.base()), 0.01 * water);
}

/// Of deep ones: by which the air that sinks around them warms, per flux, at a rate that uses up what lets
/// them rise.
double deep_flux(const ColumnAir &air, int i, const Parcel &parcel) {
    double warming = 0; // [J kg-1 s-1] per [kg m-2 s-1]
    for (int k = parcel.base(); k <= parcel.top(); ++k) {
        const double slope =
            (air.warmth(i, k) - air.warmth(i, k - 1)) / (air.middle(i, k) - air.middle(i, k - 1));
        warming += gravity / air.warmth(i, k) * std::max(slope + gravity / heat_capacity, 1e-3) *
                   air.thickness(i, k) / air.density(i, k);
    }
    return std::max(parcel.available(), 0.0) / removal / warming;
}

/// Where the downdraught begins: the layer of a cloud with the least energy.
int sinking_layer(const ColumnAir &air, int i, const Parcel &parcel) {
    const auto energy = [&](int k) {
        return moist_energy(air.temperature(i, k), air.middle(i, k), air.humidity(i, k));
    };
    int least = parcel.base();
    for (int k = parcel.base(); k < parcel.top(); ++k)
        if (energy(k) < energy(least)) least = k;
    return least;
}

/// 1 from the base to interface `end`, and growing by pressure from the ground to the base.
Scratch<double> profile(const ColumnAir &air, int i, int base, int end) {
    Scratch<double> shares(static_cast<std::size_t>(air.nz() + 1));
    const double below = air.pressure(i, 0) - air.pressure(i, base);
    for (int k = 1; k <= end; ++k)
        shares[static_cast<std::size_t>(k)] =
            k < base ? (air.pressure(i, 0) - air.pressure(i, k)) / below : 1;
    return shares;
}

void scale(Scratch<double> &values, double factor) {
    for (double &value : values) value *= factor;
}

} // namespace

Draughts find_draughts(const ColumnAir &air, int i, double evaporation) {
    const auto none = Scratch<double>(static_cast<std::size_t>(air.nz() + 1));
    const Parcel penetrating(air, i, of_deep);
    const bool deep = penetrating.top() > penetrating.base() && penetrating.depth() > shallow_depth;
    const Parcel parcel = deep ? penetrating : Parcel(air, i, of_shallow);
    if (parcel.base() == 0 || parcel.top() < parcel.base()) return {none, none};
    const double below = (air.pressure(i, 0) - air.pressure(i, parcel.base())) / gravity;
    const double flux = std::min(deep ? deep_flux(air, i, parcel) : shallow_flux(air, i, parcel, evaporation),
                                 most_of_base * below);
    Draughts draughts{profile(air, i, parcel.base(), parcel.top()), none, deep ? of_deep : of_shallow};
    if (deep) draughts.down = profile(air, i, parcel.base(), sinking_layer(air, i, parcel));
    scale(draughts.up, flux);
    scale(draughts.down, downdraught_share * flux);
    return draughts;
}

} // namespace squall::transport
