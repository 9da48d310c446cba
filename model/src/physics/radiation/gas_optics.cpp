#include "physics/radiation/gas_optics.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/elementary.hpp"
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

/// A layer's place in the tables: what all bands share.
struct Place {
    Region region;
    Between pressure, temperature;
};

Place place_of(const GasTables &t, const Air &air) {
    const double log_p = detail::logarithm(air.pressure);
    Place place{log_p > t.log_tropopause ? below : above,
                between((log_p - t.log_pressure) / t.log_pressure_step, t.pressures - 1),
                between((air.temperature - t.temperature) / t.temperature_step, t.temperatures)};
    place.pressure.fraction = std::clamp(place.pressure.fraction, 0.0, 1.0);
    place.pressure.index += place.region; // the tropopause is there twice
    return place;
}

/// The mixture of each band's key gases at the temperatures on both sides, [temperature][band] (Pincus et al.
/// 2019, equation 2).
struct Mixtures {
    alignas(64) real amount[2][most_bands];
    alignas(64) real fraction[2][most_bands]; ///< towards the next tabulated mixture
    alignas(64) int index[2][most_bands];     ///< of the tabulated one before
};

void set_mixtures(const GasTables &t, const Place &place, const Air &air, Mixtures &m) {
    alignas(64) real first[most_bands]{}, second[most_bands]{}, balance[2][most_bands]{};
    for (std::size_t b = 0; b < t.bands.size(); ++b) {
        const Band &band = t.bands[b];
        first[b] = air.amount[band.key[place.region][0]];
        second[b] = air.amount[band.key[place.region][1]];
        for (int n = 0; n < 2; ++n)
            balance[n][b] = band.balance[place.region][static_cast<std::size_t>(place.temperature.index + n)];
    }
    for (int n = 0; n < 2; ++n)
        for_each_i(0, most_bands, [&, n, last = t.mixtures - 1](int b) {
            const real amount = first[b] + balance[n][b] * second[b];
            const bool some = amount > real(1e-30);
            const real eta = some ? first[b] / (some ? amount : real(1)) : real(0.5);
            const real position = eta * real(last);
            const int before = std::min(static_cast<int>(position), last - 1);
            m.amount[n][b] = amount;
            m.index[n][b] = before;
            m.fraction[n][b] = position - real(before);
        });
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
    Blend times(real factor) const {
        Blend b = *this;
        for (real &w : b.weight) w *= factor;
        return b;
    }
};

/// One band of one layer in the tables.
class Corners {
  public:
    Corners(const GasTables &t, const Place &place, const Mixtures &m, std::size_t band)
        : t_(t), place_(place), m_(m), band_(band) {
        const real of_t[2] = {real(1 - place.temperature.fraction), real(place.temperature.fraction)};
        for (int n = 0; n < 2; ++n) {
            weight_[2 * n] = of_t[n] * (1 - m.fraction[n][band]);
            weight_[2 * n + 1] = of_t[n] * m.fraction[n][band];
        }
    }

    /// Rows in a table by temperature and mixture, so many values long.
    Blend<4> blend(const std::vector<real> &table, int row) const {
        Blend<4> b;
        for (int n = 0; n < 4; ++n) {
            const int at = (place_.temperature.index + n / 2) * t_.mixtures + m_.index[n / 2][band_] + n % 2;
            b.row[n] = table.data() + std::ptrdiff_t(at) * row;
            b.weight[n] = weight_[n];
        }
        return b;
    }

    /// Rows in a table by temperature, pressure and mixture; `factor`: of both temperatures.
    Blend<8> blend(const std::vector<real> &table, real colder, real warmer) const {
        const real of_p[2] = {real(1 - place_.pressure.fraction), real(place_.pressure.fraction)};
        Blend<8> b;
        for (int n = 0; n < 8; ++n) {
            const int warm = n / 4, p = n / 2 % 2, e = n % 2;
            const int at =
                ((place_.temperature.index + warm) * t_.pressures + place_.pressure.index + p) * t_.mixtures +
                m_.index[warm][band_] + e;
            b.row[n] = table.data() + std::ptrdiff_t(at) * t_.points;
            b.weight[n] = weight_[2 * warm + e] * of_p[p] * (warm ? warmer : colder);
        }
        return b;
    }

  private:
    const GasTables &t_;
    const Place &place_;
    const Mixtures &m_;
    std::size_t band_;
    real weight_[4]; ///< (temperature, mixture)
};

/// What a minor absorber's coefficients are multiplied with.
real scale_of(const MinorAbsorber &minor, const Air &air) {
    real scale = air.amount[minor.gas];
    if (!minor.with_density) return scale;
    scale *= air.density;
    if (minor.scaled_by == no_gas) return scale;
    const real part = air.amount[minor.scaled_by] * air.molecules_over;
    return scale * (minor.by_complement ? 1 - part : part);
}

} // namespace

Air make_air(double pressure, double temperature, double thickness, const MixingRatios &ratios) {
    Air air{pressure, temperature, {}, real(0.01 * pressure / temperature), 0};
    const double mass_of_mole = molar_mass_dry + double(ratios[h2o]) * molar_mass_water; // with its vapour
    const double dry = thickness / double(constants::g) / mass_of_mole * avogadro * 1e-4 / column_unit;
    for (std::size_t n = 0; n < gas_count; ++n) air.amount[n] = real(dry * double(ratios[n]));
    air.molecules_over = 1 / (air.amount[dry_air] + air.amount[h2o]);
    return air;
}

/// Adds minor absorbers of a band, whose coefficients follow one another in a row from `first` on, each as
/// much as its scale says: a vector of g-points through all of them.
void add_minors(const Blend<4> &k, int first, std::span<const real> scales, int begin, int end, real *to) {
    constexpr int lanes = 8;
    static_assert(lanes - 1 <= overrun);
    const int width = end - begin;
    for (int g = begin; g < end; g += lanes) {
        real sum[lanes];
        for (int n = 0; n < lanes; ++n) sum[n] = to[g + n];
        int at = first + g - begin;
        for (const real scale : scales) {
#pragma omp simd
            for (int n = 0; n < lanes; ++n) sum[n] = multiply_add(scale, k.at(at + n), sum[n]);
            at += width;
        }
        for (int n = 0; n < lanes; ++n) to[g + n] = sum[n];
    }
}

// Band after band, and in each first the values that are set: what lies beyond a band's end is set anew by
// the next one.
void set_gas_depths(const GasTables &t, const Air &air, GasDepths depths) {
    const Place place = place_of(t, air);
    Mixtures mixtures;
    set_mixtures(t, place, air, mixtures);
    const std::vector<MinorAbsorber> &minors = t.minors[place.region];
    auto minor = minors.begin();
    real scales[most_minors];
    for (std::size_t b = 0; b < t.bands.size(); ++b) {
        const int begin = t.bands[b].begin, end = t.bands[b].end;
        const Corners corners(t, place, mixtures, b);
        for_each_i_ahead(begin, end,
                         [k = corners.blend(t.major, mixtures.amount[0][b], mixtures.amount[1][b]),
                          to = depths.absorption](int g) { to[g] = k.at(g); });
        if (depths.planck_fraction)
            for_each_i_ahead(begin, end,
                             [f = corners.blend(t.planck_fraction, 1, 1),
                              to = depths.planck_fraction](int g) { to[g] = f.at(g); });
        if (depths.scattering)
            for_each_i_ahead(begin, end,
                             [k = corners.blend(t.rayleigh[place.region], t.points)
                                      .times(air.amount[dry_air] + air.amount[h2o]),
                              to = depths.scattering](int g) { to[g] = k.at(g); });
        const auto first = minor;
        int count = 0;
        for (; minor != minors.end() && minor->band == static_cast<int>(b); ++minor, ++count)
            scales[count] = scale_of(*minor, air);
        if (count > 0)
            add_minors(corners.blend(t.minor[place.region], t.minor_row[place.region]), first->first,
                       {scales, static_cast<std::size_t>(count)}, begin, end, depths.absorption);
    }
    for_each_i(0, t.points, [to = depths.absorption](int g) { to[g] = std::max(to[g], real(0)); });
}

GasRows::GasRows(const GasTables &tables)
    : tables_(tables), row_(static_cast<std::size_t>(tables.points + overrun)) {}

GasDepths GasRows::of(std::size_t request, int layer) {
    const std::size_t at = (request * layers_ + static_cast<std::size_t>(layer)) * row_;
    real *second = second_.data() + at;
    const bool thermal = tables_.longwave();
    return {absorption_.data() + at, thermal ? second : nullptr, thermal ? nullptr : second};
}

void GasRows::set(std::span<const Request> requests) {
    layers_ = 0;
    for (const Request &r : requests) layers_ = std::max(layers_, r.column->layers.size());
    const std::size_t values = requests.size() * layers_ * row_;
    if (absorption_.size() < values) {
        absorption_.resize(values);
        second_.resize(values);
    }
    for (std::size_t k = 0; k < layers_; ++k)
        for (std::size_t n = 0; n < requests.size(); ++n) {
            const Column &c = *requests[n].column;
            if (k >= c.layers.size()) continue;
            const Layer &layer = c.layers[k];
            set_gas_depths(
                tables_,
                make_air(layer.pressure, layer.temperature, c.pressure[k] - c.pressure[k + 1], layer.ratios),
                of(n, static_cast<int>(k)));
        }
}

void set_planck(const GasTables &t, double temperature, real *radiance) {
    const Between at = between((temperature - t.planck_temperature) / t.planck_step, t.planck_temperatures);
    const auto bands = static_cast<int>(t.bands.size());
    for_each_i(0, bands,
               [=, colder = t.planck.data() + std::ptrdiff_t(at.index) * bands,
                w = real(at.fraction)](int b) { radiance[b] = (1 - w) * colder[b] + w * colder[b + bands]; });
}

void spread(const GasTables &t, const real *bands, real *points) {
    for (std::size_t b = 0; b < t.bands.size(); ++b)
        for_each_i_ahead(t.bands[b].begin, t.bands[b].end, [=, x = bands[b]](int g) { points[g] = x; });
}

} // namespace squall::radiation
