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

/// Of each band, at the temperatures on both sides: the mixture of its key gases (Pincus et al. 2019,
/// equation 2), and from it the weights of tables' rows.
struct Mixtures {
    alignas(64) int row[2][most_bands];        ///< of the tabulated mixture before, [temperature]
    alignas(64) int begin[2][most_bands];      ///< of the band's slot there, in rows of slots of all bands
    alignas(64) real weight[4][most_bands];    ///< [temperature, mixture]
    alignas(64) real molecules[4][most_bands]; ///< those times the amount of all molecules
    alignas(64) real fraction[8][most_bands];  ///< [temperature, pressure, mixture]
    alignas(64) real amount[8][most_bands];    ///< those times the amount of the mixture
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
    const real of_t[2] = {real(1 - place.temperature.fraction), real(place.temperature.fraction)};
    const real of_p[2] = {real(1 - place.pressure.fraction), real(place.pressure.fraction)};
    for (int n = 0; n < 2; ++n)
        for_each_i(0, most_bands,
                   [&, n, molecules = air.amount[dry_air] + air.amount[h2o], last = t.mixtures - 1,
                    of_t = of_t[n], p0 = of_p[0], p1 = of_p[1]](int b) {
                       const real amount = first[b] + balance[n][b] * second[b];
                       const bool some = amount > real(1e-30);
                       const real eta = some ? first[b] / (some ? amount : real(1)) : real(0.5);
                       const real position = eta * real(last);
                       const int before = std::min(static_cast<int>(position), last - 1);
                       const real fraction = position - real(before);
                       const real here = of_t * (1 - fraction), next = of_t * fraction;
                       m.row[n][b] = before;
                       m.begin[n][b] = before * slots_row + slot * b;
                       m.weight[2 * n][b] = here;
                       m.weight[2 * n + 1][b] = next;
                       m.molecules[2 * n][b] = here * molecules;
                       m.molecules[2 * n + 1][b] = next * molecules;
                       m.fraction[4 * n][b] = here * p0;
                       m.fraction[4 * n + 1][b] = next * p0;
                       m.fraction[4 * n + 2][b] = here * p1;
                       m.fraction[4 * n + 3][b] = next * p1;
                       m.amount[4 * n][b] = here * p0 * amount;
                       m.amount[4 * n + 1][b] = next * p0 * amount;
                       m.amount[4 * n + 2][b] = here * p1 * amount;
                       m.amount[4 * n + 3][b] = next * p1 * amount;
                   });
}

/// A sum of rows with weights; every second row follows the one before at a distance.
template <int rows> struct Blend {
    const real *row[rows / 2];
    std::ptrdiff_t next;
    const real *weight; ///< every most_bands-th

    real at(int n) const {
        real sum = weight[0] * row[0][n];
        for (int r = 1; r < rows; ++r)
            sum = multiply_add(weight[r * most_bands], row[r / 2][n + r % 2 * next], sum);
        return sum;
    }
};

/// A table with the rows of one mixture after those of the other, where it begins at the corners of a layer:
/// [temperature, pressure], or [temperature].
template <int corners> struct Corners {
    const real *begin[corners];
    std::ptrdiff_t next; ///< from a mixture to the next

    /// Of a band; `from`: where its rows begin, [temperature]. `weight`: of Mixtures.
    Blend<2 * corners> blend(const std::ptrdiff_t (&from)[2], const real (&weight)[2 * corners][most_bands],
                             std::size_t band) const {
        Blend<2 * corners> b;
        for (int n = 0; n < corners; ++n) b.row[n] = begin[n] + from[2 * n / corners];
        b.next = next;
        b.weight = &weight[0][band];
        return b;
    }
};

Corners<4> corners_of(const Table &table, const GasTables &t, const Place &place) {
    Corners<4> c{{}, slots_row};
    for (int n = 0; n < 4; ++n) {
        const int layer = (place.temperature.index + n / 2) * t.pressures + place.pressure.index + n % 2;
        c.begin[n] = table.data() + std::ptrdiff_t(layer) * t.mixtures * slots_row;
    }
    return c;
}

/// Of a table by temperature and mixture, with rows so many values long.
Corners<2> corners_of(const Table &table, int row, const GasTables &t, const Place &place) {
    Corners<2> c{{}, row};
    for (int n = 0; n < 2; ++n)
        c.begin[n] = table.data() + std::ptrdiff_t(place.temperature.index + n) * t.mixtures * row;
    return c;
}

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

namespace {

template <int rows> void store(const Blend<rows> &blend, real *to) {
    for_each_i(0, slot, [=](int n) { to[n] = blend.at(n); });
}

/// The absorption of a band: the mixture's, and each minor absorber's as much as its scale says, whose
/// slots follow one another.
void store_absorption(const Blend<8> &mixture, const Blend<4> &minors, std::span<const real> scales,
                      real *to) {
    real sum[slot];
    for_each_i(0, slot, [&, mixture](int n) { sum[n] = mixture.at(n); });
    int first = 0;
    for (const real scale : scales) {
        for_each_i(0, slot,
                   [&, minors](int n) { sum[n] = multiply_add(scale, minors.at(first + n), sum[n]); });
        first += slot;
    }
    for_each_i(0, slot, [&](int n) { to[n] = std::max(sum[n], real(0)); });
}

/// Sets what minor absorbers are multiplied with, one after the other.
void set_scales(std::span<const MinorAbsorber> minors, const Air &air, real *scales) {
    for (std::size_t n = 0; n < minors.size(); ++n) scales[n] = scale_of(minors[n], air);
}

} // namespace

// Slot after slot: what is set beyond a band's end is set anew by the next one.
void set_gas_depths(const GasTables &t, const Air &air, GasDepths depths) {
    const Place place = place_of(t, air);
    Mixtures mixtures;
    set_mixtures(t, place, air, mixtures);
    const int minor_row = t.minor_row(place.region);
    const Corners<4> major = corners_of(t.major, t, place);
    const Corners<4> planck = depths.planck_fraction ? corners_of(t.planck_fraction, t, place) : Corners<4>{};
    const Corners<2> minor = corners_of(t.minor[place.region], minor_row, t, place);
    const Corners<2> rayleigh =
        depths.scattering ? corners_of(t.rayleigh[place.region], slots_row, t, place) : Corners<2>{};
    real scales[most_minors];
    set_scales(t.minors[place.region], air, scales);
    int first = 0; // minor absorber
    for (std::size_t b = 0; b < t.bands.size(); ++b) {
        const int begin = t.bands[b].begin, count = t.bands[b].minors[place.region];
        const std::ptrdiff_t from[2] = {mixtures.begin[0][b], mixtures.begin[1][b]};
        const std::ptrdiff_t minors_from[2] = {mixtures.row[0][b] * minor_row + first * slot,
                                               mixtures.row[1][b] * minor_row + first * slot};
        store_absorption(major.blend(from, mixtures.amount, b), minor.blend(minors_from, mixtures.weight, b),
                         {scales + first, static_cast<std::size_t>(count)}, depths.absorption + begin);
        first += count;
        if (depths.planck_fraction)
            store(planck.blend(from, mixtures.fraction, b), depths.planck_fraction + begin);
        if (depths.scattering) store(rayleigh.blend(from, mixtures.molecules, b), depths.scattering + begin);
    }
}

GasRows::GasRows(const GasTables &tables)
    : tables_(tables), row_(static_cast<std::size_t>(tables.points + slot)) {}

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
