// Run files: what they mean, and how each kind of mistake is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "config/read.hpp"
#include "config/reference.hpp"
#include "initial/initial.hpp"
#include "run_file_case.hpp"
#include "settings/config.hpp"

namespace squall {
namespace {

using namespace run_file_case;

std::string read_text(const std::filesystem::path &file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(RunFile, ValuesArriveInSiUnitsAndDefaultsAreFilledIn) {
    const Config config = read(valid);
    EXPECT_EQ(config.run.name, "foo");
    EXPECT_EQ(config.run.directory, "runs/foo");
    EXPECT_EQ(config.run.start, "2000-01-01T00:00:00");
    EXPECT_EQ(config.run.duration, 900);
    EXPECT_EQ(config.run.acoustic_substeps, 6);
    EXPECT_EQ(config.domain.nx, 512);
    EXPECT_EQ(config.domain.dx, 100);
    EXPECT_EQ(config.domain.dy, 100);
    EXPECT_EQ(config.domain.boundaries.west, Boundary::symmetric);
    EXPECT_EQ(config.domain.boundaries.south, Boundary::periodic);
    EXPECT_EQ(config.vertical.top, 6400);
    EXPECT_EQ(config.diffusion.horizontal, 75);
    EXPECT_EQ(config.diffusion.vertical, 75);
    ASSERT_EQ(config.streams.size(), 1u);
    EXPECT_EQ(config.streams[0].name, "history");
    EXPECT_EQ(config.streams[0].interval, 300);
    EXPECT_EQ(config.streams[0].path, "history_%Y-%m-%d_%H:%M:%S.nc");
    EXPECT_EQ(config.streams[0].line, 26);
}

TEST(RunFile, TheParametersOfACaseAreAllThere) {
    const Config config = read(valid);
    const auto &parameters = cases().at("density-current").parameters;
    ASSERT_EQ(config.initial.parameters.size(), parameters.size());
    for (const CaseParameter &parameter : parameters)
        EXPECT_EQ(config.initial.parameters.at(parameter.key), parameter.value) << parameter.key;
}

TEST(RunFile, AParameterOfTheCaseIsAKeyOfInitial) {
    const CaseParameter parameter = cases().at("density-current").parameters.at(0);
    const std::string value = parameter.unit.empty() ? "7" : "\"7 " + parameter.unit + "\"";
    const Config config = read(with(valid, "[output", parameter.key + " = " + value + "\n[output"));
    EXPECT_EQ(config.initial.parameters.at(parameter.key), 7);
}

TEST(RunFile, AnUnknownKeyNamesTheNearestWithItsLineAndACaret) {
    EXPECT_EQ(
        refusal(with(valid, "time_step", "time_stp")),
        "foo.toml:2:1: key \"time_step\" is missing in [run]: time step of the Runge-Kutta scheme; with "
        "an adaptive time step, the first step; expected a time in s, min, h or d, such as \"600 s\", above "
        "0 s\n"
        "    2 | [run]\n"
        "      | ^\n"
        "foo.toml:4:1: unknown key \"time_stp\" in [run]; did you mean \"time_step\"?\n"
        "    4 | time_stp = \"1 s\"\n"
        "      | ^");
}

TEST(RunFile, AnUnknownKeyOfAnotherTableNamesThatTable) {
    EXPECT_HAS(refusal(with(valid, "nx = 512", "nx = 512\ntime_step = \"1 s\"")),
               "foo.toml:9:1: unknown key \"time_step\" in [domain]; it is a key of [run]");
    EXPECT_HAS(refusal("nx = 3\n" + valid),
               "foo.toml:1:1: key \"nx\" is outside any table; put it below [domain]");
}

TEST(RunFile, AnUnknownTableOrStreamNamesTheNearest) {
    EXPECT_HAS(refusal(with(valid, "[diffusion]", "[difusion]")),
               "foo.toml:18:2: unknown table [difusion]; did you mean \"diffusion\"?");
    EXPECT_HAS(refusal(with(valid, "[output.history]", "[output.histry]")),
               "foo.toml:26:9: unknown stream [output.histry]; did you mean \"history\"? The streams are "
               "history, restart, and any others");
    EXPECT_HAS(refusal("domain = 3\n"), "domain = 3 must be a table: [domain]");
    EXPECT_HAS(refusal(valid + "inteval = \"1 s\"\n"),
               "unknown key \"inteval\" in [output.history]; did you mean \"interval\"?");
}

TEST(RunFile, AParameterOfNoCaseNamesTheNearest) {
    const std::string key = cases().at("density-current").parameters.at(0).key;
    EXPECT_HAS(refusal(with(valid, "[output", key + "x = 1\n[output")),
               "unknown key \"" + key + "x\" in [initial]; did you mean \"" + key + "\"?");
    EXPECT_HAS(
        refusal(with(valid, "density-current", "densty-current")),
        "foo.toml:24:8: initial.case: unknown value \"densty-current\"; did you mean \"density-current\"?");
}

TEST(RunFile, AQuantityNeedsAUnitOfItsDimension) {
    const std::string wanted = "; expected a time in s, min, h or d, such as \"600 s\", above 0 s\n";
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "1")), "foo.toml:4:13: run.time_step: 1 has no unit" + wanted);
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "\"1\"")), "run.time_step: \"1\" has no unit; expected a time");
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "\"1 m\"")),
               "foo.toml:4:13: run.time_step: \"1 m\" is a length; expected a time");
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "\"1 sec\"")),
               "run.time_step: unknown unit \"sec\" in \"1 sec\"; expected a time");
    EXPECT_HAS(refusal(with(valid, "75 m2/s", "75 m/s2")),
               "diffusion.horizontal: \"75 m/s2\" is in m/s2; expected a viscosity");
}

TEST(RunFile, AWrongTypeIsRefused) {
    EXPECT_HAS(refusal(with(valid, "512", "\"512\"")),
               "domain.nx: \"512\" is not a whole number; expected a whole number, at least 1");
    EXPECT_HAS(refusal(with(valid, "512", "512.0")), "domain.nx: 512 is not a whole number");
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "true")),
               "run.time_step: true is not a number; expected a time");
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "[1]")), "run.time_step: a list is not a number");
    EXPECT_HAS(refusal(with(valid, "\"constant\"", "3")), "diffusion.scheme: 3 is not a string");
    EXPECT_HAS(refusal(valid + "[dynamics]\ntop_lid = 1\n"), "dynamics.top_lid: 1 is neither true nor false");
    EXPECT_HAS(refusal(valid + "[dynamics]\noff_centring = \"0.1\"\n"),
               "dynamics.off_centring: \"0.1\" is not a number");
    EXPECT_HAS(refusal(valid + "fields = \"T\"\n"), "output.history.fields: \"T\" is not a list");
    EXPECT_HAS(refusal(valid + "fields = [1]\n"), "output.history.fields: 1 is not a string");
}

TEST(RunFile, AnImpossibleValueIsRefused) {
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "\"0 s\"")), "run.time_step: \"0 s\" is out of range");
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "\"-1 s\"")), "run.time_step: \"-1 s\" is out of range");
    EXPECT_HAS(refusal(with(valid, "= 6", "= 5")),
               "run.acoustic_substeps: 5 is odd; expected an even whole number, from 2 to 1000");
    EXPECT_HAS(refusal(with(valid, "512", "0")), "domain.nx: 0 is out of range");
    EXPECT_HAS(refusal(with(valid, "512", "9223372036854775807")), "is out of range");
    EXPECT_HAS(refusal(valid + "[physics]\nradiation_interval = \"25 h\"\n"),
               "radiation_interval: \"25 h\" is out of range, the maximum is 86400 s; expected a time");
    EXPECT_HAS(
        refusal(with(valid, "\"symmetric\"", "\"symetric\"")),
        "domain.boundary_west: unknown value \"symetric\"; did you mean \"symmetric\"? (choose one of: "
        "periodic, symmetric, open");
    EXPECT_HAS(refusal(valid + "[dynamics]\nscalar_order_vertical = 7\n"),
               "7 is out of range; expected a whole number, from 2 to 6");
    EXPECT_HAS(refusal(valid + "[dynamics]\noff_centring = nan\n"),
               "dynamics.off_centring: nan is not a number");
    EXPECT_HAS(refusal(with(valid, "[run]", "[run]\nstart = \"2001-02-29\"")),
               "run.start: \"2001-02-29\" is not a calendar date");
    EXPECT_HAS(refusal(valid + "engine = \"netcdff\"\n"),
               "output.history.engine: unknown value \"netcdff\"; did you mean \"netcdf\"?");
    EXPECT_HAS(refusal(valid + "placement = \"inlne\"\n"), "did you mean \"inline\"?");
}

TEST(RunFile, AWordThatResemblesNoneIsNotGuessed) {
    EXPECT_HAS(refusal(valid + "[sponge]\n"), "unknown table [sponge]; choose one of: tracer, ");
    EXPECT_HAS(refusal(with(valid, "nx = 512", "nx = 512\nsponge = 3")),
               "unknown key \"sponge\" in [domain]; choose one of: nx, ");
    EXPECT_HAS(refusal(with(valid, "\"symmetric\"", "\"sponge\"")),
               "unknown value \"sponge\"; choose one of: periodic, ");
}

TEST(RunFile, TimesMustBeWholeNumbersOfSteps) {
    EXPECT_HAS(
        refusal(with(valid, "\"1 s\"", "\"7 s\"")),
        "run.duration = 900 s is not a whole number of time steps of 7 s; the nearest that is: \"903 s\"");
    EXPECT_HAS(refusal(with(valid, "5 min", "0.5 s")),
               "foo.toml:27:12: output.history.interval = 0.5 s is not a whole number of time steps of 1 s; "
               "the nearest that "
               "is: \"1 s\"");
    EXPECT_HAS(refusal(with(valid, "\"1 s\"", "\"1e-9 s\"")),
               "time steps of 1e-09 s; at most 2000000000 are possible");
    EXPECT_EQ(refusal(with(valid, "\"1 s\"", "\"0.1 s\"")), "accepted");
    EXPECT_EQ(refusal(with(valid, "5 min", "0 s")), "accepted");
}

TEST(RunFile, PeriodicSidesComeInPairs) {
    EXPECT_HAS(
        refusal(with(valid, "boundary_east = \"symmetric\"\n", "")),
        "foo.toml:12:17: domain.boundary_west = \"symmetric\" with domain.boundary_east = \"periodic\"");
    EXPECT_EQ(refusal(with(valid, "boundary_east = \"symmetric\"", "boundary_east = \"open\"")), "accepted");
}

TEST(RunFile, EtaFallsFromOneToZeroOverTheLayers) {
    const std::string text = with(valid, "nz = 64", "nz = 3");
    const auto eta = [&](const std::string &list) {
        return refusal(with(text, "[diff", "eta = " + list + "\n[diff"));
    };
    EXPECT_EQ(eta("[1, 0.7, 0.3, 0]"), "accepted");
    EXPECT_HAS(eta("[1, 0.7, 0]"), "vertical.eta has 3 interfaces; domain.nz = 3 layers need 4");
    EXPECT_HAS(eta("[1, 0.7, 0.7, 0]"),
               "vertical.eta must decrease strictly: 0.7 follows 0.7 (values 3 and 2)");
    EXPECT_HAS(eta("[0.9, 0.7, 0.3, 0]"), "vertical.eta goes from 0.9 to 0; it must go from 1 to 0");
    EXPECT_HAS(eta("[]"), "vertical.eta has 0 interfaces; domain.nz = 3 layers need 4");
    EXPECT_HAS(eta("[1, 0.7, \"x\", 0]"), "vertical.eta: \"x\" is not a number");
    EXPECT_HAS(eta("[1, 2, 0.3, 0]"), "vertical.eta: 2 is out of range");
    EXPECT_HAS(eta("[1, 0.7, 0.3, 0]\nstretch = 1.1"), "vertical.stretch has no effect with vertical.eta");
    EXPECT_HAS(eta("[1, 0.7, 0.3, 0]\netac = 0.3"), "vertical.etac has no effect on sigma levels");
}

TEST(RunFile, ASchemeNeedsItsParameters) {
    EXPECT_HAS(refusal(with(with(valid, "horizontal", "#"), "vertical = ", "# ")),
               "diffusion.scheme = \"constant\" needs diffusion.horizontal, diffusion.vertical or both");
    EXPECT_HAS(refusal(with(valid, "scheme = \"constant\"\n", "")),
               "diffusion.horizontal has no effect without diffusion.scheme");
    const auto other = [&](const std::string &keys) { return with(valid, "scheme = \"constant\"\n", keys); };
    const std::string flat = "scheme = \"smagorinsky-2d\"\n", steep = flat + "surfaces = \"physical\"\n";
    EXPECT_HAS(refusal(other(flat)),
               "diffusion.horizontal has no effect without diffusion.scheme = \"constant\"");
    EXPECT_EQ(refusal(with(other(flat), "horizontal", "#")), "accepted");
    EXPECT_HAS(refusal(with(other(steep), "horizontal", "#")),
               "diffusion.vertical has no effect without diffusion.scheme = \"constant\" or "
               "diffusion.surfaces = \"coordinate\"");
    EXPECT_HAS(refusal(other("prandtl = 1\n")), "diffusion.prandtl has no effect without a diffusion.scheme");
    const std::string damping = valid + "[damping]\nscheme = \"rayleigh\"\n";
    EXPECT_HAS(refusal(damping), "damping.scheme = \"rayleigh\" needs damping.depth and damping.coefficient");
    EXPECT_HAS(refusal(damping + "depth = \"7 km\"\ncoefficient = \"0.1 1/s\"\n"),
               "damping.depth = 7000 m reaches the ground; vertical.top is 6400 m");
    EXPECT_EQ(refusal(damping + "depth = \"3 km\"\ncoefficient = \"0.1 1/s\"\n"), "accepted");
    const std::string mixes = valid + "[damping]\nscheme = \"diffusion\"\ndepth = \"3 km\"\n";
    EXPECT_HAS(refusal(mixes),
               "damping.scheme = \"diffusion\" needs damping.depth and damping.diffusion_number");
    EXPECT_HAS(refusal(with(mixes, "scheme = \"constant\"\n", "") + "diffusion_number = 0.1\n"),
               "[diffusion], which has no scheme");
    EXPECT_HAS(refusal(mixes + "diffusion_number = 0.1\ncoefficient = \"0.1 1/s\"\n"),
               "damping.coefficient has no effect with damping.scheme = \"diffusion\"");
    EXPECT_EQ(refusal(mixes + "diffusion_number = 0.1\n"), "accepted");
    EXPECT_HAS(refusal(valid + "[dynamics]\ncoriolis = \"f-plane\"\n"),
               "dynamics.coriolis = \"f-plane\" needs dynamics.f");
    EXPECT_HAS(refusal(valid + "[dynamics]\ncoriolis = \"file\"\n"),
               "dynamics.coriolis = \"file\" needs initial.file");
    EXPECT_HAS(refusal(valid + "[dynamics]\nf = \"1e-4 s-1\"\n"),
               "dynamics.f has no effect with dynamics.coriolis = \"none\"");
}

TEST(RunFile, ExactlyOneOfCaseAndFileStartsARun) {
    EXPECT_HAS(refusal(with(valid, "case = \"density-current\"", "")),
               "[initial] needs exactly one of case and file");
    EXPECT_HAS(refusal(with(valid, "[initial]", "[initial]\nfile = \"x\"")),
               "initial.case and initial.file exclude each other");
    EXPECT_HAS(refusal(with(valid, "case = \"density-current\"", "file = \"nowhere/wrfinput_d01\"")),
               "initial.file: there is no file");
    EXPECT_HAS(refusal(with(valid, "case = \"density-current\"", "file = \"" SQUALL_SOURCE_DIR "/LICENSE\"")),
               "foo.toml:24:8: initial.file: ");
}

TEST(RunFile, OverridesReplaceAndAreCheckedAlike) {
    const Config config =
        read(valid, {"run.time_step=0.5 s", "output.restart.interval = 15 min", "domain.nx=256",
                     "run.start=2001-02-03T04:05:06", "diffusion.scheme=none", "dynamics.top_lid=true"});
    EXPECT_EQ(config.run.time_step, 0.5);
    ASSERT_EQ(config.streams.size(), 2u);
    EXPECT_EQ(config.streams[1].interval, 900);
    EXPECT_EQ(config.domain.nx, 256);
    EXPECT_EQ(config.run.start, "2001-02-03T04:05:06");
    EXPECT_EQ(config.diffusion.scheme, "none");
    EXPECT_TRUE(config.dynamics.top_lid);
    EXPECT_EQ(refusal(valid, {"run.time_stp=300 s"}),
              "--set run.time_stp=300 s: unknown key \"time_stp\" in [run]; did you mean \"time_step\"?");
    EXPECT_HAS(refusal(valid, {"run.time_step=300"}),
               "--set run.time_step=300: run.time_step: 300 has no unit");
    EXPECT_HAS(refusal(valid, {"run.time_step=7 s"}),
               "run.duration = 900 s is not a whole number of time steps of 7 s");
    EXPECT_HAS(refusal(valid, {"output.history.interval=0.7 s"}),
               "--set output.history.interval=0.7 s: output.history.interval");
    EXPECT_HAS(refusal(valid, {"run.time_step"}), "is not of the form table.key=value");
    EXPECT_HAS(refusal(valid, {"run.name.x=3"}), "--set run.name.x=3: ");
    EXPECT_HAS(refusal(valid, {"domain.nx=3\nny=4"}), "domain.nx: \"3\nny=4\" is not a whole number");
}

TEST(RunFile, AllMistakesAreReportedAtOnceInTheOrderOfLines) {
    const std::string message = refusal(with(with(valid, "nx = 512", "nx = -1"), "\"1 s\"", "3"));
    EXPECT_LT(message.find("run.time_step: 3 has no unit"), message.find("domain.nx: -1 is out of range"));
    EXPECT_HAS(message, "domain.nx: -1 is out of range");
}

TEST(RunFile, ErrorsOfSyntaxShowTheLine) {
    const std::string message = refusal(with(valid, "[domain]", "[domain"));
    EXPECT_HAS(message, "foo.toml:7:");
    EXPECT_HAS(message, "    7 | [domain\n");
    EXPECT_HAS(refusal(with(valid, "nx = 512", "nx = 512\nnx = 513")), "foo.toml:9:");
}

TEST(RunFile, ACaretStandsUnderItsCharacterBehindTabsAndUmlauts) {
    EXPECT_HAS(refusal(with(valid, "[run]", "run = { name = \"ä\",\tx = 1 }\n[ru]")),
               "    2 | run = { name = \"ä\",\tx = 1 }\n      |                    \t^");
}

TEST(RunFile, AMissingFileOrADirectoryIsRefused) {
    EXPECT_THROW(read_config("no/such.toml", {}), ConfigError);
    EXPECT_THROW(read_config("/", {}), ConfigError);
}

TEST(RunFile, InitialFilesBringTheirGrid) {
    const std::string input = SQUALL_SOURCE_DIR "/../shared/data/baroclinic_wave/wrfinput_d01";
    if (!std::filesystem::exists(input)) GTEST_SKIP() << "no reference data here";
    const std::string with_grid = with(with(valid, "case = \"density-current\"", "file = \"" + input + "\""),
                                       "[vertical]\ntop = \"6.4 km\"\n", "");
    const std::string text = with(with_grid, "nx = 512\nny = 1\nnz = 64\ndx = \"100 m\"\n", "");
    const Config config = read(text, {"domain.nx=40"});
    EXPECT_EQ(config.domain.nx, 40);
    EXPECT_EQ(config.domain.ny, 80);
    EXPECT_EQ(config.domain.nz, 64);
    EXPECT_EQ(config.domain.dx, 1e5);
    EXPECT_EQ(config.vertical.coordinate, "sigma");
    EXPECT_EQ(config.run.start, "0001-01-01T00:00:00");
    const std::string message = refusal(text, {"domain.nx=41", "vertical.top=10 km"});
    EXPECT_HAS(message, "--set domain.nx=41: domain.nx = 41 disagrees with initial.file");
    EXPECT_HAS(message, "vertical.top has no effect: initial.file has its own levels");
}

TEST(RunFile, KeysOfThePreparationAreCheckedWithTheOthers) {
    const std::string text = valid + R"([prepare]
analysis = ["gfs/*.grib2"]
center_latitude = "40 degrees"
top = "50 hPa"
)";
    const Config config = read(text);
    EXPECT_EQ(config.prepare.analysis, std::vector<std::string>{"gfs/*.grib2"});
    EXPECT_EQ(config.prepare.center_latitude, 40);
    EXPECT_EQ(config.prepare.top, 5000);
    EXPECT_HAS(refusal(with(text, "analysis =", "analyses =")), "did you mean \"analysis\"?");
    EXPECT_HAS(refusal(with(text, "50 hPa", "20 km")), "is a length; expected a pressure");
    const std::string no_file = with(text, "case = \"density-current\"", "file = \"wrfinput_d01\"");
    EXPECT_HAS(refusal(with(no_file, "[vertical]\ntop = \"6.4 km\"\n", "")),
               "`squall prepare` with this run file makes it");
}

TEST(RunFile, EveryCaseFileIsAccepted) {
    int count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(SQUALL_SOURCE_DIR "/run-files")) {
        if (entry.path().extension() != ".toml") continue;
        ++count;
        try {
            const Config config = read_config(entry.path().string(), {});
        } catch (const ConfigError &error) {
            // What `squall fetch radiation` or `squall prepare` has yet to bring may be missing, and nothing
            // else.
            if (std::string(error.what()).find("  squall fetch radiation\n") != std::string::npos) continue;
            EXPECT_NE(read_text(entry.path()).find("[prepare]"), std::string::npos) << error.what();
            std::istringstream lines(error.what());
            for (std::string line; std::getline(lines, line);)
                if (line.find(".toml:") != std::string::npos) {
                    EXPECT_HAS(line, "file: there is no file");
                }
        }
    }
    EXPECT_GE(count, 6);
}

TEST(RunFile, TheReferencePageIsUpToDate) {
    EXPECT_EQ(read_text(SQUALL_SOURCE_DIR "/docs/reference/run-file.md"), run_file_reference())
        << "run squall-model --keys > docs/reference/run-file.md";
}

/// Changes, removes, inserts or doubles bytes and lines of a text at random.
std::string mutate(std::string text, std::mt19937 &random) {
    static const std::string bytes = "\"'[]{}=.,#-+eE0159 smhK/\n\t_xn\\\xc3\x28\x80";
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    for (std::size_t n = 1 + below(4); n > 0 && text.size() > 2; --n) {
        const std::size_t at = below(text.size());
        const std::size_t length = std::min(text.size() - at, 1 + below(8));
        switch (below(5)) {
        case 0:
            text[at] = bytes[below(bytes.size())];
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, 1, bytes[below(bytes.size())]);
            break;
        case 3:
            text.insert(below(text.size()), text.substr(at, length));
            break;
        default:
            text[at] = static_cast<char>(below(256));
        }
    }
    return text;
}

TEST(RunFile, RandomMutationsAreAcceptedOrRefusedButNeverCrash) {
    std::vector<std::string> texts{valid};
    for (const auto &entry : std::filesystem::directory_iterator(SQUALL_SOURCE_DIR "/run-files"))
        if (entry.path().extension() == ".toml") texts.push_back(read_text(entry.path()));
    std::mt19937 random(20001);
    int accepted = 0, refused = 0;
    for (int n = 0; n < 2000; ++n) {
        const std::string message =
            refusal(mutate(texts[static_cast<std::size_t>(n) % texts.size()], random));
        (message == "accepted" ? accepted : refused) += 1;
        EXPECT_FALSE(message.empty());
    }
    EXPECT_GT(accepted, 0);
    EXPECT_GT(refused, 0);
}

} // namespace
} // namespace squall
