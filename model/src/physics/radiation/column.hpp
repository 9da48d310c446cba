/// One column of air as radiation sees it: from the ground to the end of the atmosphere, layer 0 lowest.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/radiation/aerosol.hpp"
#include "physics/radiation/gases.hpp"

namespace squall::radiation {

/// Cloud of one kind in a layer: its content where it is cloudy, and the size of what it is made of.
struct Cloud {
    double path = 0;   ///< [g m-2]
    double radius = 0; ///< effective [um]
};

enum CloudKind { liquid, ice, snow, cloud_kinds };

struct Layer {
    double pressure = 0, temperature = 0; ///< [Pa], [K]
    MixingRatios ratios{};
    std::array<Cloud, cloud_kinds> cloud{};
    double rain = 0, graupel = 0; ///< mean paths, which few schemes see [g m-2]
    double cover = 0;             ///< cloudy part of the layer, 0 to 1
    double aerosol = 0;           ///< optical depth at 550 nm
    double humidity = 0;          ///< relative, over water, 0 to 1: what aerosol is like
};

struct GroundOptics {
    double temperature = 288; ///< [K]
    double emissivity = 1;    ///< of thermal radiation
    double albedo = 0;        ///< of sunlight
};

struct Sunlight {
    double cosine = 0;        ///< of the zenith angle; night where it is not positive
    double irradiance = 1361; ///< on a plane that faces the sun, at the top [W m-2]
};

struct Column {
    std::vector<Layer> layers;
    std::vector<double> pressure;    ///< at the layers' interfaces, ground first [Pa]
    std::vector<double> temperature; ///< likewise [K]
    GroundOptics ground;
    Sunlight sun;
    AerosolOptics aerosol;    ///< of that in all layers
    int above = 0;            ///< of the layers, those of add_air_above()
    bool longwave_ice = true; ///< grey clouds of the longwave have crystals

    int size() const { return static_cast<int>(layers.size()); }
    void resize(int n) {
        const auto size = static_cast<std::size_t>(n);
        layers.resize(size);
        pressure.resize(size + 1);
        temperature.resize(size + 1);
    }
};

/// Fluxes at the interfaces of a column, ground first [W m-2].
struct Fluxes {
    std::vector<double> up, down;
    std::vector<double> direct; ///< of `down` what comes straight from the sun, nothing of it scattered
    void resize(int layers) {
        for (auto *f : {&up, &down, &direct}) f->assign(static_cast<std::size_t>(layers) + 1, 0.0);
    }
};

/// Which layers of a column are cloudy in which g-point: 1 or 0, layer by layer, `points` in a row. Rows of
/// layers without any cloud are not set.
struct CloudMask {
    int points = 0;
    std::vector<real> cloudy;
    std::vector<std::uint64_t> keys; ///< of random numbers, by point: scratch
    std::vector<double> ranks;       ///< likewise
    const real *row(int layer) const { return cloudy.data() + static_cast<std::ptrdiff_t>(layer) * points; }
    real *row(int layer) { return cloudy.data() + static_cast<std::ptrdiff_t>(layer) * points; }
};

/// A column, where its clouds are (of any cover above 0), and the fluxes that are wanted of it.
struct Request {
    const Column *column;
    const CloudMask *mask;
    Fluxes *fluxes;
};

} // namespace squall::radiation
