#include "physics/radiation/gas_optics.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/loop.hpp"

namespace squall::radiation {
namespace {

constexpr double avogadro = 6.02214076e23;                               ///< [mol-1]
constexpr double molar_mass_dry = 0.028964, molar_mass_water = 0.018016; ///< [kg mol-1]

/// Where a value lies between two neighbours of a table.
struct Between {
    int index;
    double fraction;
};

/// Values beyond the table are extrapolated from its last two.
Between between(double position, int size) {
    const int index = std::clamp(static_cast<int>(std::floor(position)), 0, size - 2);
    return {index, position - index};
}

/// A sum of N rows with weights.
template <int N> struct Blend {
    const real *row[N];
    real weight[N];

    real at(int g) const {
        real sum = weight[0] * row[0][g];
        for (int n = 1; n < N; ++n) sum = multiply_add(weight[n], row[n][g], sum);
        return sum;
    }
};

/// A layer's place in the tables: what all bands share.
struct Place {
    Region region;
    Between pressure, temperature;
};

Place place_of(const GasTables &t, const Air &air) {
    const double log_p = std::log(air.pressure);
    Place place{log_p > t.log_tropopause ? below : above,
                between((log_p - t.log_pressure) / t.log_pressure_step, t.pressures - 1),
                between((air.temperature - t.temperature) / t.temperature_step, t.temperatures)};
    place.pressure.fraction = std::clamp(place.pressure.fraction, 0.0, 1.0);
    place.pressure.index += place.region; // the tropopause is there twice
    return place;
}

/// The mixture of a band's key gases, at the temperatures on both sides (Pincus et al. 2019, equation 2).
struct Mixture {
    int eta[2];
    double fraction[2];
    real amount[2];
};

Mixture mixture_of(const GasTables &t, const Band &band, const Place &place, const Air &air) {
    Mixture m;
    const auto &key = band.key[place.region];
    const real first = air.amount[key[0]], second = air.amount[key[1]];
    for (int n = 0; n < 2; ++n) {
        const real balance =
            band.balance[place.region][static_cast<std::size_t>(place.temperature.index + n)];
        m.amount[n] = first + balance * second;
        const double eta = m.amount[n] > real(1e-30) ? double(first) / double(m.amount[n]) : 0.5;
        const Between at = between(eta * (t.mixtures - 1), t.mixtures);
        m.eta[n] = at.index;
        m.fraction[n] = at.fraction;
    }
    return m;
}

/// Rows in a table by temperature and mixture.
Blend<4> blend_of(const GasTables &t, const std::vector<real> &table, int row, const Place &place,
                  const Mixture &m) {
    Blend<4> b;
    for (int n = 0; n < 2; ++n) {
        const double w = n == 0 ? 1 - place.temperature.fraction : place.temperature.fraction;
        for (int e = 0; e < 2; ++e) {
            const auto at =
                static_cast<std::size_t>((place.temperature.index + n) * t.mixtures + m.eta[n] + e);
            b.row[2 * n + e] = table.data() + at * static_cast<std::size_t>(row);
            b.weight[2 * n + e] = real(w * (e == 0 ? 1 - m.fraction[n] : m.fraction[n]));
        }
    }
    return b;
}

/// Rows in a table by temperature, pressure and mixture; `factor`: of both temperatures.
Blend<8> blend_of(const GasTables &t, const std::vector<real> &table, const Place &place, const Mixture &m,
                  const real (&factor)[2]) {
    Blend<8> b;
    int next = 0;
    for (int n = 0; n < 2; ++n)
        for (int p = 0; p < 2; ++p)
            for (int e = 0; e < 2; ++e, ++next) {
                const double of_t = n == 0 ? 1 - place.temperature.fraction : place.temperature.fraction;
                const double of_p = p == 0 ? 1 - place.pressure.fraction : place.pressure.fraction;
                const double of_e = e == 0 ? 1 - m.fraction[n] : m.fraction[n];
                const auto at = static_cast<std::size_t>(
                    ((place.temperature.index + n) * t.pressures + place.pressure.index + p) * t.mixtures +
                    m.eta[n] + e);
                b.row[next] = table.data() + at * static_cast<std::size_t>(t.points);
                b.weight[next] = real(of_t * of_p * of_e * double(factor[n]));
            }
    return b;
}

/// What a minor absorber's coefficients are multiplied with.
real scale_of(const MinorAbsorber &minor, const Air &air) {
    real scale = air.amount[minor.gas];
    if (!minor.with_density) return scale;
    scale *= air.density;
    if (minor.scaled_by == no_gas) return scale;
    const real part = air.of_molecule(minor.scaled_by);
    return scale * (minor.by_complement ? 1 - part : part);
}

} // namespace

real Air::of_molecule(Gas gas) const { return amount[gas] / (amount[dry_air] + amount[h2o]); }

Air make_air(double pressure, double temperature, double thickness, const MixingRatios &ratios) {
    Air air{pressure, temperature, {}, real(0.01 * pressure / temperature)};
    const double mass_of_mole = molar_mass_dry + double(ratios[h2o]) * molar_mass_water; // with its vapour
    const double dry = thickness / double(constants::g) / mass_of_mole * avogadro * 1e-4 / column_unit;
    for (std::size_t n = 0; n < gas_count; ++n) air.amount[n] = real(dry * double(ratios[n]));
    return air;
}

void set_gas_depths(const GasTables &t, const Air &air, GasDepths depths) {
    const Place place = place_of(t, air);
    const auto minors = t.minors[place.region].size();
    std::size_t next = 0;
    for (std::size_t b = 0; b < t.bands.size(); ++b) {
        const Band &band = t.bands[b];
        const Mixture m = mixture_of(t, band, place, air);
        const int begin = band.begin, end = band.end;
        for_each_i(begin, end,
                   [=, k = blend_of(t, t.major, place, m, m.amount), to = depths.absorption](int g) {
                       to[g] = k.at(g);
                   });
        if (depths.planck_fraction) {
            const real one[2] = {1, 1};
            for_each_i(begin, end,
                       [=, f = blend_of(t, t.planck_fraction, place, m, one),
                        to = depths.planck_fraction](int g) { to[g] = f.at(g); });
        }
        if (depths.scattering)
            for_each_i(begin, end,
                       [=, k = blend_of(t, t.rayleigh[place.region], t.points, place, m),
                        air_above = air.amount[dry_air] + air.amount[h2o],
                        to = depths.scattering](int g) { to[g] = k.at(g) * air_above; });
        for (; next < minors && t.minors[place.region][next].band == static_cast<int>(b); ++next) {
            const MinorAbsorber &minor = t.minors[place.region][next];
            for_each_i(minor.begin, minor.end,
                       [=, k = blend_of(t, t.minor[place.region], t.minor_row[place.region], place, m),
                        scale = scale_of(minor, air), shift = minor.first - minor.begin,
                        to = depths.absorption](int g) { to[g] += scale * k.at(g + shift); });
        }
    }
    for_each_i(0, t.points, [to = depths.absorption](int g) { to[g] = std::max(to[g], real(0)); });
}

void set_planck(const GasTables &t, double temperature, real *radiance) {
    const Between at = between((temperature - t.planck_temperature) / t.planck_step, t.planck_temperatures);
    for (std::size_t b = 0; b < t.bands.size(); ++b) {
        const real *row = t.planck.data() + b * static_cast<std::size_t>(t.planck_temperatures) + at.index;
        radiance[b] = real((1 - at.fraction) * double(row[0]) + at.fraction * double(row[1]));
    }
}

} // namespace squall::radiation
