/// Stations are found by the grid's latitudes and longitudes, the same however the domain is cut.

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include "../output_case.hpp"
#include "output/stations.hpp"
#include "output/tracks.hpp"

namespace squall {
namespace {

constexpr double radius = 6370e3, degree = 0.017453292519943295;

struct LongitudeLatitude {
    double longitude, latitude;
};

/// Polar stereographic, true at the pole, 30 km between cells, some 2000 km from it.
LongitudeLatitude place_at(double i, double j) {
    const double x = 30e3 * (i - 6), y = 30e3 * (j - 5) - 2000e3;
    const double rho = std::hypot(x, y);
    return {std::atan2(x, -y) / degree, 90 - 2 * std::atan(rho / (2 * radius)) / degree};
}

test::OutputCase on_the_sphere(int rank, int px, int py) {
    auto c = test::output_case(rank, px, py, "nowhere");
    for (int j = -1; j <= c.patch.shape.ny; ++j)
        for (int i = -1; i <= c.patch.shape.nx; ++i) {
            const auto p = place_at(c.patch.x0 + i, c.patch.y0 + j);
            c.grid.lon(i, j) = static_cast<real>(p.longitude);
            c.grid.lat(i, j) = static_cast<real>(p.latitude);
            c.grid.terrain(i, j) = static_cast<real>(10 * (c.patch.x0 + i) + c.patch.y0 + j);
        }
    c.config.domain.dx = c.config.domain.dy = 30e3;
    return c;
}

class Stations : public testing::Test {
  protected:
    Stations() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        stream.name = "stations";
        stream.stations = fmt::format("/tmp/squall_stations_{}_{}.csv", getpid(),
                                      testing::UnitTest::GetInstance()->current_test_info()->name());
    }
    ~Stations() override { ::unlink(stream.stations.c_str()); }
    void write(const std::string &text) const { std::ofstream(stream.stations) << text; }
    std::vector<Place> locate() const {
        const auto [px, py] = choose_process_grid(ranks, test::out_nx, test::out_ny);
        const auto c = on_the_sphere(rank, px, py);
        return locate_stations(stream, c.config, c.grid, c.patch, MPI_COMM_WORLD);
    }
    std::string fault() const {
        try {
            locate();
        } catch (const ConfigError &e) {
            return e.what();
        }
        return "";
    }

    int rank = 0, ranks = 1;
    StreamConfig stream;
};

const std::vector<std::pair<double, double>> wanted{{0, 0},       {6, 5},     {3.3, 7.8},
                                                    {11.9, 9.95}, {8.5, 4.5}, {0.01, 9.5}};

} // namespace

TEST_F(Stations, AreWhereTheGridHasTheirLongitudeAndLatitude) {
    std::string text = "name, latitude, longitude # degrees\n";
    for (std::size_t n = 0; n < wanted.size(); ++n) {
        // On the outermost cells rounding of the grid's own places decides: a hair further in.
        const auto inside = [](double x) { return x == 0 ? 1e-3 : x; };
        const auto p = place_at(inside(wanted[n].first), inside(wanted[n].second));
        text += fmt::format("s{},{:.9f},{:.9f}\n", n, p.latitude, p.longitude);
    }
    write(text);
    const auto found = locate();
    const auto alone = on_the_sphere(0, 1, 1);
    const auto serial = locate_stations(stream, alone.config, alone.grid, alone.patch, MPI_COMM_SELF);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_NEAR(found[n].i, wanted[n].first, 2e-3) << n;
        EXPECT_NEAR(found[n].j, wanted[n].second, 2e-3) << n;
        EXPECT_NEAR(found[n].altitude, 10 * found[n].i + found[n].j, 1e-3);
        EXPECT_EQ(found[n].i, serial[n].i); // to the bit
        EXPECT_EQ(found[n].j, serial[n].j);
        EXPECT_EQ(found[n].altitude, serial[n].altitude);
    }
}

TEST_F(Stations, OutsideAreNamedOrLeftOut) {
    const auto far = place_at(40, 5), here = place_at(4, 5);
    write(fmt::format("name,longitude,latitude\nParis,2.35,48.85\nhere,{},{}\nfar,{},{}\n", here.longitude,
                      here.latitude, far.longitude, far.latitude));
    const auto said = fault();
    EXPECT_NE(said.find("these lie outside the centres of the outermost cells: Paris, far"),
              std::string::npos)
        << said;
    stream.places_outside = "leave-out";
    const auto left = locate();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].name, "here");
}

TEST_F(Stations, OfATableThatIsWrongAreRefusedWithTheLine) {
    write("name,x\na,1\n");
    EXPECT_NE(fault().find(":1: no columns give positions"), std::string::npos) << fault();
    write("name,i,j\na,1,1\nb,one,2\n");
    EXPECT_NE(fault().find(":3: \"one\" is not a number"), std::string::npos) << fault();
    write("name,i,j\na,1,1\n\n# none\na,2,2\n");
    EXPECT_NE(fault().find(":5: two stations have the name a"), std::string::npos) << fault();
    write("name,i,j\na,1\n");
    EXPECT_NE(fault().find(":2: 2 cells in a table of 3 columns"), std::string::npos) << fault();
    write("name,longitude,latitude\na,10,91\n");
    EXPECT_NE(fault().find("are not possible"), std::string::npos) << fault();
}

TEST_F(Stations, ThatMoveGoAlongTheGreatCircle) {
    const auto from = place_at(1.5, 8.25), to = place_at(10.25, 2);
    write(fmt::format("name,time,longitude,latitude\nship,2000-02-28T12:00:00,{:.9f},{:.9f}\n"
                      "ship,3600,{:.9f},{:.9f}\n",
                      from.longitude, from.latitude, to.longitude, to.latitude));
    stream.trajectories = stream.stations;
    const auto [px, py] = choose_process_grid(ranks, test::out_nx, test::out_ny);
    const auto c = on_the_sphere(rank, px, py), alone = on_the_sphere(0, 1, 1);
    const Tracks tracks(stream, c.config);
    tracks.check(c.grid, c.patch, MPI_COMM_WORLD);
    for (const double seconds : {0.0, 900.0, 1800.0, 3600.0}) {
        const auto there = tracks.at(seconds, c.grid, c.patch, MPI_COMM_WORLD)[0];
        const auto serial = tracks.at(seconds, alone.grid, alone.patch, MPI_COMM_SELF)[0];
        EXPECT_EQ(there.i, serial.i); // to the bit
        EXPECT_EQ(there.j, serial.j);
        // A few hundred kilometres of a great circle are all but straight on this map.
        EXPECT_NEAR(there.i, 1.5 + seconds / 3600 * (10.25 - 1.5), 0.02) << seconds;
        EXPECT_NEAR(there.j, 8.25 + seconds / 3600 * (2 - 8.25), 0.02) << seconds;
    }
    EXPECT_TRUE(std::isnan(tracks.at(3601, c.grid, c.patch, MPI_COMM_WORLD)[0].i));
}

TEST_F(Stations, OfATableOfTracksThatIsWrongAreRefusedWithTheLine) {
    stream.trajectories = stream.stations;
    const auto c = test::output_case(0, 1, 1, "nowhere");
    const auto said = [&](const std::string &text) -> std::string {
        write(text);
        try {
            Tracks(stream, c.config);
        } catch (const ConfigError &e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(said("name,i,j\na,1,1\n").find(":1: no column `time`"), std::string::npos);
    EXPECT_NE(said("name,time,i,j\na,noon,1,1\n").find(":2: time \"noon\" is neither a date"),
              std::string::npos);
    EXPECT_NE(said("name,time,i,j\na,60,1,1\nb,0,1,1\na,60,2,1\n").find(":4: a has a time that is not"),
              std::string::npos);
    EXPECT_NE(said("name,time,i,j,altitude\na,0,1,1,high\n").find("\"high\" is not a number"),
              std::string::npos);
}

TEST_F(Stations, ByMetresAndCellsKnowTheirLongitudeAndLatitude) {
    write("name,x,y\na,165000,150000\n");
    const auto found = locate();
    EXPECT_NEAR(found[0].i, 5, 1e-9);
    EXPECT_NEAR(found[0].j, 4.5, 1e-9);
    const auto p = place_at(5, 4.5);
    EXPECT_NEAR(found[0].longitude, p.longitude, 1e-3);
    EXPECT_NEAR(found[0].latitude, p.latitude, 1e-3);
}

} // namespace squall
