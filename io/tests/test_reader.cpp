#include <filesystem>

#include <gtest/gtest.h>

#include "support.hpp"

namespace squall::io::test {

/// Two frames in one file.
std::string two_frames(const Scratch &dir) {
    auto spec = weather(dir / "x.nc");
    spec.frames_per_file = 2;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    const Patch all{0, ny};
    put_fixed(stream, all);
    write_frame(stream, all, 0);
    write_frame(stream, all, 1);
    return dir / "x.nc";
}

TEST(Reader, DescribesTheFile) {
    const Scratch dir;
    const Reader file(two_frames(dir));
    EXPECT_EQ(file.frames(), 2);
    EXPECT_EQ(file.size("west_east"), nx);
    EXPECT_EQ(file.fields().size(), 4u);
    EXPECT_TRUE(file.has("T"));
    EXPECT_FALSE(file.has("Q"));
    EXPECT_EQ(file.shape("T"), (std::vector<std::int64_t>{nz, ny, nx}));
    EXPECT_EQ(file.field("T").attributes[0].name, "units");
    EXPECT_EQ(std::get<std::string>(file.field("T").attributes[1].value), "");
    EXPECT_FALSE(file.field("HGT").per_frame);
    EXPECT_EQ(file.field("HGT").type, Type::f64);
    EXPECT_EQ(file.text("TITLE"), "test");
    EXPECT_EQ(file.number("P0"), 1e5);
    EXPECT_EQ(file.number("WEST-EAST_GRID_DIMENSION"), 14);
    expect_frame(file, 0, 0);
    expect_frame(file, 1, 1);
}

TEST(Reader, ReadsABoxIntoAnyMemoryOrder) {
    const Scratch dir;
    const Reader file(two_frames(dir));
    std::vector<double> a(4 * 3 * 2, -1); // j slowest, then k, then i
    file.read("T", 1, {{1, 2, 3}, {3, 4, 2}}, a.data(), {2, 6, 1});
    for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 2; ++i) EXPECT_EQ(a[j * 6 + k * 2 + i], t_at(1 + k, 2 + j, 3 + i, 1));
}

TEST(Reader, SaysWhatItDoesNotFind) {
    const Scratch dir;
    const Reader file(two_frames(dir));
    float x[4];
    const auto refusal = [&](const char *field, int frame, const Box &box) {
        return error_of([&] { file.read(field, frame, box, x); });
    };
    EXPECT_EQ(refusal("Q", 0, {}), (dir / "x.nc") + ": the file has no field Q");
    EXPECT_NE(refusal("T", 2, {{0, 0, 0}, {1, 1, 1}}).find("there is no frame 2, the file has 2"),
              std::string::npos);
    EXPECT_NE(refusal("T", 0, {{0, 0, 12}, {1, 1, 2}}).find("reaches outside"), std::string::npos);
    EXPECT_NE(refusal("T", 0, {{0, 0}, {1, 1}}).find("3 dimensions"), std::string::npos);
    EXPECT_NE(refusal("Times", 0, {{0}, {4}}).find("cannot be read as f32"), std::string::npos);
    EXPECT_NE(error_of([&] { file.number("TITLE"); }), "");
    EXPECT_NE(error_of([&] { file.text("absent"); }), "");
    EXPECT_NE(error_of([&] { file.size("absent"); }), "");
}

TEST(Reader, RefusesFilesThatAreNotWhole) {
    const Scratch dir;
    const auto path = two_frames(dir);
    EXPECT_NE(error_of([&] { Reader(dir / "absent.nc"); }).find("no such file"), std::string::npos);
    const auto size = std::filesystem::file_size(path);
    for (const auto cut : {size - 4, size / 2, std::uintmax_t(300), std::uintmax_t(10), std::uintmax_t(0)}) {
        std::filesystem::resize_file(path, cut);
        EXPECT_NE(error_of([&] { Reader file(path); }), "") << "at " << cut << " of " << size;
    }
}

} // namespace squall::io::test
