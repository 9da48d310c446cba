#include "physics/radiation/standard_air.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "physics/radiation/gas_tables.hpp"

namespace squall::radiation {
namespace {

/// A layer of the standard atmosphere: its bottom, and how its temperature changes from there.
struct Sheet {
    double height, temperature, lapse; ///< [m], [K], [K m-1]
};
constexpr Sheet sheets[] = {{0, 288.15, -6.5e-3},   {11e3, 216.65, 0}, {20e3, 216.65, 1e-3},
                            {32e3, 228.65, 2.8e-3}, {47e3, 270.65, 0}, {51e3, 270.65, -2.8e-3},
                            {71e3, 214.65, -2e-3}};
constexpr double ground_pressure = 101325, hydrostatic = 9.80665 * 28.9644 / 8314.32; ///< [Pa], [K m-1]

/// Height and temperature at a pressure.
struct Standard {
    double height, temperature;
};

Standard standard_at(double pressure) {
    double base = ground_pressure;
    for (const Sheet &s : sheets) {
        const bool last = &s == std::end(sheets) - 1;
        const double depth = last ? 0 : (&s)[1].height - s.height;
        const double top_temperature = s.temperature + s.lapse * depth;
        const double top = s.lapse == 0
                               ? base * std::exp(-hydrostatic * depth / s.temperature)
                               : base * std::pow(top_temperature / s.temperature, -hydrostatic / s.lapse);
        if (pressure < top && !last) {
            base = top;
            continue;
        }
        if (s.lapse == 0)
            return {s.height + s.temperature / hydrostatic * std::log(base / pressure), s.temperature};
        const double t = s.temperature * std::pow(base / pressure, s.lapse / hydrostatic);
        return {s.height + (t - s.temperature) / s.lapse, t};
    }
    return {};
}

/// Global means of a year [ppm, ppb, ppb]: marine surface sites of NOAA's Global Monitoring Laboratory.
struct Year {
    double year, co2, ch4, n2o;
};
constexpr Year years[] = {{1980, 338.9, 1564, 301.2}, {1985, 345.9, 1657, 304.9}, {1990, 354.0, 1714, 308.7},
                          {1995, 360.9, 1749, 312.0}, {2000, 369.7, 1773, 316.2}, {2005, 379.9, 1774, 319.4},
                          {2010, 388.8, 1799, 323.3}, {2015, 399.7, 1834, 328.3}, {2020, 412.4, 1879, 333.2},
                          {2023, 419.4, 1922, 336.7}};

/// [atm-cm] of ozone in molecules per cm2.
constexpr double loschmidt = 2.6868e19;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Van Heuklon (1979), equation 4 [atm-cm].
double ozone_column(const Season &s) {
    const bool north = s.latitude >= 0;
    const double a = north ? 150 : 100, beta = north ? 1.28 : 1.5, c = north ? 40 : 30,
                 f = north ? -30 : 152.625;
    const double h = north ? 3 : 2, i = north ? (s.longitude > 0 ? 20 : 0) : -75;
    const double wave =
        a + c * std::sin(radians(0.9865 * (s.day + 1 + f))) + 20 * std::sin(radians(h * (s.longitude + i)));
    const double of_latitude = std::sin(radians(beta * s.latitude));
    return (235 + wave * of_latitude * of_latitude) / 1000;
}

/// How pressures fall from interface to interface above a model's top, and where they end [Pa].
constexpr double ratio = 0.4, nearly_top = 20, very_top = 1;
/// Water vapour of the stratosphere, in molecules per molecule of air.
constexpr real dry = real(5e-6);

} // namespace

double standard_temperature(double pressure) { return standard_at(pressure).temperature; }
double standard_height(double pressure) { return standard_at(pressure).height; }

MixingRatios well_mixed(double year) {
    const double at = std::clamp(year, years[0].year, std::end(years)[-1].year);
    const Year *later =
        std::find_if(std::begin(years) + 1, std::end(years) - 1, [&](const Year &y) { return y.year >= at; });
    const Year &earlier = later[-1];
    const double w = (at - earlier.year) / (later->year - earlier.year);
    const auto mean = [&](double Year::*gas) { return (1 - w) * earlier.*gas + w * later->*gas; };
    MixingRatios r{};
    r[dry_air] = 1;
    r[co2] = real(mean(&Year::co2) * 1e-6);
    r[ch4] = real(mean(&Year::ch4) * 1e-9);
    r[n2o] = real(mean(&Year::n2o) * 1e-9);
    r[o2] = real(0.2095);
    r[n2] = real(0.7808);
    r[co] = real(1.2e-7);
    r[ccl4] = real(0.093e-9); // halocarbons as of 2005 (IPCC 2007, working group I, table 2.1)
    r[cfc11] = real(0.251e-9);
    r[cfc12] = real(0.538e-9);
    r[cfc22] = real(0.169e-9);
    r[hfc23] = real(0.018e-9);
    r[hfc134a] = real(0.035e-9);
    r[cf4] = real(0.074e-9);
    return r;
}

double ozone_above(const Season &s, double pressure) {
    const double equatorward = std::cos(radians(s.latitude)) * std::cos(radians(s.latitude));
    const double middle = 17.5 + 7.0 * equatorward, depth = 5.0 - 0.8 * equatorward; // [km]
    const double z = standard_height(pressure) / 1000;
    return loschmidt * ozone_column(s) * (1 + std::exp(-middle / depth)) /
           (1 + std::exp((z - middle) / depth));
}

void set_ozone(Column &c, const Season &season, int first) {
    const double molecules_per_pascal =
        6.02214076e23 * 1e-4 / double(constants::g) / 0.0289644; // above a cm2
    double above = ozone_above(season, c.pressure[static_cast<std::size_t>(first)]);
    for (auto k = static_cast<std::size_t>(first); k < c.layers.size(); ++k) {
        const double higher = k + 1 == c.layers.size() ? 0 : ozone_above(season, c.pressure[k + 1]);
        c.layers[k].ratios[o3] =
            real((above - higher) / (molecules_per_pascal * (c.pressure[k] - c.pressure[k + 1])));
        above = higher;
    }
}

void set_tropical_ozone(Column &c) {
    constexpr double factor = 3.6478e-6, exponent = 0.83209, decay = 11.3515; // with pressures in hPa
    for (Layer &layer : c.layers) {
        const double p = layer.pressure / 100;
        layer.ratios[o3] = real(factor * std::pow(p, exponent) * std::exp(-p / decay));
    }
}

int layers_above(double pressure) {
    int layers = 1;
    for (; pressure * ratio > nearly_top; pressure *= ratio) ++layers;
    return layers;
}

void add_air_above(Column &c, int first) {
    const auto begin = static_cast<std::size_t>(first);
    c.above = c.size() - first;
    const double bottom = c.pressure[begin], offset = c.temperature[begin] - standard_temperature(bottom);
    const auto temperature = [&](double p) { // the offset fades within two scale heights
        return standard_temperature(p) + offset * std::max(0.0, 1 - std::log(bottom / p) / 2);
    };
    for (std::size_t k = begin; k < c.layers.size(); ++k) {
        const bool last = k + 1 == c.layers.size();
        c.pressure[k + 1] = last ? very_top : c.pressure[k] * ratio;
        c.temperature[k + 1] = temperature(c.pressure[k + 1]);
        Layer &layer = c.layers[k];
        layer = {};
        layer.pressure = 0.5 * (c.pressure[k] + c.pressure[k + 1]);
        layer.temperature = temperature(layer.pressure);
        layer.ratios = c.layers[begin - 1].ratios;
        layer.ratios[h2o] = std::min(layer.ratios[h2o], dry);
    }
}

} // namespace squall::radiation
