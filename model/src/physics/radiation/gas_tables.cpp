#include "physics/radiation/gas_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "physics/radiation/table_file.hpp"

namespace squall::radiation {
namespace {

std::vector<Gas> read_gases(const TableFile &file) {
    std::vector<Gas> gases;
    for (const auto &name : file.texts("gas_names", file.size("absorber"))) {
        gases.push_back(gas_named(name));
        if (gases.back() == no_gas) file.fail("it has the unknown gas \"" + name + "\"");
    }
    return gases;
}

/// Evenly spaced values, from the first one.
void read_spacing(const TableFile &file, GasTables &t) {
    const auto p = file.reals("press_ref", {file.size("pressure")});
    const auto temperature = file.reals("temp_ref", {t.temperatures});
    t.log_pressure = std::log(double(p.front()));
    t.log_pressure_step = (std::log(double(p.back())) - t.log_pressure) / double(p.size() - 1);
    t.log_tropopause = std::log(file.number("press_ref_trop"));
    t.temperature = temperature.front();
    t.temperature_step = (double(temperature.back()) - temperature.front()) / (t.temperatures - 1);
    if (!(t.log_pressure_step < 0) || !(t.temperature_step > 0))
        file.fail("its reference pressures do not decrease, or its temperatures do not increase");
}

/// A pair of zeros stands for a band without key gases, in which then any pair will do.
std::array<Gas, 2> key_of(const int *pair, const std::vector<Gas> &gases) {
    const auto gas = [&](int n) { return n == 0 ? dry_air : gases[static_cast<std::size_t>(n - 1)]; };
    return pair[0] == 0 && pair[1] == 0 ? std::array{gas(2), gas(2)} : std::array{gas(pair[0]), gas(pair[1])};
}

void read_bands(const TableFile &file, const std::vector<Gas> &gases, GasTables &t) {
    const int bands = file.size("bnd"), absorbers = static_cast<int>(gases.size()) + 1;
    if (bands > most_bands) file.fail("it has more than " + std::to_string(most_bands) + " bands");
    const auto limits = file.integers("bnd_limits_gpt", {bands, 2});
    const auto wave = file.reals("bnd_limits_wavenumber", {bands, 2});
    const auto keys = file.integers("key_species", {bands, 2, 2});
    const auto reference = file.reals("vmr_ref", {t.temperatures, absorbers, 2});
    for (const int key : keys)
        if (key < 0 || key >= absorbers) file.fail("key_species names a gas that the file does not have");
    const auto ratio = [&](Gas gas, int temperature, int region) {
        const auto found = std::ranges::find(gases, gas);
        const int n = gas == dry_air ? 0 : static_cast<int>(found - gases.begin()) + 1;
        return double(reference[static_cast<std::size_t>((temperature * absorbers + n) * 2 + region)]);
    };
    for (int b = 0; b < bands; ++b) {
        const auto at = static_cast<std::size_t>(2 * b);
        Band band{limits[at] - 1, limits[at + 1], wave[at], wave[at + 1], {}, {}, {}};
        if (band.begin < 0 || band.begin >= band.end || band.end > t.points)
            file.fail("bnd_limits_gpt is outside the g-points");
        if (band.end - band.begin > slot)
            file.fail("a band has more than " + std::to_string(slot) + " g-points");
        for (int region = 0; region < 2; ++region) {
            band.key[region] = key_of(&keys[static_cast<std::size_t>((b * 2 + region) * 2)], gases);
            for (int n = 0; n < t.temperatures; ++n)
                band.balance[region].push_back(
                    real(ratio(band.key[region][0], n, region) / ratio(band.key[region][1], n, region)));
        }
        t.bands.push_back(std::move(band));
    }
}

/// Values that follow one another in a row of a file, and where they belong.
struct Part {
    int from, to, count;
};

/// The file's rows, made of parts, in rows of slots.
Table in_slots(const std::vector<real> &rows, int row, const std::vector<Part> &parts, int whole) {
    const auto count = rows.size() / static_cast<std::size_t>(row);
    Table slots(count * static_cast<std::size_t>(whole));
    for (std::size_t n = 0; n < count; ++n)
        for (const Part &part : parts)
            std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(n) * row + part.from, part.count,
                        slots.begin() + static_cast<std::ptrdiff_t>(n) * whole + part.to);
    return slots;
}

/// Rows of all g-points.
Table in_slots(const GasTables &t, const std::vector<real> &rows) {
    std::vector<Part> bands;
    for (const Band &band : t.bands)
        bands.push_back({band.begin, slot * static_cast<int>(bands.size()), band.end - band.begin});
    return in_slots(rows, t.points, bands, slots_row);
}

int band_of(const TableFile &file, const GasTables &t, int begin, int end) {
    for (std::size_t b = 0; b < t.bands.size(); ++b)
        if (begin >= t.bands[b].begin && end <= t.bands[b].end && begin < end) return static_cast<int>(b);
    file.fail("a minor absorber is in no band");
}

void read_minors(const TableFile &file, Region region, GasTables &t) {
    const std::string where = region == below ? "_lower" : "_upper";
    const int kinds = file.size("minor_absorber"), count = file.size("minor_absorber_intervals" + where);
    const int row = file.size("contributors" + where);
    const auto identifiers = file.texts("identifier_minor", kinds), gases = file.texts("gas_minor", kinds);
    std::map<std::string, Gas> gas_of{{"", no_gas}};
    for (std::size_t n = 0; n < gases.size(); ++n) gas_of[identifiers[n]] = gas_named(gases[n]);

    const auto names = file.texts("minor_gases" + where, count);
    const auto scalings = file.texts("scaling_gas" + where, count);
    const auto limits = file.integers("minor_limits_gpt" + where, {count, 2});
    const auto starts = file.integers("kminor_start" + where, {count});
    const auto with_density = file.integers("minor_scales_with_density" + where, {count});
    const auto complement = file.integers("scale_by_complement" + where, {count});
    std::vector<Part> coefficients;
    for (std::size_t n = 0; n < names.size(); ++n) {
        const int begin = limits[2 * n] - 1, end = limits[2 * n + 1], first = starts[n] - 1;
        const auto gas = gas_of.find(names[n]);
        if (gas == gas_of.end() || gas->second == no_gas) file.fail("unknown minor gas " + names[n]);
        const Gas scaled_by = gas_named(scalings[n]);
        if (!scalings[n].empty() && scaled_by == no_gas) file.fail("unknown scaling gas " + scalings[n]);
        if (first < 0 || first + end - begin > row) file.fail("kminor_start" + where + " is out of range");
        const int b = band_of(file, t, begin, end);
        const Band &band = t.bands[static_cast<std::size_t>(b)];
        const int next = t.minor_row(region);
        t.minors[region].push_back(
            {b, next, gas->second, with_density[n] != 0, scaled_by, complement[n] != 0});
        coefficients.push_back({first, next + begin - band.begin, end - begin});
    }
    // A band's absorbers are one after the other, and so are their coefficients.
    if (!std::ranges::is_sorted(t.minors[region], {}, &MinorAbsorber::band))
        file.fail("minor absorbers are not ordered by band");
    if (count > most_minors)
        file.fail("it has more than " + std::to_string(most_minors) + " minor absorbers");
    for (const MinorAbsorber &minor : t.minors[region])
        ++t.bands[static_cast<std::size_t>(minor.band)].minors[region];
    t.minor[region] =
        in_slots(file.reals_scaled("kminor" + where, {t.temperatures, t.mixtures, row}, column_unit), row,
                 coefficients, t.minor_row(region));
}

void read_longwave(const TableFile &file, GasTables &t) {
    t.planck_fraction =
        in_slots(t, file.reals("plank_fraction", {t.temperatures, t.pressures, t.mixtures, t.points}));
    t.planck_temperatures = file.size("temperature_Planck");
    const auto by_band = file.reals("totplnk", {static_cast<int>(t.bands.size()), t.planck_temperatures});
    const std::size_t temperatures = by_band.size() / t.bands.size();
    for (std::size_t n = 0; n < temperatures; ++n)
        for (std::size_t b = 0; b < t.bands.size(); ++b) t.planck.push_back(by_band[b * temperatures + n]);
    t.planck_temperature = t.temperature;
    t.planck_step = t.temperature_step * (t.temperatures - 1) / (t.planck_temperatures - 1);
}

/// Sunlight by its parts: of the quiet sun, and what faculae and sunspots add on average.
void read_shortwave(const TableFile &file, GasTables &t) {
    for (const Region region : {below, above})
        t.rayleigh[region] =
            in_slots(t, file.reals_scaled(region == below ? "rayl_lower" : "rayl_upper",
                                          {t.temperatures, t.mixtures, t.points}, column_unit));
    const auto quiet = file.reals("solar_source_quiet", {t.points});
    const auto faculae = file.reals("solar_source_facular", {t.points});
    const auto spots = file.reals("solar_source_sunspot", {t.points});
    // Offsets of the two indices of solar activity (Coddington et al. 2016, doi 10.1175/BAMS-D-14-00265.1).
    const double facular = file.number("mg_default") - 0.1495954,
                 spot = file.number("sb_default") - 0.00066696;
    for (std::size_t g = 0; g < quiet.size(); ++g)
        t.sunlight.push_back(real(quiet[g] + facular * faculae[g] + spot * spots[g]));
    for (const real x : t.sunlight) t.irradiance += x;
}

} // namespace

GasTables GasTables::read(const std::string &path) {
    const TableFile file(path, TableFile::fetch_anew);
    GasTables t;
    t.points = file.size("gpt");
    t.mixtures = file.size("mixing_fraction");
    t.pressures = file.size("pressure_interp");
    t.temperatures = file.size("temperature");
    if (t.pressures != file.size("pressure") + 1)
        file.fail("dimension pressure_interp must be one more than pressure");
    read_spacing(file, t);
    read_bands(file, read_gases(file), t);
    t.major = in_slots(
        t, file.reals_scaled("kmajor", {t.temperatures, t.pressures, t.mixtures, t.points}, column_unit));
    for (const Region region : {below, above}) read_minors(file, region, t);
    if (file.has("totplnk"))
        read_longwave(file, t);
    else
        read_shortwave(file, t);
    return t;
}

} // namespace squall::radiation
