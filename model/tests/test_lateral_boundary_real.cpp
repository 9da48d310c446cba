// Specified boundaries of real cases: the boundary file continues the initial file, and what the
// outermost rows are set to is what WRF has there.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "boundary/lateral_boundary.hpp"
#include "boundary_case.hpp"
#include "initial/initial.hpp"
#include "parallel/halo.hpp"
#include "squall/io.hpp"

namespace squall {
namespace {

/// The folder of the reference data: $SQUALL_DATA, else ../shared/data beside the checkout.
std::string data_folder() {
    const char *named = std::getenv("SQUALL_DATA");
    return named ? named : SQUALL_SOURCE_DIR "/../shared/data";
}

struct RealCase {
    const char *name, *start;
};

class RealBoundary : public testing::TestWithParam<RealCase> {
  protected:
    void SetUp() override {
        folder_ = data_folder() + "/" + GetParam().name + "/";
        if (!std::filesystem::exists(folder_ + "wrfbdy_d01"))
            GTEST_SKIP() << "needs the reference data " << folder_
                         << "; name the folder above it in the variable SQUALL_DATA";
        const WrfInputInfo info = inspect_wrfinput(folder_ + "wrfinput_d01");
        config_.run.start = GetParam().start;
        config_.run.duration = 86400;
        config_.run.time_step = 600;
        using enum Boundary;
        config_.domain = {info.nx, info.ny, info.nz,
                          info.dx, info.dy, {specified, specified, specified, specified}};
        config_.physics.microphysics = "kessler";
        config_.dynamics.moist_theta = false;
        config_.dynamics.hypsometric = 1;
        config_.dynamics.coriolis = "file";
        config_.initial.file = folder_ + "wrfinput_d01";
        config_.boundary.file = folder_ + "wrfbdy_d01";
        patch_ = make_patch(0, 1, 1, info.nx, info.ny, info.nz, config_.domain.boundaries);
        initial_ = make_initial_state(config_, patch_);
        Halo halo(MPI_COMM_SELF, patch_, config_.domain.boundaries);
        const HaloField mub[] = {HaloField::of(initial_.grid.mub)};
        halo.fill(mub, halo_width);
    }

    Range whole() const { return {0, patch_.shape.nx, 0, patch_.shape.ny, 0, patch_.shape.nz}; }

    std::string folder_;
    Config config_;
    Patch patch_;
    InitialState initial_;
};

/// The largest difference on the specified points, of fields with values of that kind.
real largest_difference(const Rim &rim, Points points, const Range &range, const Array3 &a, const Array3 &b) {
    real largest = 0;
    rim.for_each_line(range, points, 0, 1, [&](const RimLine &line) {
        for_each(line.points, [&](int i, int k, int j) {
            largest = std::max(largest, std::abs(a(i, k, j) - b(i, k, j)));
        });
    });
    return largest;
}

TEST_P(RealBoundary, ContinuesTheInitialState) {
    config_.run.time_step = 1e-3; // so that the end of the step is its beginning
    LateralBoundary boundary(config_, patch_, initial_.grid, initial_.scalars,
                             testing_support::file_rim(config_, patch_, initial_.scalars));
    boundary.set_time(0, initial_.state);
    boundary.check_agrees(initial_.state);
    State s(patch_.shape, initial_.scalars.size());
    boundary.impose(Chain(whole()), s);
    const Rim rim(patch_);
    const State &from = initial_.state;
    const auto difference = [&](Points points, const Array3 &a, const Array3 &b, int nk) {
        return largest_difference(rim, points, {0, patch_.shape.nx + 1, 0, patch_.shape.ny + 1, 0, nk}, a, b);
    };
    const int nz = patch_.shape.nz;
    EXPECT_LT(difference(Points::x_faces, s.u, from.u, nz), 1e-4);
    EXPECT_LT(difference(Points::y_faces, s.v, from.v, nz), 1e-4);
    EXPECT_LT(difference(Points::cells, s.theta, from.theta, nz), 1e-3);
    EXPECT_LT(difference(Points::cells, s.ph, from.ph, nz + 1), 0.05);
    EXPECT_LT(difference(Points::cells, s.scalars[0], from.scalars[0], nz), 1e-7);
    EXPECT_GT(difference(Points::x_faces, s.u, from.v, nz), 1) << "there is weather to compare";
}

TEST_P(RealBoundary, TheOutermostRowsAreThoseOfWrf) {
    LateralBoundary boundary(config_, patch_, initial_.grid, initial_.scalars,
                             testing_support::file_rim(config_, patch_, initial_.scalars));
    const io::Reader reference(folder_ + "wrf_reference.nc");
    const int nx = patch_.shape.nx, ny = patch_.shape.ny, nz = patch_.shape.nz;
    const Rim rim(patch_);
    const double hours[] = {3, 12, 24};
    ASSERT_EQ(reference.frames(), 3);
    for (int frame = 0; frame < 3; ++frame) {
        boundary.set_time(hours[frame] * 3600 - 600, initial_.state);
        State s(patch_.shape, initial_.scalars.size());
        boundary.impose(Chain(whole()), s);
        const auto difference = [&](const std::string &name, Points points, Array3 &ours, int nk) {
            const int ni = rim.columns(points), nj = rim.rows(points);
            Array3 theirs(patch_.shape);
            const Field3 v = theirs.view();
            reference.read(name, frame, {{0, 0, 0}, {nk, nj, ni}}, v.origin, {v.sk, v.sj, 1});
            return largest_difference(rim, points, {0, nx + 1, 0, ny + 1, 0, nk}, theirs, ours);
        };
        EXPECT_LT(difference("U", Points::x_faces, s.u, nz), 1e-4) << hours[frame];
        EXPECT_LT(difference("V", Points::y_faces, s.v, nz), 1e-4) << hours[frame];
        EXPECT_LT(difference("T", Points::cells, s.theta, nz), 1e-3) << hours[frame];
        EXPECT_LT(difference("PH", Points::cells, s.ph, nz + 1), 0.05) << hours[frame];
        EXPECT_LT(difference("QVAPOR", Points::cells, s.scalars[0], nz), 1e-7) << hours[frame];
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, RealBoundary,
                         testing::Values(RealCase{"conus_2008-02-05", "2008-02-05T12:00:00"},
                                         RealCase{"conus_2005-07-16", "2005-07-16T00:00:00"}),
                         [](const auto &instance) {
                             std::string name = instance.param.name;
                             std::erase_if(name, [](char c) { return c == '-'; });
                             return name;
                         });

} // namespace
} // namespace squall
