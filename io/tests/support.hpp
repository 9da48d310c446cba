/// What the tests of io share: a scratch directory, a stream of a 3-D field, patches.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include "squall/io.hpp"

namespace squall::io::test {

/// A deadline [s] that no test is to meet, however busy the machine: a test that hangs is ended before
/// (hung_test.hpp).
inline constexpr double unmet = 300;

inline int rank() {
    int r = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
}

inline int ranks() {
    int n = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

/// A directory of this test, the same on all ranks, empty, removed at the end.
class Scratch {
  public:
    Scratch() {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        int id = getpid();
        MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
        path_ = std::filesystem::temp_directory_path() /
                fmt::format("squall_io_{}_{}_{}", id, test->test_suite_name(), test->name());
        if (rank() == 0) std::filesystem::create_directories(path_);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Scratch() {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank() == 0) std::filesystem::remove_all(path_);
    }
    std::string operator/(const std::string &name) const { return (path_ / name).string(); }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto &e : std::filesystem::directory_iterator(path_))
            if (!e.path().string().ends_with(".manifest.jsonl")) names.push_back(e.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    std::filesystem::path path_;
};

/// Whether a sanitizer is in the build, whose memory counts as the program's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline std::string bytes_of(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline constexpr std::int64_t nz = 5, ny = 11, nx = 13;

/// A stream with a 3-D field per frame, a 2-D field fixed in time, a text and a number per frame.
inline StreamSpec weather(const std::string &path) {
    StreamSpec s;
    s.name = "history";
    s.path = path;
    s.dimensions = {{"bottom_top", nz}, {"south_north", ny}, {"west_east", nx}, {"DateStrLen", 19}};
    s.fields = {
        {"Times", Type::character, {"DateStrLen"}, {}},
        {"STEP", Type::i32, {}, {}},
        {"T",
         Type::f32,
         {"bottom_top", "south_north", "west_east"},
         {{"units", "K"}, {"stagger", ""}, {"FieldType", 104}}},
        {"HGT", Type::f64, {"south_north", "west_east"}, {{"units", "m"}}, false},
    };
    s.attributes = {{"TITLE", "test"}, {"DX", 1000.0f}, {"P0", 1e5}, {"WEST-EAST_GRID_DIMENSION", 14}};
    return s;
}

inline float t_at(std::int64_t k, std::int64_t j, std::int64_t i, int frame) {
    return static_cast<float>(100000 * frame + 1000 * k + 20 * j + i) + 0.25f;
}

/// Rows j0..j1 of the domain in the model's memory order (i, then k, then j) with a rim.
struct Patch {
    std::int64_t j0, j1;
    static constexpr std::int64_t rim = 2, row = nx + 2 * rim;

    std::vector<float> t(int frame) const {
        std::vector<float> a((j1 - j0 + 2 * rim) * nz * row, -999.0f);
        for (auto j = j0; j < j1; ++j)
            for (std::int64_t k = 0; k < nz; ++k)
                for (std::int64_t i = 0; i < nx; ++i) a[offset(i, k, j)] = t_at(k, j, i, frame);
        return a;
    }
    std::int64_t offset(std::int64_t i, std::int64_t k, std::int64_t j) const {
        return ((j - j0 + rim) * nz + k) * row + i + rim;
    }
    Box box() const { return {{0, j0, 0}, {nz, j1 - j0, nx}}; }
    static Strides strides() { return {row, nz * row, 1}; }
};

/// The j-rows of a rank: uneven, and with more ranks than `parts` some are empty.
inline Patch patch_of(int which, int parts) {
    const auto cut = [&](int r) {
        return std::min<std::int64_t>(ny, r >= parts ? ny : ny * r * r / (parts * parts));
    };
    return {cut(which), cut(which + 1)};
}
inline Patch my_patch(int parts) { return patch_of(rank(), parts); }

inline void put_fixed(Stream &stream, const Patch &patch) {
    std::vector<double> hgt;
    for (auto j = patch.j0; j < patch.j1; ++j)
        for (std::int64_t i = 0; i < nx; ++i)
            hgt.push_back(static_cast<double>(j) + static_cast<double>(i) / 100);
    stream.put("HGT", {{patch.j0, 0}, {patch.j1 - patch.j0, nx}}, hgt.data());
}

inline void put_frame(Frame &frame, const Patch &patch, int number, bool first = rank() == 0) {
    if (first) {
        const auto text = format_time({3600.0 * number}, "%Y-%m-%d_%H:%M:%S");
        frame.put("Times", {{0}, {19}}, text.data());
        const std::int32_t step = number;
        frame.put("STEP", {}, &step);
    }
    auto t = patch.t(number);
    frame.put("T", patch.box(), t.data() + patch.offset(0, 0, patch.j0), Patch::strides());
    std::fill(t.begin(), t.end(), 7.0f); // the memory is ours again
}

inline void write_frame(Stream &stream, const Patch &patch, int number, bool first = rank() == 0) {
    auto frame = stream.begin({3600.0 * number});
    put_frame(frame, patch, number, first);
    frame.commit();
}

/// The text of the Error that f throws, "" if none.
template <class F> std::string error_of(F f) {
    try {
        f();
    } catch (const Error &e) {
        return e.what();
    }
    return "";
}

/// Whether all ranks have the same text.
inline bool same_everywhere(const std::string &text) {
    std::string other = text;
    int size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    other.resize(size);
    MPI_Bcast(other.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
    int same = other == text;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return same != 0;
}

/// Checks every value of a frame of a file.
inline void expect_frame(const Reader &file, std::int64_t at, int number) {
    std::vector<double> t(nz * ny * nx);
    file.read("T", at, {{0, 0, 0}, {nz, ny, nx}}, t.data());
    std::size_t n = 0, wrong = 0;
    for (std::int64_t k = 0; k < nz; ++k)
        for (std::int64_t j = 0; j < ny; ++j)
            for (std::int64_t i = 0; i < nx; ++i) wrong += t[n++] != t_at(k, j, i, number);
    EXPECT_EQ(wrong, 0u);
    std::int32_t step = -1;
    file.read("STEP", at, {}, &step);
    EXPECT_EQ(step, number);
    std::string times(19, ' ');
    file.read("Times", at, {{0}, {19}}, times.data());
    EXPECT_EQ(times, format_time({3600.0 * number}, "%Y-%m-%d_%H:%M:%S"));
    double hgt = 0;
    file.read("HGT", at, {{7, 3}, {1, 1}}, &hgt);
    EXPECT_EQ(hgt, 7.03);
}

} // namespace squall::io::test
