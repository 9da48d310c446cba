/// What is made where the data lie takes room for results, not for fields.

#include <gtest/gtest.h>

#include "declared.hpp"

namespace squall::io::test {
namespace {

constexpr std::int64_t levels = 20;

/// 30 stations and the domain's mean profile of so many fields.
StreamSpec made(const std::string &path, std::int64_t ny, std::int64_t nx, int fields) {
    auto s = stream_of("made", path);
    s.placement = "inline"; // beside a thread, how many frames wait would count
    s.frames_per_file = 0;
    s.dimensions = {{"z", levels}, {"y", ny}, {"x", nx}};
    std::vector<double> positions;
    for (int n = 0; n < 30; ++n) {
        positions.push_back(static_cast<double>(ny - 1) * n / 29);
        positions.push_back(static_cast<double>(nx - 1) * (29 - n) / 29);
    }
    s.places = {{.name = "station", .dimensions = {"y", "x"}, .count = 30, .positions = positions}};
    for (int f = 0; f < fields; ++f) {
        const auto name = fmt::format("F{}", f);
        s.sources.push_back({name, Type::f32, {"z", "y", "x"}, {}});
        Field at{name + "_station", Type::f32, {}, {}}, mean{name + "_mean", Type::f32, {}, {}};
        at.reduction = Reduction{.of = name, .method = "linear", .over = {}, .at = "station"};
        mean.reduction = Reduction{.of = name, .method = "mean", .over = {"y", "x"}};
        s.fields.push_back(at);
        s.fields.push_back(mean);
    }
    return s;
}

/// Most bytes that frames held on the rank that needed most.
std::uint64_t room_of(std::int64_t ny, std::int64_t nx) {
    constexpr int fields = 4;
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(made(dir / "made.nc", ny, nx, fields));
    const Part rows(ny);
    const std::vector<float> values(static_cast<std::size_t>(levels * rows.count * nx), 1.5F);
    for (int n = 0; n < 3; ++n) {
        auto frame = stream.begin({60.0 * n});
        for (int f = 0; f < fields; ++f)
            frame.put(fmt::format("F{}", f), {{0, rows.begin, 0}, {levels, rows.count, nx}}, values.data());
        frame.commit();
    }
    stream.close();
    const auto report = session.close();
    std::uint64_t peak = rank() == 0 ? report.at(0).staging_peak : 0;
    MPI_Bcast(&peak, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return peak;
}

} // namespace

TEST(ReductionsInPlace, HoldNoMoreOfALargeDomainThanOfASmallOne) {
    const std::uint64_t small = room_of(16, 40), large = room_of(64, 160), field = levels * 64 * 160 * 4;
    EXPECT_GT(small, 0U);
    EXPECT_LT(large, small + small / 10);
    EXPECT_LT(large, field / 4);
}

} // namespace squall::io::test
