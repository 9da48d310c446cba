/// The engines netcdf, netcdf-split, netcdf-parallel and pnetcdf, as far as this build has them.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numbers>

#include "declare/layout.hpp"
#include "direct.hpp"
#include "engines/engine.hpp"
#include "full_disk.hpp"
#include "publish/writer.hpp"
#include "support.hpp"

namespace {
std::map<std::string, std::string> hints_seen; ///< with which MPI was last asked to open a file
}

/// Stands before MPI's own, to see what reaches MPI.
extern "C" int MPI_File_open(MPI_Comm comm, const char *file, int mode, MPI_Info info, MPI_File *handle) {
    hints_seen.clear();
    int keys = 0;
    if (info != MPI_INFO_NULL) MPI_Info_get_nkeys(info, &keys);
    for (int k = 0; k < keys; ++k) {
        char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
        int found = 0;
        MPI_Info_get_nthkey(info, k, key);
        MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
        hints_seen[key] = value;
    }
    return PMPI_File_open(comm, file, mode, info, handle);
}

namespace squall::io::test {
namespace {

struct Variant {
    std::string engine, codec;
    std::map<std::string, std::string> options = {};

    StreamSpec apply(StreamSpec spec) const {
        spec.engine = engine;
        spec.codec = codec;
        spec.options = options;
        return spec;
    }
};
void PrintTo(const Variant &v, std::ostream *out) { *out << v.engine << " " << v.codec; }

bool built(const std::string &engine) {
    const auto all = engines();
    return std::find(all.begin(), all.end(), engine) != all.end();
}

std::vector<Variant> variants() {
    std::vector<Variant> all;
    for (const auto &v : std::vector<Variant>{{"netcdf", "none"},
                                              {"netcdf", "none", {{"format", "netcdf4"}}},
                                              {"netcdf", "deflate:4"},
                                              {"netcdf", "zstd"},
                                              {"netcdf-split", "none"},
                                              {"netcdf-split", "zstd:1"},
                                              {"netcdf-parallel", "none"},
                                              {"netcdf-parallel", "deflate"},
                                              {"netcdf-parallel", "zstd"},
                                              {"pnetcdf", "none"}})
        if (built(v.engine)) all.push_back(v);
    return all;
}

std::string name_of_variant(const testing::TestParamInfo<Variant> &info) {
    auto name = fmt::format("{}_{}_{}", info.param.engine, info.param.codec, info.index);
    for (auto &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

class NetcdfFamily : public testing::TestWithParam<Variant> {
  protected:
    Scratch dir;
};
INSTANTIATE_TEST_SUITE_P(All, NetcdfFamily, testing::ValuesIn(variants()), name_of_variant);

TEST_P(NetcdfFamily, ValuesSurviveAnyDecomposition) {
    for (int parts = 1; parts <= ranks() + 1; ++parts) { // fewer parts than ranks: ranks with nothing
        const int n = std::min(parts, ranks());
        const auto path = dir / fmt::format("{}_00:00.nc", parts);
        auto spec = GetParam().apply(weather(path));
        spec.frames_per_file = 3;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        put_fixed(stream, my_patch(n));
        for (int f = 0; f < 3; ++f) write_frame(stream, my_patch(n), f);
        stream.close();
        const Reader file(path);
        ASSERT_EQ(file.frames(), 3);
        for (int f = 0; f < 3; ++f) expect_frame(file, f, f);
        EXPECT_EQ(file.text("TITLE"), "test");
        EXPECT_EQ(file.number("P0"), 1e5);
        EXPECT_EQ(file.number("WEST-EAST_GRID_DIMENSION"), 14);
        EXPECT_EQ(std::get<std::string>(file.field("T").attributes[0].value), "K");
        EXPECT_EQ(file.shape("T"), (std::vector<std::int64_t>{nz, ny, nx}));
        EXPECT_FALSE(file.field("HGT").per_frame);
        EXPECT_EQ(file.fields().size(), 4u);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST_P(NetcdfFamily, SeveralBoxesOfOneRankInBothDirections) {
    StreamSpec spec;
    spec.name = "blocks";
    spec.path = dir / "x.nc";
    spec.dimensions = {{"y", 8}, {"x", 6}};
    spec.fields = {{"A", Type::f64, {"y", "x"}, {}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(GetParam().apply(spec));
    auto frame = stream.begin({});
    for (int b = 0; b < 8; ++b) { // blocks dealt to all ranks but the first, if there is another
        if (ranks() > 1 && 1 + b % (ranks() - 1) != rank()) continue;
        const std::int64_t y = b / 2 * 2, x = b % 2 * 3;
        std::vector<double> a;
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 3; ++i) a.push_back(static_cast<double>((y + j) * 6 + x + i));
        frame.put("A", {{y, x}, {2, 3}}, a.data());
    }
    frame.commit();
    std::vector<double> a(48), part(9);
    const Reader file(dir / "x.nc");
    file.read("A", 0, {{0, 0}, {8, 6}}, a.data());
    for (int n = 0; n < 48; ++n) EXPECT_EQ(a[n], n);
    file.read("A", 0, {{3, 2}, {3, 3}}, part.data());
    for (int n = 0; n < 9; ++n) EXPECT_EQ(part[n], (3 + n / 3) * 6 + 2 + n % 3);
}

/// What this rank holds of a field of the layout when a Writer is called directly, as the engine
/// wants it, with points from `value(offset in the whole)`.
template <class T, class F>
std::vector<std::pair<Box, std::vector<T>>> boxes_of(const Layout &layout, int field, F value) {
    const auto &f = layout.fields[field];
    std::vector<Share> shares;
    const Box whole{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    if (layout.engine->distribution == Distribution::by_shares)
        shares = layout.engine->shares(layout, field, ranks());
    if (layout.engine->distribution == Distribution::to_first) shares = {{whole, 0}};
    if (layout.engine->distribution == Distribution::as_it_lies)
        for (int r = 0; r < ranks(); ++r) {
            Share s{whole, r};
            s.box.start[0] = f.shape[0] * r / ranks();
            s.box.count[0] = f.shape[0] * (r + 1) / ranks() - s.box.start[0];
            shares.push_back(s);
        }
    std::vector<std::pair<Box, std::vector<T>>> mine;
    for (const auto &s : shares) {
        if (s.writer != rank()) continue;
        std::int64_t row = 1, points = 1;
        for (std::size_t d = 1; d < f.shape.size(); ++d) row *= f.shape[d];
        for (const auto n : s.box.count) points *= n;
        std::vector<T> values;
        for (std::int64_t n = 0; n < points; ++n) values.push_back(value(s.box.start[0] * row + n));
        mine.emplace_back(s.box, std::move(values));
    }
    return mine;
}

template <class T, class F>
void write_direct(Direct &writer, const Layout &layout, int field, int frame, F value) {
    const auto boxes = boxes_of<T>(layout, field, value);
    std::vector<Piece> pieces;
    for (const auto &[box, points] : boxes) pieces.push_back({box, points.data()});
    writer.write(field, frame, pieces);
}

/// Two fields per frame and one fixed in time, all cut along the first dimension only.
StreamSpec two_fields(const std::string &path, int frames_per_file) {
    StreamSpec spec;
    spec.name = "direct";
    spec.path = path;
    spec.frames_per_file = frames_per_file;
    spec.dimensions = {{"y", 9}, {"x", 7}};
    spec.fields = {{"A", Type::f32, {"y", "x"}, {}},
                   {"H", Type::f64, {"y"}, {}, false},
                   {"B", Type::i16, {"y", "x"}, {}}};
    return spec;
}

/// The writers of an engine that one rank writes are that rank alone.
std::unique_ptr<Direct> create_direct(const Layout &layout, const std::string &path) {
    const bool alone = layout.engine->distribution == Distribution::to_first;
    if (alone && rank() != 0) return nullptr;
    return std::make_unique<Direct>(layout, path, alone ? MPI_COMM_SELF : MPI_COMM_WORLD);
}

TEST_P(NetcdfFamily, AFrameCutShortLeavesTheOthersWhole) {
    for (const int whole : {1, 2}) {
        const auto path = dir / fmt::format("{}.nc", whole);
        const Layout layout(GetParam().apply(two_fields(path, 5)));
        if (auto writer = create_direct(layout, path)) {
            for (int f = 0; f <= whole; ++f) {
                write_direct<float>(*writer, layout, 0, f, [&](auto n) { return 100.0f * f + n; });
                if (f == 0) write_direct<double>(*writer, layout, 1, 0, [](auto n) { return 0.5 * n; });
                if (f == whole) break; // the last frame has only its first field
                write_direct<std::int16_t>(*writer, layout, 2, f, [&](auto n) { return 10 * f - n; });
                writer->flush();
            }
            writer->close(whole);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        const Reader file(path);
        ASSERT_EQ(file.frames(), whole);
        for (int f = 0; f < whole; ++f) {
            std::vector<float> a(63), b(63);
            file.read("A", f, {{0, 0}, {9, 7}}, a.data());
            file.read("B", f, {{0, 0}, {9, 7}}, b.data());
            for (int n = 0; n < 63; ++n) EXPECT_EQ(a[n], 100.0f * f + n);
            for (int n = 0; n < 63; ++n) EXPECT_EQ(b[n], 10 * f - n);
        }
        std::vector<double> h(9);
        file.read("H", 0, {{0}, {9}}, h.data());
        for (int n = 0; n < 9; ++n) EXPECT_EQ(h[n], 0.5 * n);
        std::vector<float> a(63);
        EXPECT_NE(error_of([&] { file.read("A", whole, {{0, 0}, {9, 7}}, a.data()); }), "");
    }
}

TEST_P(NetcdfFamily, FlushedFramesCanBeReadBeforeTheFileIsPublished) {
    if (GetParam().engine == "netcdf-parallel" || GetParam().codec != "none" || !GetParam().options.empty())
        GTEST_SKIP() << "HDF5 locks files that are being written";
    auto spec = GetParam().apply(weather(dir / "x.nc"));
    spec.frames_per_file = 3;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    put_fixed(stream, my_patch(ranks()));
    for (int f = 0; f < 2; ++f) write_frame(stream, my_patch(ranks()), f);
    {
        const Reader file(dir / "x.nc.part");
        ASSERT_EQ(file.frames(), 2);
        expect_frame(file, 0, 0);
        expect_frame(file, 1, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

float smooth(std::int64_t n) {
    return 280.0f + 20.0f * std::sin(static_cast<float>(n % 40000) * 1e-3f) + static_cast<float>(n / 40000);
}

/// A frame of one field of several chunks; returns the bytes of all files.
std::uintmax_t write_large(const Variant &variant, const std::string &path) {
    StreamSpec spec;
    spec.name = "large";
    spec.path = path;
    spec.dimensions = {{"z", 24}, {"y", 200}, {"x", 200}};
    spec.fields = {{"T", Type::f32, {"z", "y", "x"}, {}}};
    const Layout layout(variant.apply(spec));
    if (auto writer = create_direct(layout, path)) {
        write_direct<float>(*writer, layout, 0, 0, smooth);
        writer->flush();
        writer->close(1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!std::filesystem::is_directory(path)) return std::filesystem::file_size(path);
    std::uintmax_t bytes = 0;
    for (const auto &e : std::filesystem::directory_iterator(path)) bytes += e.file_size();
    return bytes;
}

TEST_P(NetcdfFamily, CodecsLoseNothingAndShrink) {
    const auto bytes = write_large(GetParam(), dir / "x.nc");
    const std::uintmax_t plain = 24 * 200 * 200 * 4;
    if (GetParam().codec == "none")
        EXPECT_GE(bytes, plain);
    else
        EXPECT_LT(bytes, plain / 4 * 3);
    std::vector<float> t(24 * 200 * 200);
    Reader(dir / "x.nc").read("T", 0, {{0, 0, 0}, {24, 200, 200}}, t.data());
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < t.size(); ++n) wrong += t[n] != smooth(static_cast<std::int64_t>(n));
    EXPECT_EQ(wrong, 0u);
}

/// What a command prints, "" if it is not installed.
std::string output_of(const std::string &command) {
    std::string text;
    if (FILE *pipe = ::popen((command + " 2>/dev/null").c_str(), "r")) {
        for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
        ::pclose(pipe);
    }
    return text;
}

TEST_P(NetcdfFamily, CommonToolsOpenTheFiles) {
    write_large(GetParam(), dir / "x.nc");
    if (output_of("command -v ncdump").empty()) GTEST_SKIP() << "there is no ncdump here";
    if (rank() != 0) return;
    const bool split = GetParam().engine == "netcdf-split";
    const auto path = split ? dir / "x.nc/part_000000.nc" : dir / "x.nc";
    const bool hdf5 =
        GetParam().engine == "netcdf-parallel" || GetParam().codec != "none" || !GetParam().options.empty();
    EXPECT_EQ(output_of("ncdump -k " + path), hdf5 ? "netCDF-4\n" : "64-bit offset\n");
    EXPECT_NE(output_of("ncdump -h " + path).find("Time = UNLIMITED ; // (1 currently)"), std::string::npos);
    if (output_of("command -v cdo").empty()) return;
    EXPECT_NE(output_of("cdo -s ntime " + path), "");
}

TEST(NetcdfFormat, WhatCannotWorkIsRefusedWhenTheStreamIsOpened) {
    const Scratch dir;
    const auto refusal = [&](const Variant &v) {
        return error_of([&] { Layout(v.apply(weather(dir / "x.nc"))); });
    };
    EXPECT_NE(refusal({"netcdf", "zstd", {{"format", "classic"}}}).find("set format to netcdf4"),
              std::string::npos);
    EXPECT_NE(refusal({"netcdf", "none", {{"format", "hdf"}}})
                  .find("choose one of: classic, cdf1, cdf2, cdf5, netcdf4"),
              std::string::npos);
    EXPECT_NE(refusal({"netcdf-split", "deflate:10"}).find("choose one from 1 to 9"), std::string::npos);
    EXPECT_NE(refusal({"netcdf", "lz4"}).find("no codec \"lz4\""), std::string::npos);
    EXPECT_EQ(refusal({"netcdf", "deflate:9", {{"format", "netcdf4"}}}), "");
    for (const std::string engine : {"pnetcdf", "netcdf-parallel"}) {
        if (!built(engine)) continue;
        EXPECT_NE(refusal({engine, "", {{"hints", "cb_nodes"}}}).find("\"cb_nodes\" is not a hint"),
                  std::string::npos);
        EXPECT_NE(refusal({engine, "", {{"hints", "a=1; =2"}}}).find("\"=2\" is not a hint"),
                  std::string::npos);
        EXPECT_EQ(refusal({engine, "", {{"hints", " a = 1 ; b=2;"}}}), "");
    }
}

TEST(NetcdfHints, ReachMpi) {
    int tried = 0;
    for (const std::string engine : {"pnetcdf", "netcdf-parallel"}) {
        if (!built(engine)) continue;
        ++tried;
        const Scratch dir;
        write_large({engine, "none", {{"hints", "cb_buffer_size=1048576; squall_test = some thing"}}},
                    dir / "x.nc");
        EXPECT_EQ(hints_seen["cb_buffer_size"], "1048576") << engine;
        EXPECT_EQ(hints_seen["squall_test"], "some thing") << engine;
    }
    if (tried == 0) GTEST_SKIP() << "no engine in this build takes hints";
}

TEST(NetcdfSplit, AMissingOrTruncatedPartIsAnErrorThatNamesIt) {
    const Scratch dir;
    const auto path = dir / "x.nc", part = path + fmt::format("/part_{:06}.nc", ranks() - 1);
    write_large({"netcdf-split", "none"}, path);
    const auto whole = std::filesystem::file_size(part);
    const auto error = [&] { return error_of([&] { Reader file(path); }); };
    EXPECT_EQ(error(), "");
    const auto broken = [&](auto damage) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank() == 0) damage();
        MPI_Barrier(MPI_COMM_WORLD);
        return error();
    };
    const auto name = fmt::format("part_{:06}.nc", ranks() - 1);
    const auto cut = broken([&] { std::filesystem::resize_file(part, whole - 1); });
    EXPECT_TRUE(cut.find(name) != std::string::npos && cut.find("was truncated") != std::string::npos) << cut;
    const auto gone = broken([&] { std::filesystem::remove(part); });
    EXPECT_TRUE(gone.find(name) != std::string::npos && gone.find("is missing") != std::string::npos) << gone;
    const auto index = broken([&] { std::filesystem::resize_file(path + "/index.json", 40); });
    EXPECT_NE(index.find("index.json is damaged"), std::string::npos) << index;
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(NetcdfSplit, BoxesMayMoveFromFrameToFrame) {
    const Scratch dir;
    const auto path = dir / "x.nc";
    StreamSpec spec;
    spec.name = "moving";
    spec.path = path;
    spec.frames_per_file = 4;
    spec.dimensions = {{"y", 10}};
    spec.fields = {{"A", Type::i32, {"y"}, {}}, {"N", Type::i32, {}, {}}};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(Variant{"netcdf-split", "none"}.apply(spec));
    for (int f = 0; f < 4; ++f) { // the first rank holds f % 3 + 1 points, the last the others
        auto frame = stream.begin({3600.0 * f});
        const std::int64_t at = f % 3 + 1;
        const std::vector<std::int32_t> a = {10 * f,     10 * f + 1, 10 * f + 2, 10 * f + 3, 10 * f + 4,
                                             10 * f + 5, 10 * f + 6, 10 * f + 7, 10 * f + 8, 10 * f + 9};
        if (rank() == 0) frame.put("A", {{0}, {at}}, a.data());
        if (rank() == ranks() - 1) frame.put("A", {{at}, {10 - at}}, a.data() + at);
        if (rank() == f % ranks()) frame.put("N", {}, a.data());
        frame.commit();
    }
    stream.close();
    const Reader file(path);
    ASSERT_EQ(file.frames(), 4);
    for (int f = 0; f < 4; ++f) {
        std::vector<std::int32_t> a(10);
        std::int32_t n = -1;
        file.read("A", f, {{0}, {10}}, a.data());
        file.read("N", f, {}, &n);
        for (int i = 0; i < 10; ++i) EXPECT_EQ(a[i], 10 * f + i);
        EXPECT_EQ(n, 10 * f);
    }
}

TEST_P(NetcdfFamily, AFirstFrameThatDoesNotFitIsAnErrorAndLeavesNothing) {
    auto spec = GetParam().apply(weather(dir / "x.nc"));
    spec.dimensions[2].size = 13000;
    for (auto &f : spec.fields)
        if (f.name == "T") f.type = Type::f64;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    if (rank() == 0) {
        const std::vector<double> hgt(ny * 13000);
        stream.put("HGT", {{0, 0}, {ny, 13000}}, hgt.data());
    }
    auto frame = stream.begin({});
    if (rank() == 0) {
        std::vector<double> t(nz * ny * 13000);
        std::uint64_t x = 1;
        for (auto &v : t) v = static_cast<double>(x = x * 6364136223846793005u + 1442695040888963407u);
        const std::int32_t step = 0;
        frame.put("T", {{0, 0, 0}, {nz, ny, 13000}}, t.data());
        frame.put("Times", {{0}, {19}}, "2000-01-01_00:00:00");
        frame.put("STEP", {}, &step);
    }
    const auto text = [&] {
        const FileSizeLimit limit(2000000);
        return error_of([&] { frame.commit(); });
    }();
    EXPECT_NE(text, "");
    EXPECT_TRUE(same_everywhere(text)) << text;
    EXPECT_TRUE(dir.files().empty());
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(NetcdfFamily, WhenTheDiskIsFullTheFramesBeforeStayWhole) {
    const auto path = dir / "x.nc";
    auto spec = two_fields(path, 5);
    spec.dimensions = {{"y", 9}, {"x", 4000}};
    const auto noise = [](auto n) { return static_cast<float>((n * 2654435761u) % 1000003u); };
    const Layout layout(GetParam().apply(spec));
    std::string fault;
    if (auto writer = create_direct(layout, path)) {
        write_direct<float>(*writer, layout, 0, 0, noise);
        write_direct<double>(*writer, layout, 1, 0, [](auto n) { return 0.5 * n; });
        write_direct<std::int16_t>(*writer, layout, 2, 0, noise);
        writer->flush();
        const auto part = std::filesystem::is_directory(path) ? path + "/part_000000.nc" : path;
        const FileSizeLimit limit(std::filesystem::file_size(part) + 10000);
        const auto keep = [&](auto f) {
            const auto text = error_of(f);
            if (fault.empty()) fault = text;
        };
        keep([&] { write_direct<float>(*writer, layout, 0, 1, noise); });
        keep([&] { // as the core does, whoever failed writes nothing more
            if (fault.empty())
                write_direct<std::int16_t>(*writer, layout, 2, 1, noise);
            else
                writer->write(2, 1, {});
        });
        keep([&] { writer->flush(); });
        EXPECT_EQ(error_of([&] { writer->close(1); }), "");
    }
    if (!layout.engine->together) { // else all are told before anybody writes
        EXPECT_EQ(fault.empty(), rank() != 0) << fault;
    } else {
        EXPECT_FALSE(fault.empty());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const Reader file(path);
    ASSERT_EQ(file.frames(), 1);
    std::vector<float> a(9 * 4000);
    file.read("A", 0, {{0, 0}, {9, 4000}}, a.data());
    std::size_t wrong = 0;
    for (std::size_t n = 0; n < a.size(); ++n) wrong += a[n] != noise(n);
    EXPECT_EQ(wrong, 0u);
}

} // namespace
} // namespace squall::io::test
