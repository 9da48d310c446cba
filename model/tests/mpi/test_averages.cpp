/// Averages over layers count cells by the mass of their dry air, the same however the domain is cut.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "../output_case.hpp"
#include "core/constants.hpp"
#include "output/history.hpp"

namespace squall {
namespace {

using test::out_nx, test::out_ny, test::out_nz;

class Averages : public testing::Test {
  protected:
    Averages() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        int id = getpid();
        MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
        directory = std::filesystem::temp_directory_path() / fmt::format("squall_averages_{}", id);
    }
    ~Averages() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) std::filesystem::remove_all(directory);
        MPI_Barrier(MPI_COMM_WORLD);
    }

    /// On a map: areas differ, too.
    test::OutputCase on_a_map(int r, int px, int py) const {
        auto c = test::output_case(r, px, py, directory.string());
        for (int j = 0; j <= c.patch.shape.ny; ++j)
            for (int i = 0; i <= c.patch.shape.nx; ++i) {
                c.grid.mub(i, j) = 90000;
                c.grid.msftx(i, j) = c.grid.msfty(i, j) = 1 + real(0.01) * real(c.patch.y0 + j);
            }
        return c;
    }

    /// What a stream with these fields writes of a state, opened again.
    io::Reader written(const StreamConfig &stream, const test::OutputCase &c) const {
        io::Session session(MPI_COMM_WORLD);
        History history(session, stream, c.config, c.patch, c.grid);
        history.write(0, 0, {c.state, c.physics, c.p, c.al});
        history.close();
        session.close();
        MPI_Barrier(MPI_COMM_WORLD);
        return io::Reader((directory / (stream.name + "_2000-02-28_12:00:00.nc")).string());
    }

    test::OutputCase here() const {
        const auto [px, py] = choose_process_grid(ranks, out_nx, out_ny);
        return on_a_map(rank, px, py);
    }

    int rank = 0, ranks = 1;
    std::filesystem::path directory;
};

StreamConfig average_of(const std::string &field, const std::string &over, const std::string &statistic) {
    auto stream = test::output_stream(over + statistic);
    stream.fields = {field};
    stream.average = over;
    stream.weight = "mass";
    stream.statistic = statistic;
    return stream;
}

double number_in(const io::Reader &file, const std::string &name) {
    float x = 0;
    file.read(name, 0, {}, &x);
    return static_cast<double>(x);
}

/// In the cell of a layer [kg], all of it in double precision.
double mass_of(const test::OutputCase &alone, int i, int k, int j) {
    const auto &g = alone.grid;
    const auto n = static_cast<std::size_t>(k);
    const double column = static_cast<double>(alone.state.mu(i, j) + g.mub(i, j));
    const double layer =
        -static_cast<double>(g.vertical.dnw[n]) *
        (static_cast<double>(g.vertical.c1h[n]) * column + static_cast<double>(g.vertical.c2h[n]));
    return layer * static_cast<double>(g.dx * g.dy) / static_cast<double>(g.msftx(i, j) * g.msfty(i, j)) /
           static_cast<double>(constants::g);
}

template <class F> void for_all_cells(F f) {
    for (int k = 0; k < out_nz; ++k)
        for (int j = 0; j < out_ny; ++j)
            for (int i = 0; i < out_nx; ++i) f(i, k, j);
}

TEST_F(Averages, OfAConstantAreTheConstant) {
    auto c = here();
    c.state.theta.fill(real(7.25));
    for (const char *over : {"zonal", "meridional", "domain", "column", "volume"}) {
        const auto file = written(average_of("T", over, "mean"), c);
        const auto shape = file.shape("T");
        std::int64_t points = 1;
        for (const auto n : shape) points *= n;
        std::vector<float> means(static_cast<std::size_t>(points));
        file.read("T", 0, {std::vector<std::int64_t>(shape.size(), 0), shape}, means.data());
        for (const float mean : means) ASSERT_EQ(mean, 7.25F) << over;
    }
}

TEST_F(Averages, OverAllLayersCountByTheMassOfTheCells) {
    const auto c = here(), alone = on_a_map(0, 1, 1);
    double sum = 0, mass = 0;
    for_all_cells([&](int i, int k, int j) {
        sum += mass_of(alone, i, k, j) * static_cast<double>(alone.state.theta(i, k, j));
        mass += mass_of(alone, i, k, j);
    });
    EXPECT_NEAR(number_in(written(average_of("T", "volume", "mean"), c), "T"), sum / mass, 2e-7 * sum / mass);
    const auto whole = written(average_of("T", "volume", "sum"), c);
    EXPECT_NEAR(number_in(whole, "T"), sum, 1e-7 * sum);
}

TEST_F(Averages, OverTheLayersOfAColumnHaveUnitsOfTheGround) {
    const auto c = here(), alone = on_a_map(0, 1, 1);
    const auto file = written(average_of("T", "column", "sum"), c);
    ASSERT_EQ(file.shape("T"), (std::vector<std::int64_t>{out_ny, out_nx}));
    const auto field = file.field("T");
    const auto units = std::ranges::find(field.attributes, std::string("units"), &io::Attribute::name);
    ASSERT_NE(units, field.attributes.end());
    EXPECT_EQ(std::get<std::string>(units->value), "K kg m-2");
    std::vector<float> sums(out_nx * out_ny);
    file.read("T", 0, {{0, 0}, {out_ny, out_nx}}, sums.data());
    for (int j = 0; j < out_ny; ++j)
        for (int i = 0; i < out_nx; ++i) {
            const double area = static_cast<double>(alone.grid.dx * alone.grid.dy) /
                                static_cast<double>(alone.grid.msftx(i, j) * alone.grid.msfty(i, j));
            double sum = 0;
            for (int k = 0; k < out_nz; ++k)
                sum += mass_of(alone, i, k, j) / area * static_cast<double>(alone.state.theta(i, k, j));
            ASSERT_NEAR(static_cast<double>(sums[static_cast<std::size_t>(j * out_nx + i)]), sum, 2e-7 * sum);
        }
}

/// Half of the layers on either side, so that all of them have the mass of all the air.
TEST_F(Averages, BetweenLayersHaveTheMassOfTheAirAroundThem) {
    auto c = here();
    c.state.w.fill(real(1));
    const auto alone = on_a_map(0, 1, 1);
    double mass = 0;
    for_all_cells([&](int i, int k, int j) { mass += mass_of(alone, i, k, j); });
    EXPECT_NEAR(number_in(written(average_of("W", "volume", "sum"), c), "W"), mass, 1e-7 * mass);
}

} // namespace
} // namespace squall
