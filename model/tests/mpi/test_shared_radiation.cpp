// Ranks on the night's side take columns off those by day: the same bits, and as much to do for each.
#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <mpi.h>

#include "../radiated_storm.hpp"
#include "initial/initial.hpp"
#include "physics/radiation.hpp"
#include "physics/radiation/scheme.hpp"

namespace squall {
namespace {

constexpr int nz = 20;

/// Patches side by side, west to east, in a domain that the edge of the night crosses: the sun stands in the
/// east of it, and there are clouds here and there.
struct AtDawn {
    Config config;
    Patch patch;
    InitialState initial;
    Array3 p{}; ///< perturbation pressure [Pa]
    std::unique_ptr<Radiation> radiation{};

    /// `degrees`: longitude of a cell. `together`: ranks share what there is to do.
    AtDawn(const std::string &scheme, double degrees, bool together)
        : config(test::radiated_storm(scheme, {48, 5, nz})), patch(patch_here(config.domain)),
          initial(make_initial_state(config, patch)) {
        for (int j = 0; j < patch.shape.ny; ++j)
            for (int i = 0; i < patch.shape.nx; ++i) set_column(i, j, degrees);
        p = test::pressure_of(initial);
        radiation = std::make_unique<Radiation>(config, initial.scalars, patch);
        if (together) radiation->survey(config, initial.grid, MPI_COMM_WORLD);
        radiation->begin(0);
        radiation->advance({initial.grid, initial.state, p.view(), initial.ground, initial.physics});
    }

    const SharedRadiation &shared() const { return radiation->shared(); }

  private:
    static Patch patch_here(const DomainConfig &d) {
        int rank = 0, ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        return make_patch(rank, ranks, 1, d.nx, d.ny, d.nz, d.boundaries);
    }
    void set_column(int i, int j, double degrees) {
        const int x = patch.x0 + i, y = patch.y0 + j;
        initial.grid.lat(i, j) = real(10 + 0.5 * y);
        initial.grid.lon(i, j) = real(-90 + degrees * (x - 30)); // where the sun rises at 12 UTC
        const auto cloud = static_cast<std::size_t>(initial.scalars.cloud);
        if (x % 7 == 3)
            for (int k = 4; k < 9; ++k) initial.state.scalars[cloud](i, k, j) = real(1e-4 * (1 + y));
        initial.ground.temperature(i, j) = real(290 + 0.1 * x);
        initial.ground.albedo(i, j) = real(0.1 + 0.01 * y);
    }
};

/// A number of each rank: all of them, and the largest.
struct OverRanks {
    double sum, most;
    explicit OverRanks(double mine) : sum(mine), most(mine) {
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
};

int ranks() {
    int n = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

class SharedRadiationOnRanks : public testing::Test {
  protected:
    void SetUp() override {
        try {
            radiation::scheme_named("rrtmgp").check("");
        } catch (const std::runtime_error &) {
            GTEST_SKIP() << "needs the tables of the radiation: squall fetch radiation";
        }
    }
};

int different(const RadiationState &a, const RadiationState &b, Shape n) {
    int count = 0;
    for (int j = 0; j < n.ny; ++j)
        for (int i = 0; i < n.nx; ++i) {
            for (int k = 0; k < n.nz; ++k) count += a.heating(i, k, j) != b.heating(i, k, j);
            for (const auto field : {&RadiationState::shortwave_down, &RadiationState::shortwave_direct,
                                     &RadiationState::shortwave_net, &RadiationState::shortwave_down_top,
                                     &RadiationState::shortwave_up_top, &RadiationState::longwave_down,
                                     &RadiationState::longwave_up_top, &RadiationState::cosine})
                count += (a.*field)(i, j) != (b.*field)(i, j);
        }
    return count;
}

TEST_F(SharedRadiationOnRanks, HasTheBitsOfEachRankByItself) {
    for (const char *scheme : {"rrtmgp", "rrtmgp-dudhia"}) {
        const AtDawn alone(scheme, 1.5, false), together(scheme, 1.5, true);
        EXPECT_EQ(alone.shared().messages, 0);
        const double messages = OverRanks(together.shared().messages).sum;
        // Dudhia's shortwave makes the day hardly dearer than the night.
        EXPECT_EQ(messages > 0, std::string(scheme) == "rrtmgp");
        EXPECT_EQ(
            different(alone.initial.physics.radiation, together.initial.physics.radiation, alone.patch.shape),
            0);
        const auto &sun = together.initial.physics.radiation.shortwave_down;
        double lit = 0;
        for (int i = 0; i < together.patch.shape.nx; ++i) lit += sun(i, 0) > 0;
        EXPECT_GT(OverRanks(lit).sum, 12);
        EXPECT_LT(OverRanks(lit).sum, 36); // there is night, too
    }
}

TEST_F(SharedRadiationOnRanks, GivesEachAsMuchToDo) {
    const SharedRadiation of = AtDawn("rrtmgp", 1.5, true).shared();
    const OverRanks before(of.work), after(of.done), messages(of.messages);
    EXPECT_NEAR(after.sum, before.sum, 0.02 * before.sum); // but for the nearest column
    EXPECT_GT(before.most, 1.2 * before.sum / ranks());
    EXPECT_LT(after.most, 1.06 * after.sum / ranks());
    EXPECT_LE(messages.sum, 2 * 2 * (ranks() - 1)); // there and back, as who sends and who receives counts it
}

TEST_F(SharedRadiationOnRanks, SendsNothingWhereAllHaveAsMuch) {
    EXPECT_EQ(OverRanks(AtDawn("rrtmgp", 0, true).shared().messages).sum, 0);
    EXPECT_EQ(OverRanks(AtDawn("broadband", 1.5, true).shared().messages).sum, 0); // too cheap
}

} // namespace
} // namespace squall
