// The published air of the cases under a wide flow, their tables, and what they refuse.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "config/read.hpp"
#include "initial/initial.hpp"
#include "initial/number_table.hpp"

namespace squall {
namespace {

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

class WideFlow : public testing::Test {
  protected:
    WideFlow() {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) / (std::string("wide_flow_") + test->name());
        std::filesystem::create_directories(folder_);
    }
    ~WideFlow() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string &name, const std::string &text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }

    Config read(const std::string &physics, const std::string &initial,
                const std::string &vertical = "") const {
        const std::string text = "[run]\nduration = \"2 h\"\ntime_step = \"10 s\"\n"
                                 "[domain]\nnx = 1\nny = 1\nnz = 60\ndx = \"3 km\"\n[vertical]\ntop = " +
                                 (vertical.empty() ? "\"1200 m\"" : vertical) +
                                 "\n[dynamics]\ncoriolis = \"f-plane\"\nf = \"1e-4 s-1\"\n[physics]\n" +
                                 physics + "\n[initial]\n" + initial + "\n";
        return parse_config(text, (folder_ / "run.toml").string(), {});
    }
    InitialState made(const Config &c) const {
        return make_initial_state(c, make_patch(0, 1, 1, 1, 1, c.domain.nz, c.domain.boundaries));
    }
    std::string refusal(const std::string &physics, const std::string &initial) const {
        try {
            made(read(physics, initial));
        } catch (const std::exception &e) {
            return e.what();
        }
        return "accepted";
    }

    std::filesystem::path folder_;
};

const std::string cloudy = "microphysics = \"condensation\"\n", dry = "microphysics = \"vapour\"\n";
const std::string given = "surface_layer = \"prescribed-fluxes\"\nboundary_layer = \"ysu\"\n"
                          "surface_temperature = \"290 K\"\n";
const std::string similar = "surface_layer = \"revised-mm5\"\nboundary_layer = \"ysu\"\n"
                            "surface_temperature = \"290 K\"\n";
const std::string calm = "case = \"column\"\ngeostrophic_u = \"0 m/s\"\n";

TEST_F(WideFlow, TheStratocumulusHasTheAirAndTheCloudOfItsPublication) {
    Config c = read(cloudy + given, "case = \"stratocumulus\"");
    c.domain.nz = 120;
    const InitialState s = made(c);
    const VerticalGrid &v = s.grid.vertical;
    double path = 0, base = 0;
    for (int k = 0; k < v.nz; ++k) {
        const double qv = s.state.scalars[s.scalars.vapour](0, k, 0),
                     qc = s.state.scalars[s.scalars.cloud](0, k, 0);
        const double mass = -double(v.dnw[k]) * (double(s.grid.mub(0, 0)) + double(s.state.mu(0, 0))) / 9.81;
        path += 1000 * mass * qc;
        if (qc > 0 && base == 0) base = s.grid.z_base[k];
        if (s.grid.z_base[k] < 830) {
            EXPECT_NEAR((qv + qc) / (1 + qv + qc), 9e-3, 2e-6) << k;
        }
        if (s.grid.z_base[k] > 860) {
            EXPECT_NEAR(qv / (1 + qv), 1.5e-3, 2e-6) << k;
        }
        const double theta = (300 + double(s.state.theta(0, k, 0))) / (1 + 461.6 / 287 * qv);
        if (s.grid.z_base[k] < 580) {
            EXPECT_NEAR(theta, 289, 0.01);
        }
        if (s.grid.z_base[k] > 860) {
            EXPECT_NEAR(theta, 297.5 + std::cbrt(s.grid.z_base[k] - 840), 0.1);
        }
    }
    EXPECT_NEAR(path, 64, 6);   // Stevens et al. (2005): about 60 g m-2
    EXPECT_NEAR(base, 600, 30); // and a base near 600 m
    EXPECT_EQ(s.physics.surface.sensible_heat(0, 0), 15);
    EXPECT_NEAR(s.physics.surface.vapour_flux(0, 0), 115 / 2.5e6, 1e-9);
    EXPECT_EQ(s.physics.surface.friction_velocity(0, 0), real(0.25));
    EXPECT_NEAR(s.state.u(0, 20, 0), 7, 1e-5);
    EXPECT_NEAR(s.state.v(0, 20, 0), -5.5, 1e-5);
}

TEST_F(WideFlow, RadiativeConvectiveAirHasTheLapseAndTheVapourOfTheProtocol) {
    const Config c = read(cloudy + similar + "", "case = \"radiative-convective\"", "\"20 km\"");
    const InitialState s = made(c);
    const auto virtual_t = [&](int k) {
        const double qv = s.state.scalars[s.scalars.vapour](0, k, 0);
        const double theta = (300 + double(s.state.theta(0, k, 0))) / (1 + 461.6 / 287 * qv);
        const double z = s.grid.z_base[k], at_sea = 290 * (1 + 0.608 * 0.01865);
        const double below = std::min(z, 15000.0), there = at_sea - 0.0067 * below;
        const double p = 101480 * std::pow(there / at_sea, 9.81 / (287 * 0.0067)) *
                         std::exp(-9.81 * (z - below) / (287 * there));
        return theta * std::pow(p / 1e5, 2.0 / 7) * (1 + 0.608 * qv / (1 + qv));
    };
    for (int k = 0; k < 60; k += 7) {
        const double z = s.grid.z_base[k];
        EXPECT_NEAR(virtual_t(k), 290 * (1 + 0.608 * 0.01865) - 0.0067 * std::min(z, 15000.0), 0.3) << z;
    }
    const double z = s.grid.z_base[6], square = z / 7500;
    const double q = 0.01865 * std::exp(-z / 4000 - square * square);
    EXPECT_NEAR(s.state.scalars[s.scalars.vapour](0, 6, 0), q / (1 - q), 2e-2 * q);
    EXPECT_EQ(s.state.u(0, 6, 0), 0);
}

TEST_F(WideFlow, AGeostrophicWindByHeightIsTakenFromItsTable) {
    write("wind.csv", "height,u,v\n0,-5,1\n1000,5,1 # linear\n");
    const InitialState s = made(read(dry + similar, calm + "geostrophic = \"wind.csv\""));
    const auto k = std::size_t{30};
    EXPECT_NEAR(s.forcing.geostrophic_u[k], -5 + 0.01 * double(s.grid.z_base[k]), 1e-4);
    EXPECT_NEAR(s.forcing.geostrophic_v[k], 1, 1e-6);
    EXPECT_NEAR(s.state.u(0, 30, 0), s.forcing.geostrophic_u[k], 0.02); // and is the wind at the start
}

TEST_F(WideFlow, AGeostrophicWindOverTimeIsTakenFromItsTable) {
    write("wind.csv", "hours,height,u,v\n0,0,-5,1\n0,1000,5,1\n1,0,-3,2\n1,1000,7,4\n2,0,0,0\n");
    InitialState s = made(read(dry + similar, calm + "geostrophic = \"wind.csv\""));
    const auto k = std::size_t{30};
    const double share = double(s.grid.z_base[k]) / 1000;
    const auto expect = [&](double seconds, double u, double v) {
        s.forcing.set_wind(seconds);
        EXPECT_NEAR(s.forcing.geostrophic_u[k], u, 1e-4) << seconds;
        EXPECT_NEAR(s.forcing.geostrophic_v[k], v, 1e-4) << seconds;
    };
    EXPECT_NEAR(s.forcing.geostrophic_u[k], -5 + 10 * share, 1e-4);
    expect(1800, -4 + 10 * share, 1.5 + share);
    expect(3600, -3 + 10 * share, 2 + 2 * share);
    expect(5400, 0.5 * (-3 + 10 * share), 0.5 * (2 + 2 * share));
    expect(1e6, 0, 0);
    expect(0, -5 + 10 * share, 1);
    const auto said = [&](const std::string &text) {
        write("wind.csv", text);
        return refusal(dry + similar, calm + "geostrophic = \"wind.csv\"");
    };
    EXPECT_SAYS(said("hours,height,u,v\n0,0,1,1\n1,0,1,1\n"), "the run goes from 0 to 2");
    EXPECT_SAYS(said("hours,height,u,v\n0,10,1,1\n0,0,1,1\n2,0,1,1\n"), "height must increase");
    EXPECT_SAYS(said("hours,height,u,v\n1,0,1,1\n0,0,1,1\n"), "hours must increase");
    EXPECT_SAYS(said("height,u,v\n10,1,1\n10,1,1\n"), "height must increase");
}

TEST_F(WideFlow, ASurfaceOverTimeIsTakenFromItsTable) {
    write("fluxes.csv", "# by hand\nhours, sensible_heat, latent_heat\n0,10,0\n1,110,50\n2,0,0\n");
    const InitialState s = made(read(dry + given, calm + "surface = \"fluxes.csv\""));
    EXPECT_DOUBLE_EQ(s.forcing.surface.at(s.forcing.surface.sensible_heat, 1800), 60);
    EXPECT_EQ(s.physics.surface.sensible_heat(0, 0), 10);
    write("skin.csv", "hours,temperature\n0,280\n3,290\n");
    const InitialState warm = made(read(dry + similar, calm + "surface = \"skin.csv\""));
    EXPECT_EQ(warm.physics.surface.skin_temperature(0, 0), 280);
}

TEST_F(WideFlow, ATableThatIsWrongIsRefusedWithItsPlace) {
    const auto said = [&](const std::string &text) {
        write("table.csv", text);
        return refusal(dry + given, calm + "surface = \"table.csv\"");
    };
    EXPECT_SAYS(said("hours,sensible_heat,latent_heat\n0,1,2\n0,3,4\n"), "table.csv:3: hours must increase");
    EXPECT_SAYS(said("hours,sensible_heat,latent_heat\n0,1\n"), "table.csv:2: 2 values for 3 columns");
    EXPECT_SAYS(said("hours,sensible_heat,latent_heat\n0,1,x\n"), "table.csv:2: \"x\" is not a number");
    EXPECT_SAYS(said("hours,sensible_heat\n0,1\n"), "not \"hours,sensible_heat,latent_heat\"");
    EXPECT_SAYS(said("hours,sensible_heat,latent_heat\n0,1,2\n1,1,2\n"), "the run goes from 0 to 2");
    EXPECT_SAYS(said("hours,sensible_heat,latent_heat\n0,1,2\n3,9000,2\n"), "9000 is impossible");
    EXPECT_SAYS(said(""), "no line of names");
    EXPECT_SAYS(refusal(dry + given, calm + "surface = \"nowhere.csv\""), "there is no file");
}

TEST_F(WideFlow, ASurfaceThatNobodyTakesIsRefused) {
    EXPECT_SAYS(refusal(dry + similar, calm + "sensible_heat = \"15 W/m2\""), "prescribed-fluxes");
    EXPECT_SAYS(refusal(dry + similar, calm + "friction_velocity = \"0.2 m/s\""), "prescribed-fluxes");
    EXPECT_SAYS(refusal(dry + given, calm), "needs initial.sensible_heat");
    EXPECT_SAYS(refusal(dry + given, calm + "sensible_heat = \"15 W/m2\"\nsurface_warming = \"1 K/h\""),
                "does not use a surface temperature");
    EXPECT_SAYS(refusal(dry + given, calm + "sensible_heat = \"15 W/m2\"\nroughness = \"0 m\""),
                "initial.roughness");
    EXPECT_SAYS(refusal(dry + similar, calm + "latitude = \"95 degrees\""), "between -90 and 90 degrees");
    EXPECT_SAYS(refusal(dry + similar, calm + "noise = \"-1 K\""), "amplitude");
    EXPECT_EQ(refusal(dry + given, calm + "sensible_heat = \"15 W/m2\""), "accepted");
    EXPECT_SAYS(refusal(dry + given, "case = \"supercell\""), "built-in case that prescribes fluxes");
    EXPECT_SAYS(refusal(dry, "case = \"supercell\"\nsurface = \"x.csv\""), "no effect without initial.case");
}

TEST_F(WideFlow, ASunThatStandsNeedsAHeightAndRadiation) {
    const std::string sun = "insolation = \"551.58 W/m2\"\n", angle = "zenith_angle = \"42.05 degrees\"\n";
    const std::string radiation = "radiation = \"broadband\"\n";
    EXPECT_SAYS(refusal(cloudy + similar + radiation + sun, calm), "set both or neither");
    EXPECT_SAYS(refusal(cloudy + similar + sun + angle, calm), "insolation has no effect");
    EXPECT_EQ(refusal(cloudy + similar + radiation + sun + angle, calm), "accepted");
    EXPECT_SAYS(refusal(cloudy + radiation, "case = \"supercell\""), "built-in case with a latitude");
}

TEST_F(WideFlow, NoiseIsThatOfAPlaceWhateverThePatch) {
    const auto with_noise = [&](int ranks, int rank) {
        Config c = read(dry + similar, calm + "noise = \"0.1 K\"\nnoise_depth = \"200 m\"");
        c.domain.nx = 8;
        return make_initial_state(c, make_patch(rank, ranks, 1, 8, 1, 60, c.domain.boundaries));
    };
    const InitialState whole = with_noise(1, 0), east = with_noise(2, 1);
    double most = 0;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 60; ++k) {
            EXPECT_EQ(whole.state.theta(4 + i, k, 0), east.state.theta(i, k, 0)) << i << ", " << k;
            most =
                std::max(most, std::abs(double(whole.state.theta(4 + i, k, 0)) - whole.state.theta(0, k, 0)));
            if (whole.grid.z_base[k] > 210) {
                EXPECT_EQ(whole.state.theta(4 + i, k, 0), whole.state.theta(0, k, 0));
            }
        }
    EXPECT_GT(most, 0.05);
    EXPECT_LT(most, 0.21);
}

} // namespace
} // namespace squall
