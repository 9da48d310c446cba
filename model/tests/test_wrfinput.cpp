#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/constants.hpp"
#include "initial/initial.hpp"
#include "input_file_test.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;

class WrfInput : public testing_support::InputFileTest {};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

TEST_F(WrfInput, HeaderTellsTheDomain) {
    const WrfInputInfo info = inspect_wrfinput(FakeInput().write(path()));
    EXPECT_EQ(info.nx, 6);
    EXPECT_EQ(info.ny, 5);
    EXPECT_EQ(info.nz, 4);
    EXPECT_EQ(info.dx, 2000);
    EXPECT_EQ(info.dy, 3000);
    EXPECT_EQ(info.start, "2001-02-03T04:05:06");
    EXPECT_FALSE(info.hybrid);
}

TEST_F(WrfInput, FieldsAreTheFiles) {
    const InitialState s = read(FakeInput());
    const auto at = [](double base, double scale, int k, int j, int i) {
        return float(base + scale * (k + 0.1 * j + 0.01 * i));
    };
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 6; ++i) {
            EXPECT_EQ(s.state.mu(i, j), at(50, 10, 0, j, i));
            EXPECT_EQ(s.grid.mub(i, j), at(85000, 100, 0, j, i));
            EXPECT_EQ(s.grid.f(i, j), at(1e-4, 1e-6, 0, j, i));
            for (int k = 0; k < 4; ++k) {
                EXPECT_EQ(s.state.u(i, k, j), at(10, 1, k, j, i));
                EXPECT_EQ(s.state.v(i, k, j), at(-10, 1, k, j, i));
                EXPECT_EQ(s.state.theta(i, k, j), at(1, 5, k, j, i)) << "THM is what WRF integrates";
                EXPECT_EQ(s.grid.theta_init(i, k, j), at(2, 5, k, j, i));
                EXPECT_EQ(s.state.ph(i, k + 1, j), float(FakeInput::ph(k + 1, j, i)));
                EXPECT_EQ(s.grid.phb(i, k + 1, j), float(FakeInput::phb(k + 1, j, i)));
            }
        }
    EXPECT_EQ(s.state.u(6, 2, 3), at(10, 1, 2, 3, 6));
    EXPECT_EQ(s.state.v(4, 2, 5), at(-10, 1, 2, 5, 4));
    EXPECT_EQ(s.grid.u_base[3], 9);
    EXPECT_EQ(s.grid.vertical.p_top, 10000);
}

TEST_F(WrfInput, VerticalWindIsTheFilesWhereTheRunAsksForIt) {
    const auto write = [&](double scale) {
        FakeInput input;
        input.volume(
            "W", [=](int k, int j, int i) { return scale * (k + 0.1 * j + 0.01 * i); }, "bottom_top_stag");
        return config_for(input.write(path()));
    };
    const auto keeps = [&](const Config &c) {
        return keeps_given_w(c.initial, make_initial_state(c, whole()), MPI_COMM_NULL);
    };
    Config c = write(0.5);
    EXPECT_TRUE(inspect_wrfinput(path()).has_w);
    EXPECT_EQ(make_initial_state(c, whole()).state.w(3, 4, 2), 0);
    EXPECT_FALSE(keeps(c));
    c.initial.vertical_wind = "file";
    EXPECT_EQ(make_initial_state(c, whole()).state.w(3, 4, 2), float(0.5 * (4 + 0.2 + 0.03)));
    EXPECT_TRUE(keeps(c));
    c = write(0);
    c.initial.vertical_wind = "file";
    EXPECT_FALSE(keeps(c)) << "real.exe writes zeros, for which WRF takes the flow's";
}

TEST_F(WrfInput, BaseStateIsWhatWrfRecomputes) {
    const InitialState s = read(FakeInput());
    for (int k = 0; k < 4; ++k) {
        const double mub = s.grid.mub(3, 2), pb = (1 - (k + 0.5) / 4) * mub + 10000;
        const double theta = s.grid.theta_init(3, k, 2) + 300.0;
        const double alb = 287.0 / 1e5 * theta * std::pow(pb / 1e5, -5.0 / 7);
        EXPECT_NEAR(s.grid.pb(3, k, 2), pb, 0.02);
        EXPECT_NEAR(s.grid.alb(3, k, 2) / alb, 1, 5e-7);
        const double thickness = s.grid.phb(3, k + 1, 2) - s.grid.phb(3, k, 2);
        const double upper = pb - mub / 8, lower = pb + mub / 8;
        EXPECT_NEAR(s.grid.phb_residual(3, k, 2), thickness - alb * pb * std::log(lower / upper), 0.05);
    }
}

TEST_F(WrfInput, GeopotentialTellsWhatItWasMadeWith) {
    FakeInput input;
    EXPECT_EQ(inspect_wrfinput(input.write(path())).hypsometric, 2);
    input.numbers["HYPSOMETRIC_OPT"] = 2; // as ideal.exe writes it, whatever it does
    input.volume("PHB", FakeInput::phb_linear, "bottom_top_stag");
    EXPECT_EQ(inspect_wrfinput(input.write(path())).hypsometric, 1);
    input.volume(
        "PHB", [](int k, int, int) { return 2e4 * k; }, "bottom_top_stag");
    EXPECT_EQ(inspect_wrfinput(input.write(path())).hypsometric, 0);
    input.variables.erase("T_INIT");
    EXPECT_EQ(inspect_wrfinput(input.write(path())).hypsometric, 0);
}

/// WRF's ideal_init_method 1: what rounding did to PHB is in the base state's density, and departures are
/// departures from that.
TEST_F(WrfInput, IdealisedBaseStateFollowsFromLinearGeopotential) {
    FakeInput input;
    input.volume("PHB", FakeInput::phb_linear, "bottom_top_stag");
    Config c = config_for(input.write(path()));
    c.dynamics.hypsometric = 1;
    const InitialState s = make_initial_state(c, whole());
    for (int k = 0; k < 4; ++k) {
        const double mub = s.grid.mub(3, 2), pb = s.grid.pb(3, k, 2);
        const double alb = (double(s.grid.phb(3, k + 1, 2)) - s.grid.phb(3, k, 2)) / (mub / 4);
        EXPECT_NEAR(s.grid.alb(3, k, 2) / alb, 1, 3e-7);
        EXPECT_NEAR(s.grid.alb(3, k, 2) * 1e5 / 287 * std::pow(pb / 1e5, 5.0 / 7),
                    s.grid.theta_init(3, k, 2) + 300.0, 1e-4);
        EXPECT_EQ(s.grid.phb_residual(3, k, 2), 0);
    }
}

TEST_F(WrfInput, RealBaseStateOfOptionOneLeavesTheRoundingOfGeopotentialAlone) {
    FakeInput input;
    input.scalar("THIS_IS_AN_IDEAL_RUN", 0);
    for (const auto &[name, value] : {std::pair{"P00", 1e5}, {"T00", 290}, {"TLP", 50}, {"TISO", 200}})
        input.scalar(name, value);
    Config c = config_for(input.write(path()));
    c.dynamics.hypsometric = 1;
    const InitialState s = make_initial_state(c, whole());
    for (int k = 0; k < 4; ++k) EXPECT_EQ(s.grid.phb_residual(3, k, 2), 0);
}

TEST_F(WrfInput, EveryPatchReadsItsOwnBox) {
    const InitialState all = read(FakeInput());
    for (int rank = 0; rank < 2; ++rank) {
        const Patch patch = make_patch(rank, 2, 1, 6, 5, 4, {});
        const InitialState part = read(FakeInput(), patch);
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) {
                const int x = i + patch.x0, y = j + patch.y0;
                EXPECT_EQ(part.grid.mub(i, j), all.grid.mub(x, y));
                for (int k = 0; k < 4; ++k) {
                    EXPECT_EQ(part.state.u(i, k, j), all.state.u(x, k, y));
                    EXPECT_EQ(part.grid.alb(i, k, j), all.grid.alb(x, k, y));
                }
            }
    }
}

TEST_F(WrfInput, FilesBeforeWrf4HoldDryThetaInT) {
    FakeInput input;
    input.variables.erase("THM");
    EXPECT_EQ(read(input).state.theta(0, 2, 0), 10);
    input.volume("THM", [](int, int, int) { return 0.0; });
    EXPECT_EQ(read(input).state.theta(0, 2, 0), 10);
}

TEST_F(WrfInput, TimeMayBeAnOrdinaryDimension) {
    FakeInput input;
    input.unlimited_time = false;
    EXPECT_EQ(read(input).state.mu(3, 2), read(FakeInput()).state.mu(3, 2));
}

TEST_F(WrfInput, RealDataBaseStateFollowsFromTheTerrain) {
    FakeInput input;
    input.scalar("THIS_IS_AN_IDEAL_RUN", 0);
    input.scalar("P00", 1e5);
    input.scalar("T00", 290);
    input.scalar("TLP", 50);
    input.scalar("TISO", 200);
    input.plane("HGT", [](int, int, int i) { return 100.0 * i; });
    input.volume(
        "PHB", [](int k, int j, int i) { return FakeInput::phb(k, j, i) + 981.0 * i; }, "bottom_top_stag");
    const InitialState s = read(input);
    // T = 290 + 50 ln(p / p00): ln(p_s / p00) = -5.8 + sqrt(5.8^2 - 2 g z / (50 R)).
    const double log_ps = -5.8 + std::sqrt(5.8 * 5.8 - 2 * 9.81 * 300 / (50 * 287.0));
    EXPECT_NEAR(s.grid.mub(3, 2) + 10000, 1e5 * std::exp(log_ps), 0.1);
    EXPECT_NEAR(s.grid.phb(3, 0, 2), 9.81 * 300, 1e-3);
    const double log_p = std::log(s.grid.pb(3, 1, 2) / 1e5), t = 290 + 50 * log_p;
    EXPECT_NEAR(s.grid.theta_init(3, 1, 2) + 300, t * std::exp(-log_p * 2 / 7), 1e-3);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(s.grid.phb_residual(3, k, 2), 0, 0.05);
}

TEST_F(WrfInput, RefusesWhatIsMissingAndSaysWhoWritesIt) {
    for (const char *name : {"U", "V", "T_INIT", "PH", "PHB", "MU", "MUB", "ZNW", "P_TOP", "MAPFAC_MX",
                             "MAPFAC_VY", "F", "E", "SINALPHA", "HGT", "XLAT"}) {
        FakeInput input;
        input.variables.erase(name);
        const std::string text = complaint(input);
        EXPECT_SAYS(text, std::string("no variable ") + name);
        EXPECT_SAYS(text, "ideal.exe");
    }
}

TEST_F(WrfInput, CoriolisIsOnlyNeededWhereTheRunTakesItFromTheFile) {
    FakeInput input;
    input.variables.erase("F");
    input.variables.erase("E");
    Config c = config_for(input.write(path()));
    c.dynamics.coriolis = "f-plane";
    c.dynamics.f = 1e-4;
    const InitialState s = read_wrfinput(c, whole());
    EXPECT_EQ(s.grid.f(2, 2), real(1e-4));
    EXPECT_EQ(s.grid.e(2, 2), 0);
}

TEST_F(WrfInput, RefusesWrongStaggering) {
    FakeInput input;
    input.volume("U", [](int, int, int) { return 0.0; });
    EXPECT_SAYS(complaint(input), "U has shape (4, 5, 6), but (4, 5, 7) is needed");
}

TEST_F(WrfInput, RefusesValuesThatAreNotNumbersAndNamesThePlace) {
    FakeInput input;
    input.volume("T", [](int, int, int) { return 0.0; });
    input.volume("THM", [](int k, int j, int i) { return k == 2 && j == 3 && i == 4 ? NAN : 1.0; });
    EXPECT_SAYS(complaint(input), "THM is nan at 0-based index (2, 3, 4)");
    input = FakeInput();
    input.plane("MU", [](int, int, int) { return double(NC_FILL_FLOAT); });
    EXPECT_SAYS(complaint(input), "MU is 9.96921e+36 at 0-based index (0, 0)");
}

TEST_F(WrfInput, RefusesImpossibleAtmospheres) {
    FakeInput input;
    input.plane("MUB", [](int, int, int) { return 0.0; });
    EXPECT_SAYS(complaint(input), "column mass");
    input = FakeInput();
    input.volume(
        "PHB", [](int, int, int) { return 0.0; }, "bottom_top_stag");
    input.volume(
        "PH", [](int, int, int) { return 0.0; }, "bottom_top_stag");
    EXPECT_SAYS(complaint(input), "geopotential");
    input = FakeInput();
    input.volume("THM", [](int, int, int) { return -300.0; });
    EXPECT_SAYS(complaint(input), "potential temperature");
    input = FakeInput();
    input.variables["ZNW"] = {{"bottom_top_stag"}, [](int, int, int k) { return k / 4.0; }};
    EXPECT_SAYS(complaint(input), "ZNW: eta must begin with 1");
    input = FakeInput();
    input.scalar("P_TOP", 0);
    EXPECT_SAYS(complaint(input), "P_TOP is 0");
}

TEST_F(WrfInput, RefusesWhatNoAtmosphereHas) {
    const auto says = [&](auto spoil, const char *part) {
        FakeInput input;
        spoil(input);
        EXPECT_SAYS(complaint(input), part);
    };
    const auto at_one_point = [](double there, double elsewhere) {
        return [=](int k, int j, int i) { return k == 0 && j == 2 && i == 3 ? there : elsewhere; };
    };
    says([&](FakeInput &f) { f.plane("HGT", at_one_point(800, 0)); },
         "the terrain HGT is at 800 m, but the lowest level (PHB / g) is at 0.0 m at 0-based south_north 2, "
         "west_east 3");
    says(
        [&](FakeInput &f) {
            f.volume("U", at_one_point(1e20, 5), "bottom_top", "south_north", "west_east_stag");
        },
        "U is 1e+20 at 0-based index (0, 2, 3): it must be from -1000 to 1000");
    says([&](FakeInput &f) { f.plane("MU", at_one_point(-20000, 50)); }, "the pressure of level 3 is");
    says([&](FakeInput &f) { f.plane("XLAT", at_one_point(1e7, 40)); }, "XLAT is 10000000");
    says(
        [](FakeInput &f) {
            f.variables["DNW"] = {{"bottom_top"}, [](int, int, int k) { return k == 2 ? 0.25 : -0.25; }};
        },
        "DNW is 0.25 at 0-based level 2, but -0.25 by the eta levels ZNW");
    says([](FakeInput &f) { f.numbers["DX"] = 1e-20; }, "DX = ");
    says([](FakeInput &f) { f.time = "2001-02-30_04:05:06"; }, "Times is \"2001-02-30_04:05:06\", not");
}

TEST_F(WrfInput, RefusesHybridFilesWithoutCoefficients) {
    FakeInput input;
    input.numbers["HYBRID_OPT"] = 2;
    EXPECT_SAYS(complaint(input), "HYBRID_OPT = 2");
}

TEST_F(WrfInput, ReadsHybridCoefficients) {
    FakeInput input;
    input.numbers["HYBRID_OPT"] = 2;
    const auto v = VerticalGrid::make({1, 0.75, 0.5, 0.25, 0}, 10000, 0.2);
    const auto add = [&](const std::string &name, const std::string &z, const std::vector<real> &c) {
        input.variables[name] = {{z}, [c](int, int, int k) { return double(c[k]); }};
    };
    const std::vector<std::pair<const std::vector<real> *, const std::vector<real> *>> both{
        {&v.c1h, &v.c1f}, {&v.c2h, &v.c2f}, {&v.c3h, &v.c3f}, {&v.c4h, &v.c4f}};
    for (int n = 0; n < 4; ++n) {
        add("C" + std::to_string(n + 1) + "H", "bottom_top", *both[n].first);
        add("C" + std::to_string(n + 1) + "F", "bottom_top_stag", *both[n].second);
    }
    const InitialState s = read(input);
    EXPECT_EQ(s.grid.vertical.c1h, v.c1h);
    EXPECT_EQ(s.grid.vertical.c4f, v.c4f);
    EXPECT_NEAR(s.grid.pb(0, 1, 0), v.c3h[1] * 85000 + v.c4h[1] + 10000, 0.02);
    EXPECT_TRUE(inspect_wrfinput(path()).hybrid);
}

TEST_F(WrfInput, RefusesOtherKindsOfFiles) {
    FakeInput input;
    input.dimensions["num_metgrid_levels"] = 27;
    EXPECT_SAYS(complaint(input), "run real.exe");
    input = FakeInput();
    input.texts["GRIDTYPE"] = "E";
    EXPECT_SAYS(complaint(input), "on grid E");
    input = FakeInput();
    input.numbers.erase("DX");
    EXPECT_SAYS(complaint(input), "no global attribute DX");
    EXPECT_SAYS(complaint_about(path() + "_is_not_there"), "no such file");
    std::ofstream(path()) << "not netCDF at all";
    EXPECT_SAYS(complaint_about(path()), "Unknown file format");
}

TEST_F(WrfInput, RefusesAnotherDomainsFile) {
    const std::string file = FakeInput().write(path());
    try {
        read_wrfinput(config_for(file), make_patch(0, 1, 1, 7, 5, 4, {}));
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_SAYS(std::string(e.what()), "has 6 x 5 x 4 cells, but the run file's domain has 7 x 5 x 4");
    }
}

TEST_F(WrfInput, RefusesFilesThatAreCutShort) {
    for (int format : {NC_NETCDF4, NC_CLASSIC_MODEL, NC_64BIT_OFFSET}) {
        FakeInput input;
        input.format = format == NC_CLASSIC_MODEL ? 0 : format;
        const auto size = std::filesystem::file_size(input.write(path()));
        for (double part : {0.2, 0.5, 0.8, 0.95}) {
            input.write(path());
            std::filesystem::resize_file(path(), std::uintmax_t(part * double(size)));
            EXPECT_NE(complaint_about(path()), "") << "format " << format << ", part " << part;
        }
    }
}

} // namespace
} // namespace squall
