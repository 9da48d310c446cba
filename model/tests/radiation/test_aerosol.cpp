// Aerosol in sunlight against closed forms.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

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

AerosolOptics said(double angstrom, double albedo, double asymmetry) {
    return {.angstrom = angstrom, .albedo = albedo, .asymmetry = asymmetry};
}

Band band_of(double low, double high) {
    Band band{};
    band.low = low, band.high = high;
    return band;
}

TEST(Aerosol, IsThatOfShettleAndFennsTablesAtTheirHumiditiesAndLinearBetween) {
    const std::array bands{band_of(820, 2680), band_of(16000, 22650), band_of(38000, 50000)};
    const AerosolBands rural({}, bands);
    std::array<CloudOptics, 3> at{};
    const auto depth = [](const CloudOptics &o) { return o.absorbed + o.scattered + o.peak; };
    const auto albedo = [&](const CloudOptics &o) { return 1 - o.absorbed / depth(o); };
    rural.set(0.8, 0.8, at.data());
    EXPECT_NEAR(depth(at[0]), 0.0608, 1e-6);
    EXPECT_NEAR(depth(at[1]), 1.0332, 1e-6);
    EXPECT_NEAR(depth(at[2]), 2.1785, 1e-6);
    EXPECT_NEAR(albedo(at[1]), 0.9612, 1e-6);
    EXPECT_NEAR((at[1].forward + at[1].peak) / (at[1].scattered + at[1].peak), 0.7016, 1e-6);
    rural.set(0.85, 0.85, at.data());
    EXPECT_NEAR(depth(at[2]), (2.1785 + 2.1006) / 2, 1e-6);
    EXPECT_NEAR(albedo(at[1]), (0.9612 + 0.9733) / 2, 1e-6);
    std::array<CloudOptics, 3> beyond{};
    rural.set(0.99, 0.99, at.data());
    rural.set(1.02, 1.02, beyond.data());
    for (std::size_t b = 0; b < at.size(); ++b) EXPECT_EQ(at[b].absorbed, beyond[b].absorbed);
}

TEST(Aerosol, HasItsSpectrumByTheHumidityAtTheGroundAndTheRestByThatOfTheLayer) {
    const std::array bands{band_of(8050, 12850)};
    const AerosolBands maritime({.type = AerosolType::maritime}, bands);
    CloudOptics dry{}, layer{}, ground{};
    maritime.set(0, 0, &dry), maritime.set(0, 0.95, &layer), maritime.set(0.95, 0, &ground);
    const auto depth = [](const CloudOptics &o) { return o.absorbed + o.scattered + o.peak; };
    EXPECT_NEAR(depth(layer), depth(dry), 1e-6);
    EXPECT_LT(layer.absorbed, 0.2 * dry.absorbed);
    EXPECT_NEAR(depth(ground), 0.9184, 1e-6);
    EXPECT_NEAR(ground.absorbed / depth(ground), dry.absorbed / depth(dry), 1e-6);
}

/// By means over 0.44 to 0.78 um, as the tables of the paper give them for all wavelengths together.
TEST(Aerosol, OfEachTypeIsInTheVisibleAsItsMeansSay) {
    const std::array bands{band_of(12850, 16000), band_of(16000, 22650)};
    for (const auto &[type, albedo, asymmetry] : {std::tuple{AerosolType::rural, 0.957, 0.694},
                                                  {AerosolType::urban, 0.776, 0.727},
                                                  {AerosolType::maritime, 0.994, 0.772}}) {
        std::array<CloudOptics, 2> at{};
        AerosolBands({.type = type}, bands).set(0.8, 0.8, at.data());
        double white = 0, ahead = 0;
        for (const CloudOptics &o : at) {
            white += 0.5 * (o.scattered + o.peak) / (o.absorbed + o.scattered + o.peak);
            ahead += 0.5 * (o.forward + o.peak) / (o.scattered + o.peak);
        }
        EXPECT_NEAR(white, albedo, 0.0006);
        EXPECT_NEAR(ahead, asymmetry, 0.0006);
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
    const Fluxes clear = of(air()), none = of(hazy(0, said(1.3, 0.9, 0.7)));
    EXPECT_EQ(clear.down, none.down);
    EXPECT_EQ(clear.up, none.up);
    EXPECT_EQ(clear.direct, none.direct);
}

TEST_F(AerosolInSunlight, TakesFromTheBeamByBeersLawInEachBand) {
    const AerosolOptics optics = said(1.3, 0.9, 0.65);
    for (const double depth : {0.1, 0.8})
        for (const Band &band : tables_here()->shortwave.bands) {
            GasTables alone = tables_here()->shortwave; // sunlight in this band only
            for (int g = 0; g < alone.points; ++g)
                if (g < band.begin || g >= band.end) alone.sunlight[std::size_t(g)] = 0;
            const double clear = of(air(), alone).direct[0];
            if (clear < 1e-3) continue; // of which next to nothing gets there
            const double all = depth * aerosol_depth_in(band.low, band.high, *optics.angstrom);
            EXPECT_NEAR(of(hazy(depth, optics), alone).direct[0] / clear, std::exp(-all / 0.5), 2e-5)
                << band.low << " cm-1, depth " << depth;
        }
}

TEST_F(AerosolInSunlight, ThatOnlyScattersLeavesAllEnergyInTheLight) {
    GasTables still = tables_here()->shortwave; // gases that absorb nothing
    std::fill(still.major.begin(), still.major.end(), real(0));
    for (auto &minor : still.minor) std::fill(minor.begin(), minor.end(), real(0));
    const auto net = [](const Fluxes &f, std::size_t k) { return f.down[k] - f.up[k]; };
    const Fluxes white = of(hazy(0.7, said(1.2, 1, 0.7)), still),
                 grey = of(hazy(0.7, said(1.2, 0.8, 0.7)), still);
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
    const Fluxes clear = of(air()), hazy_air = of(hazy(0.3, {}));
    const auto sky = [](const Fluxes &f) { return f.down[0] - f.direct[0]; };
    EXPECT_LT(hazy_air.direct[0], 0.7 * clear.direct[0]);
    EXPECT_GT(sky(hazy_air), 2 * sky(clear));
    EXPECT_LT(hazy_air.down[0], clear.down[0] - 20);
    EXPECT_GT(hazy_air.up.back(), clear.up.back());
    const Fluxes urban = of(hazy(0.3, {.type = AerosolType::urban}));
    EXPECT_LT(urban.down[0], hazy_air.down[0] - 20); // it absorbs more
}

TEST_F(AerosolInSunlight, AbsorbsLessOfItInMoistAir) {
    const auto absorbed = [](double humidity) {
        Column c = hazy(0.3, {.type = AerosolType::urban});
        for (Layer &layer : c.layers) layer.humidity = humidity;
        const Fluxes f = of(c);
        return f.down.back() - f.up.back() - f.down[0] + f.up[0];
    };
    EXPECT_LT(absorbed(0.95), absorbed(0.3) - 20);
}

} // namespace
} // namespace squall::radiation
