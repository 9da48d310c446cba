// Aerosol in sunlight against closed forms.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "physics/radiation/shortwave.hpp"
#include "radiation_case.hpp"

namespace squall::radiation {
namespace {

TEST(Aerosol, FallsWithHeightByEIn2500MetresAndAddsUp) {
    Column c = plain_column(200, 250);
    spread_aerosol(c, 0.3);
    const double scale = 287.0 * 250 / 9.81; // of pressure [m]
    const auto above = [](double z) { return std::exp(-z / 2500); };
    const double top = scale * std::log(1e5 / c.pressure.back());
    double sum = 0;
    for (std::size_t k = 0; k < c.layers.size(); ++k) {
        sum += c.layers[k].aerosol;
        const double z = scale * std::log(1e5 / c.pressure[k + 1]);
        EXPECT_NEAR(sum, 0.3 * (1 - above(z)) / (1 - above(top)), 1e-6);
    }
    EXPECT_NEAR(sum, 0.3, 1e-12);
}

TEST(Aerosol, HasInABandTheMeanOfAngstromsLaw) {
    for (const double angstrom : {-0.2, 0.0, 1.0, 1.3, 2.0})
        for (const auto &[low, high] : {std::pair{16000.0, 22650.0}, {8050.0, 12850.0}, {820.0, 2680.0}}) {
            double sum = 0;
            const int n = 20000;
            for (int i = 0; i < n; ++i) {
                const double wavelength = 1e4 / high + (i + 0.5) / n * (1e4 / low - 1e4 / high);
                sum += std::pow(wavelength / 0.55, -angstrom) / n;
            }
            EXPECT_NEAR(aerosol_depth_in(low, high, angstrom), sum, 1e-6 * sum);
        }
}

class AerosolInSunlight : public WithTables {
  protected:
    static Column air() {
        Column c = plain_column(30, 270);
        for (Layer &layer : c.layers) layer.ratios[h2o] = real(2e-3);
        c.sun = {0.5, 1361};
        c.ground.albedo = 0.2;
        return c;
    }
    static Fluxes of(const Column &c, const GasTables &gases) {
        Shortwave shortwave(gases, tables_here()->clouds_shortwave);
        Fluxes fluxes;
        solve(shortwave, c, {}, fluxes);
        return fluxes;
    }
    static Fluxes of(const Column &c) { return of(c, tables_here()->shortwave); }
    static Column hazy(double depth, const AerosolOptics &optics) {
        Column c = air();
        c.aerosol = optics;
        spread_aerosol(c, depth);
        return c;
    }
};

TEST_F(AerosolInSunlight, OfNoDepthLeavesEveryBit) {
    const Fluxes clear = of(air()), none = of(hazy(0, {1.3, 0.9, 0.7}));
    EXPECT_EQ(clear.down, none.down);
    EXPECT_EQ(clear.up, none.up);
    EXPECT_EQ(clear.direct, none.direct);
}

TEST_F(AerosolInSunlight, TakesFromTheBeamByBeersLawInEachBand) {
    const AerosolOptics optics{1.3, 0.9, 0.65};
    for (const double depth : {0.1, 0.8})
        for (const Band &band : tables_here()->shortwave.bands) {
            GasTables alone = tables_here()->shortwave; // sunlight in this band only
            for (int g = 0; g < alone.points; ++g)
                if (g < band.begin || g >= band.end) alone.sunlight[std::size_t(g)] = 0;
            const double clear = of(air(), alone).direct[0];
            if (clear < 1e-3) continue; // of which next to nothing gets there
            const double all = depth * aerosol_depth_in(band.low, band.high, optics.angstrom);
            EXPECT_NEAR(of(hazy(depth, optics), alone).direct[0] / clear, std::exp(-all / 0.5), 2e-5)
                << band.low << " cm-1, depth " << depth;
        }
}

TEST_F(AerosolInSunlight, ThatOnlyScattersLeavesAllEnergyInTheLight) {
    GasTables still = tables_here()->shortwave; // gases that absorb nothing
    std::fill(still.major.begin(), still.major.end(), real(0));
    for (auto &minor : still.minor) std::fill(minor.begin(), minor.end(), real(0));
    const auto net = [](const Fluxes &f, std::size_t k) { return f.down[k] - f.up[k]; };
    const Fluxes white = of(hazy(0.7, {1.2, 1, 0.7}), still), grey = of(hazy(0.7, {1.2, 0.8, 0.7}), still);
    double absorbed = 0;
    for (std::size_t k = 0; k < 30; ++k) {
        EXPECT_NEAR(net(white, k), net(white, 30), 0.02) << k;
        const double here = net(grey, k + 1) - net(grey, k);
        EXPECT_GE(here, -1e-3);
        absorbed += here;
    }
    EXPECT_GT(absorbed, 50);
    EXPECT_NEAR(absorbed, net(grey, 30) - net(grey, 0), 1e-9);
    EXPECT_LT(net(grey, 0), net(white, 0) - 40);
}

TEST_F(AerosolInSunlight, DimsTheSunAndBrightensTheSky) {
    const Fluxes clear = of(air()), hazy_air = of(hazy(0.3, aerosol_types().at("rural")));
    const auto sky = [](const Fluxes &f) { return f.down[0] - f.direct[0]; };
    EXPECT_LT(hazy_air.direct[0], 0.7 * clear.direct[0]);
    EXPECT_GT(sky(hazy_air), 2 * sky(clear));
    EXPECT_LT(hazy_air.down[0], clear.down[0] - 20);
    EXPECT_GT(hazy_air.up.back(), clear.up.back());
    const Fluxes urban = of(hazy(0.3, aerosol_types().at("urban")));
    EXPECT_LT(urban.down[0], hazy_air.down[0] - 20); // it absorbs more
}

} // namespace
} // namespace squall::radiation
