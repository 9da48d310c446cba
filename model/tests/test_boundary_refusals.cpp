// What boundary files are refused, and what is said of them.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "boundary_case.hpp"

namespace squall {
namespace {

using testing_support::BegunBoundary;
using testing_support::FakeBoundary;

class BoundaryRefusals : public testing_support::BoundaryFileTest {
  protected:
    /// What opening and reading the file says.
    std::string complaint(const FakeBoundary &file) const { return complaint(config(file)); }
    std::string complaint(const Config &config) const {
        try {
            const BegunBoundary b(c, config, c.patch());
            b.boundary.check_agrees(c.state(c.patch()));
        } catch (const std::runtime_error &e) {
            EXPECT_EQ(std::string(e.what()).rfind(path(), 0), 0u) << "does not begin with the file's name";
            return e.what();
        }
        return "accepted";
    }
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

TEST_F(BoundaryRefusals, RefusesWhatIsMissingAndSaysWhoWritesIt) {
    for (const char *name : {"U_BXS", "V_BTYE", "T_BYS", "PH_BXE", "MU_BTXS", "QVAPOR_BYE"}) {
        FakeBoundary file = c.file();
        file.missing = name;
        const std::string text = complaint(file);
        EXPECT_SAYS(text, std::string("no variable ") + name);
        EXPECT_SAYS(text, "real.exe");
    }
    FakeBoundary dry = c.file();
    dry.missing = "QVAPOR_BXS";
    Config config = c.config(dry.write(path()));
    config.physics.microphysics = "none";
    EXPECT_EQ(complaint(config), "accepted");
}

TEST_F(BoundaryRefusals, RefusesFilesOfOtherShape) {
    FakeBoundary file = c.file();
    file.short_x = "U_BYS";
    EXPECT_SAYS(complaint(file), "U_BYS has shape (5, 4, 14), but (5, 4, 15) is needed");
    file = c.file();
    file.variables["T"].nk = 5;
    EXPECT_SAYS(complaint(file), "T_BYS has shape (5, 5, 14), but (5, 4, 14) is needed");
    file = c.file();
    file.width = 4;
    EXPECT_SAYS(complaint(file), "U_BYS holds 4 rows, but boundary.specified_rows");
}

TEST_F(BoundaryRefusals, RefusesFilesOfOtherDates) {
    FakeBoundary file = c.file();
    file.begins = {"2001-02-03_05:00:00"};
    file.ends = {"2001-02-03_12:00:00"};
    EXPECT_SAYS(complaint(file), "begins at 2001-02-03_05:00:00, but the run begins at 2001-02-03T04:00:00");
    file = c.file();
    Config longer = config(file);
    longer.run.duration = 7260;
    EXPECT_SAYS(complaint(longer),
                "ends at 2001-02-03_06:00:00, but the run ends at 2001-02-03T06:01:00: set "
                "run.duration to 7200 s or less");
    file.begins[1] = "2001-02-03_05:30:00";
    EXPECT_SAYS(complaint(file), "record 1 begins at 2001-02-03_05:30:00, but the one before it ends at");
    file.begins[1] = "no time at all here";
    EXPECT_SAYS(complaint(file), "no time at all here");
    file = c.file();
    file.ends[0] = file.begins[0];
    EXPECT_SAYS(complaint(file), "record 0 runs from 2001-02-03_04:00:00 to 2001-02-03_04:00:00");
}

TEST_F(BoundaryRefusals, RefusesFilesOfOtherDomains) {
    FakeBoundary other = c.file();
    other.numbers["CEN_LAT"] = 50;
    Config config = this->config(c.file());
    config.initial.file = other.write(path() + "_input");
    EXPECT_SAYS(complaint(config), "CEN_LAT is 40 here and 50 there");
    std::filesystem::remove(config.initial.file);
    FakeBoundary higher = c.file();
    higher.variables["MU"].value = [](int, int, int, int) { return 9000.0; };
    EXPECT_SAYS(complaint(higher), "another domain or date than initial.file");
}

TEST_F(BoundaryRefusals, RefusesNumbersThatNoAtmosphereHas) {
    FakeBoundary file = c.file();
    file.variables["T"].value = [](int, int k, int j, int i) {
        return k == 2 && j == 1 && i == 3 ? double(NAN) : 0.0;
    };
    EXPECT_SAYS(complaint(file), "T_BYS is nan in record 0 at 0-based row 1, level 2, point 3");
    const std::map<std::string, double> absurd{{"U", 1e9},   {"V", -1e9},    {"T", 1e10},
                                               {"PH", 1e12}, {"MU", -90000}, {"QVAPOR", -9e4}};
    for (const auto &[name, x] : absurd) {
        file = c.file();
        file.variables[name].value = [x](int, int, int, int) { return x; };
        const std::string text = complaint(file);
        EXPECT_SAYS(text, name + " is ");
        EXPECT_SAYS(text, "no atmosphere has such a value");
        file = c.file();
        file.variables[name].tendency = [x](int, int, int, int) { return x / 1000; };
        EXPECT_SAYS(complaint(file), "3600 s after its beginning");
    }
}

TEST_F(BoundaryRefusals, RefusesFilesThatAreCutShort) {
    for (const int format : {NC_NETCDF4, 0, NC_64BIT_OFFSET}) {
        FakeBoundary file = c.file();
        file.format = format;
        const Config config = this->config(file);
        EXPECT_EQ(complaint(config), "accepted");
        const auto size = std::filesystem::file_size(path());
        for (const double part : {0.2, 0.5, 0.8, 0.95, 0.999}) {
            file.write(path());
            std::filesystem::resize_file(path(), std::uintmax_t(part * double(size)));
            EXPECT_NE(complaint(config), "accepted") << "format " << format << ", part " << part;
        }
    }
    std::ofstream(path()) << "not netCDF at all";
    EXPECT_NE(complaint(c.config(path())), "accepted");
}

TEST_F(BoundaryRefusals, RefusesPatchesThatAreNarrowerThanTheSpecifiedRows) {
    Config config = this->config(c.file());
    config.boundary.file = path();
    config.boundary.specified_rows = 3;
    config.boundary.relaxation_rows = 2;
    const Patch narrow = c.patch(0, 4, 1);
    ASSERT_EQ(narrow.shape.nx, 3);
    try {
        BegunBoundary b(c, config, narrow);
        FAIL();
    } catch (const std::runtime_error &e) {
        EXPECT_SAYS(std::string(e.what()), "specified_rows = 3 needs patches with more cells");
    }
}

} // namespace
} // namespace squall
