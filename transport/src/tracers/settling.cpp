#include "tracers/settling.hpp"

#include <cmath>

#include "moments/sweeps.hpp"
#include "tracers/amounts.hpp"

namespace squall::transport {
namespace {

constexpr double gas_constant = 8.314462618; ///< [J mol-1 K-1]
/// Of a layer, what may sink out of it in a part of a step.
constexpr double most_sinking = 0.9;

/// Sutherland's law, with the constants of the U.S. Standard Atmosphere, 1976 [kg m-1 s-1].
double viscosity(double temperature) {
    return 1.458e-6 * temperature * std::sqrt(temperature) / (temperature + 110.4);
}

/// The way that particles fall at each interface in a part of a step [m], and how many parts a column takes.
struct Falls {
    Scratch<double> way; ///< [k * nx + i]
    Scratch<int> parts;
    int most_parts = 1;
};

Falls find_falls(const ColumnAir &air, double diameter, double density, double step) {
    const int nx = air.nx(), nz = air.nz();
    Falls falls{Scratch<double>(static_cast<std::size_t>(nx * nz)), {}};
    const auto way = [&](int i, int k) -> double & {
        return falls.way[static_cast<std::size_t>(k * nx + i)];
    };
    for (int i = 0; i < nx; ++i) {
        double most = 0;
        for (int k = 0; k < nz; ++k) {
            const double t =
                k > 0 ? 0.5 * (air.temperature(i, k - 1) + air.temperature(i, k)) : air.temperature(i, 0);
            way(i, k) = step * settling_velocity(diameter, density, t, air.pressure(i, k));
            most = std::max(most, way(i, k) / air.thickness(i, k));
            if (k > 0) most = std::max(most, way(i, k) / air.thickness(i, k - 1));
        }
        falls.parts.push_back(std::max(1, static_cast<int>(std::ceil(most / most_sinking))));
        falls.most_parts = std::max(falls.most_parts, falls.parts.back());
        for (int k = 0; k < nz; ++k) way(i, k) /= falls.parts.back();
    }
    return falls;
}

/// One part of a step, upwards: layer k loses what sinks through its lower face and joins the rest with what
/// sinks through its upper one. Columns that have had their parts stay as they are, since nothing falls.
template <Scheme scheme> class Sinking {
  public:
    Sinking(const TracerRow &row, bool positive)
        : row_(row), positive_(positive), own_(scheme, cells()), none_(scheme, cells()), cuts_(cells()) {
        for (int k = 0; k < row.nz(); ++k) limit(k);
    }

    void sink(const Falls &falls, int part) {
        const Cuts cuts = cuts_.from(0);
        for (int k = 0; k < row_.nz(); ++k) {
            const bool top = k + 1 == row_.nz();
            for (int i = 0; i < row_.nx(); ++i) {
                const bool falling = part < falls.parts[static_cast<std::size_t>(i)];
                const auto fall = [&](int interface) {
                    return falling ? falls.way[static_cast<std::size_t>(interface * row_.nx() + i)] : 0.0;
                };
                const double thickness = row_.air.thickness(i, k);
                cuts.low_out[i] = fall(k) / thickness;
                cuts.high_in[i] = top ? 0 : fall(k + 1) / thickness;
                cuts.high_taken[i] = top ? 0 : fall(k + 1) / row_.air.thickness(i, k + 1);
                cuts.high_out[i] = cuts.low_in[i] = cuts.low_taken[i] = 0;
            }
            const Rows<double> own = own_.rows(), out = rows(k);
            for (std::size_t m = 0; m < static_cast<std::size_t>(moments_of(scheme)); ++m)
                std::copy_n(out[m], row_.nx(), own[m]);
            const Rows<double> upper = top ? none_.rows() : rows(k + 1);
            join<scheme>(readable(own), readable(own), readable(upper), cuts, out, row_.nx());
            limit(k);
        }
    }

  private:
    /// Before and after each part, so that a column that has had its parts is as it would be alone.
    void limit(int k) {
        if (positive_) keep_positive<scheme>(readable(rows(k)), rows(k), row_.nx());
    }
    std::size_t cells() const { return static_cast<std::size_t>(row_.nx()); }
    Rows<double> rows(int k) const {
        return rows_of(row_.block, scheme, Direction::z, row_.tracer, k, row_.j, 0);
    }

    const TracerRow &row_;
    bool positive_;
    MomentSpace own_, none_;
    CutSpace cuts_;
};

} // namespace

double settling_velocity(double diameter, double density, double temperature, double pressure) {
    const double mu = viscosity(temperature);
    const double path =
        2 * mu / (pressure * std::sqrt(8 * molar_mass_of_air / (pi * gas_constant * temperature)));
    const double knudsen = 2 * path / diameter;
    const double slip = 1 + knudsen * (1.257 + 0.4 * std::exp(-1.1 / knudsen));
    return diameter * diameter * density * gravity * slip / (18 * mu);
}

void Settling::apply(const TracerRow &row, double, double step) const {
    const Falls falls = find_falls(row.air, diameter_, density_, step);
    const auto sink = [&](auto sinking) {
        for (int part = 0; part < falls.most_parts; ++part) sinking.sink(falls, part);
    };
    row.scheme == Scheme::slopes ? sink(Sinking<Scheme::slopes>(row, positive_))
                                 : sink(Sinking<Scheme::second_order>(row, positive_));
}

} // namespace squall::transport
