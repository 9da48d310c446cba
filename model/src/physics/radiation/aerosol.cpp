#include "physics/radiation/aerosol.hpp"

#include <cmath>

#include "core/constants.hpp"
#include "physics/radiation/column.hpp"

namespace squall::radiation {
namespace {

constexpr double scale_height = 2500; ///< [m]
constexpr double reference = 0.55;    ///< wavelength [um]

/// The integral of wavelength to the power of less `exponent`, between two [um].
double integral(double from, double to, double exponent) {
    const double power = 1 - exponent;
    if (std::abs(power) < 1e-6) return std::log(to / from);
    return (std::pow(to, power) - std::pow(from, power)) / power;
}

} // namespace

const std::map<std::string, AerosolType> &aerosol_types() {
    static const std::map<std::string, AerosolType> all{
        {"rural", AerosolType::rural}, {"urban", AerosolType::urban}, {"maritime", AerosolType::maritime}};
    return all;
}

double aerosol_depth_in(double low, double high, double angstrom) {
    const double shortest = 1e4 / high, longest = 1e4 / low;
    return std::pow(reference, angstrom) * integral(shortest, longest, angstrom) / (longest - shortest);
}

void spread_aerosol(Column &c, double depth) {
    double height = 0, sum = 0;
    for (std::size_t k = 0; k < c.layers.size(); ++k) {
        const double thickness = double(constants::r_d / constants::g) * c.layers[k].temperature *
                                 std::log(c.pressure[k] / c.pressure[k + 1]);
        c.layers[k].aerosol = std::exp(-height / scale_height) * -std::expm1(-thickness / scale_height);
        sum += c.layers[k].aerosol;
        height += thickness;
    }
    for (Layer &layer : c.layers) layer.aerosol *= depth / sum;
}

} // namespace squall::radiation
