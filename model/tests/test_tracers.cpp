// Tracers in run files, and what happens to them beside transport.
#include <gtest/gtest.h>

#include <cmath>

#include "grid/scalars.hpp"
#include "initial/initial.hpp"
#include "mixing_case.hpp"
#include "physics/declared_state.hpp"
#include "physics/tracers/tracers.hpp"
#include "tracer_case.hpp"

namespace squall {
namespace {

using test::tracer_case;

std::string refusal(const std::string &tables) {
    try {
        tracer_case(tables);
    } catch (const ConfigError &error) {
        return error.what();
    }
    return "accepted";
}

void expect_refused(const std::string &tables, const std::string &because) {
    const std::string said = refusal(tables);
    EXPECT_NE(said.find(because), std::string::npos) << tables << "\nwas: " << said;
}

TEST(TracerTables, SayWhatEachTracerIs) {
    const Config c = tracer_case(R"([tracer.smoke]
source = ["13 km", "11000 m", "100 m"]
rate = "2 kg/s"
start = "1 min"
end = "0.1 h"
half_life = "2 d"
convective_mixing = true
[tracer.age]
initial = 0.5
)");
    ASSERT_EQ(c.tracers.size(), 2u);
    const TracerConfig &age = c.tracers[0], &smoke = c.tracers[1];
    EXPECT_EQ(age.name, "age");
    EXPECT_EQ(age.initial, 0.5);
    EXPECT_FALSE(age.convective_mixing);
    EXPECT_EQ(smoke.point.geographic, false);
    EXPECT_EQ(smoke.point.first, 13000);
    EXPECT_EQ(smoke.point.second, 11000);
    EXPECT_EQ(smoke.point.height, 100);
    EXPECT_EQ(smoke.rate, 2);
    EXPECT_EQ(smoke.start, 60);
    EXPECT_EQ(smoke.end, 360);
    EXPECT_EQ(smoke.half_life, 172800);
    EXPECT_TRUE(smoke.convective_mixing);
}

TEST(TracerTables, TracersComeLastAmongScalarsAndStartAsTheyAreTold) {
    const Config c = tracer_case("[tracer.b]\n[tracer.a]\ninitial = 0.25\n");
    const ScalarSet scalars = scalars_of(c);
    ASSERT_EQ(scalars.size(), 5);
    EXPECT_EQ(scalars.first_tracer, 3);
    EXPECT_EQ(scalars.all[3].name, "a");
    EXPECT_EQ(scalars.all[4].name, "b");
    const DomainConfig &d = c.domain;
    const InitialState s = make_initial_state(c, make_patch(0, 1, 1, d.nx, d.ny, d.nz, d.boundaries));
    EXPECT_EQ(s.state.scalars[3](5, 7, 3), real(0.25));
    EXPECT_EQ(s.state.scalars[4](5, 7, 3), 0);
}

TEST(TracerTables, NamesThatFilesCannotHaveAreRefused) {
    expect_refused("[tracer.U]\n", "\"U\" is not a valid tracer name");
    expect_refused("[tracer.QICE]\n", "\"QICE\" is not a valid tracer name");
    expect_refused("[tracer.west_east]\n", "\"west_east\" is not a valid tracer name");
    expect_refused("[tracer.a-b]\n", "\"a-b\" is not a valid tracer name");
    expect_refused("[tracer.2nd]\n", "\"2nd\" is not a valid tracer name");
    expect_refused("[tracer]\nrate = \"1 kg/s\"\n", "[tracer] holds one table per tracer");
    expect_refused("[tracer.smoke]\nhalflife = \"1 h\"\n", "did you mean \"half_life\"?");
    expect_refused("[tracers.smoke]\n", "did you mean \"tracer\"?");
}

TEST(TracerTables, SourcesThatMeanNothingAreRefused) {
    const auto source = [](const std::string &point, const std::string &more = "rate = \"1 kg/s\"") {
        return "[tracer.a]\nsource = " + point + "\n" + more + "\n";
    };
    EXPECT_EQ(refusal(source(R"(["1 km", "1 km", "0 m"])")), "accepted");
    expect_refused(source(R"(["1 km", "1 km"])"), "2 values are not a point");
    expect_refused(source(R"(["1 km", "1 degrees", "0 m"])"), "is an angle; expected a length");
    expect_refused(source(R"(["49 km", "1 km", "0 m"])"), "49000 m from the western side is outside");
    expect_refused(source(R"(["1 km", "-1 m", "0 m"])"), "-1 m from the southern side is outside");
    expect_refused(source(R"(["1 km", "1 km", "20 km"])"), "20000 m above the ground is outside");
    expect_refused(source(R"(["40 degrees", "1 degrees", "0 m"])"), "only a real initial.file");
    expect_refused(source(R"(["1 km", "1 km", "0 m"])", ""), "needs tracer.a.rate");
    expect_refused(source(R"(["1 km", "1 km", "0 m"])", "rate = \"1 s\""), "a mass per time in kg/s");
    expect_refused(source(R"(["1 km", "1 km", "0 m"])", "rate = \"1 kg/s\"\nstart = \"9 s\"\nend = \"5 s\""),
                   "is not after its start");
    expect_refused("[tracer.a]\nend = \"1 h\"\n", "tracer.a.end has no effect without a source");
}

TEST(BoundaryLayerKeys, ABuiltInCaseNeedsASurfaceTemperatureAndOnlyThen) {
    const auto physics_refusal = [](const std::string &physics) {
        try {
            tracer_case("", physics);
        } catch (const ConfigError &error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto says = [&](const std::string &physics, const std::string &part) {
        EXPECT_NE(physics_refusal(physics).find(part), std::string::npos) << physics_refusal(physics);
    };
    says("boundary_layer = \"bulk\"", "needs physics.surface_temperature");
    says("surface_temperature = \"300 K\"", "has no effect without physics.boundary_layer");
    says("boundary_layer = \"bulk\"\nsurface_temperature = \"30 K\"", "out of range");
    says("boundary_layer = \"bulk\"\nsurface_temperature = \"300 K\"\nland_wetness = 0.5",
         "built-in cases lie over water");
    says("boundary_layer = \"bulk\"\nsurface_temperature = \"300 K\"", "accepted");
}

TEST(SurfaceLayerKeys, SchemesThatNeedOthersSayWhich) {
    const auto says = [](const std::string &physics, const std::string &part) {
        std::string refusal = "accepted";
        try {
            tracer_case("", "surface_temperature = \"300 K\"\n" + physics);
        } catch (const ConfigError &error) {
            refusal = error.what();
        }
        EXPECT_NE(refusal.find(part), std::string::npos) << refusal;
    };
    const std::string surface = "surface_layer = \"revised-mm5\"\n", ysu = "boundary_layer = \"ysu\"\n";
    says(surface + ysu, "accepted");
    says(ysu, "set physics.surface_layer = \"revised-mm5\"");
    says(surface, "has no effect with physics.boundary_layer = \"none\"");
    says(surface + "boundary_layer = \"bulk\"",
         "which computes its own fluxes; set boundary_layer = \"ysu\"");
    says(surface + ysu + "land_wetness = 0.5", "derives wetness from land use");
    says(ysu + "land = \"slab\"", "needs the fluxes of a surface layer");
    says(surface + ysu + "land = \"noah\"", "needs the radiation at the ground");
    says(surface + ysu + "land = \"slab\"", "built-in cases lie over water");
}

TEST(Tracers, DecayHalvesInAHalfLife) {
    const Config c = tracer_case("[tracer.a]\nhalf_life = \"120 s\"\n[tracer.kept]\n");
    test::MixingCase m({5, 4, 20}, 2000, 2000, 1000);
    m.carry(scalars_of(c));
    for (int n : {3, 4}) m.set(m.s.scalars[n], [](int i, int k, int j) { return 1 + i + 10 * k + 100 * j; });
    Tracers tracers(c, m.scalars, m.patch, MPI_COMM_NULL, m.grid);
    for (int step = 0; step < 10; ++step)
        tracers.advance({0, 4, 0, 4, 0, 20}, GridView(m.grid), m.s, {}, 12.0 * step);
    EXPECT_NEAR(m.s.scalars[3](2, 7, 3), 0.5 * 373, 373 * 1e-6);
    EXPECT_EQ(m.s.scalars[3](4, 7, 3), 375); // not among the columns
    EXPECT_EQ(m.s.scalars[4](2, 7, 3), 373);
}

TEST(Tracers, ThatAreOnlyCarriedNeedNothingMore) {
    EXPECT_FALSE(Tracers::wanted(tracer_case("[tracer.a]\ninitial = 1.0\n")));
    EXPECT_FALSE(Tracers::wanted(tracer_case("")));
    EXPECT_TRUE(Tracers::wanted(tracer_case("[tracer.a]\nconvective_mixing = true\n")));
}

} // namespace
} // namespace squall
