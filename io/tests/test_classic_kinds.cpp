/// The classic kinds of netCDF files, CDF-1, CDF-2 and CDF-5: who gets which, and what each cannot hold.

#include "declare/layout.hpp"
#include "declared.hpp"
#include "engines/engine.hpp"
#include "engines/netcdf/kind.hpp"
#include "read/source.hpp"

namespace squall::io::test {
namespace {

constexpr std::int64_t GiB = 1 << 30;

/// Engines of this build that make classic files.
std::vector<std::string> classic_engines() {
    auto names = storing_engines();
    std::erase_if(names, [](const auto &name) {
        return name != "netcdf" && name != "netcdf-split" && name != "pnetcdf";
    });
    return names;
}

/// A stream of an engine, in a format if one is given.
StreamSpec of_kind(StreamSpec spec, const std::string &engine, const std::string &format = "") {
    spec.engine = engine;
    if (!format.empty()) spec.options = {{"format", format}};
    return spec;
}

/// The number that a file gives its kind, in its fourth byte; every part of a directory has the same.
int version_of(const std::string &path) {
    if (!std::filesystem::is_directory(path)) {
        const auto bytes = bytes_of(path);
        return bytes.starts_with("CDF") ? bytes.at(3) : 0;
    }
    std::vector<int> versions;
    for (const auto &entry : std::filesystem::directory_iterator(path))
        if (entry.path().extension() == ".nc") versions.push_back(version_of(entry.path()));
    return std::ranges::adjacent_find(versions, std::not_equal_to()) == versions.end() ? versions.at(0) : -1;
}

std::string refusal(const StreamSpec &spec) {
    return error_of([&] { Layout{spec}; });
}

void expect_words(const std::string &said, const std::string &words) {
    EXPECT_TRUE(said.find(words) != std::string::npos) << said;
}

/// A frame of this many GiB in each of the fields.
StreamSpec of_size(const std::vector<double> &fields, bool per_frame = true) {
    auto spec = stream_of("large", "x");
    for (const auto size : fields) {
        const auto n = std::to_string(spec.fields.size());
        spec.dimensions.push_back({"d" + n, static_cast<std::int64_t>(size * 1024)});
        spec.fields.push_back({"F" + n, Type::f32, {"d" + n, "quarter_MiB"}, {}, per_frame});
    }
    spec.dimensions.push_back({"quarter_MiB", 1 << 18});
    return spec;
}

TEST(ClassicKinds, EachIsWrittenByEachEngineAndReadBackEqual) {
    const std::vector<std::pair<std::string, int>> versions = {
        {"", 2}, {"classic", 2}, {"cdf1", 1}, {"cdf2", 2}, {"cdf5", 5}};
    for (const auto &engine : classic_engines())
        for (const auto &[format, version] : versions) {
            SCOPED_TRACE(engine + " " + format);
            const Scratch dir;
            auto spec = of_kind(weather(dir / "x.nc"), engine, format);
            spec.frames_per_file = 3;
            Session session(MPI_COMM_WORLD);
            auto stream = session.open(spec);
            put_fixed(stream, my_patch(ranks()));
            for (int f = 0; f < 3; ++f) write_frame(stream, my_patch(ranks()), f);
            stream.close();
            EXPECT_EQ(version_of(dir / "x.nc"), version);
            const Reader file(dir / "x.nc");
            ASSERT_EQ(file.frames(), 3);
            for (int f = 0; f < 3; ++f) expect_frame(file, f, f);
            EXPECT_EQ(file.text("TITLE"), "test");
            EXPECT_EQ(file.number("P0"), 1e5);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

/// What `squall recover` does to a file that a run left cut off.
TEST(ClassicKinds, OneThatIsCutOffKeepsTheFramesBefore) {
    for (const auto &engine : classic_engines())
        for (const std::string format : {"cdf1", "cdf2", "cdf5"}) {
            if (engine == "netcdf-split") continue; // a directory
            SCOPED_TRACE(engine + " " + format);
            const Scratch dir;
            const auto path = dir / "x.nc";
            auto spec = of_kind(weather(path), engine, format);
            spec.frames_per_file = 3;
            Session session(MPI_COMM_WORLD);
            auto stream = session.open(spec);
            put_fixed(stream, my_patch(ranks()));
            for (int f = 0; f < 3; ++f) write_frame(stream, my_patch(ranks()), f);
            stream.close();
            if (rank() == 0) {
                std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
                const auto *salvage = salvage_of(path);
                ASSERT_NE(salvage, nullptr);
                EXPECT_EQ(salvage->open(path)->frames, 2);
                salvage->cut(path, 2);
                const Reader file(path);
                ASSERT_EQ(file.frames(), 2);
                for (int f = 0; f < 2; ++f) expect_frame(file, f, f);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST(ClassicKinds, WhereNoneIsNamedTheStreamDecides) {
    for (const auto &engine : classic_engines()) {
        SCOPED_TRACE(engine);
        const auto chosen = [&](StreamSpec spec) {
            return netcdf::kind_of(Layout(of_kind(std::move(spec), engine)));
        };
        EXPECT_EQ(chosen(weather("x")), netcdf::Kind::cdf2);
        EXPECT_EQ(chosen(of_size({3, 3, 3})), netcdf::Kind::cdf2);
        EXPECT_EQ(chosen(of_size({3, 4})), netcdf::Kind::cdf5);
        auto spec = weather("x");
        spec.attributes.push_back({"N", std::vector<std::int64_t>{1}});
        EXPECT_EQ(chosen(spec), netcdf::Kind::cdf5);
        spec = weather("x");
        spec.fields[1].type = Type::i64;
        EXPECT_EQ(chosen(spec), netcdf::Kind::cdf5);
        spec = weather("x");
        spec.fields[2].attributes.push_back({"N", std::vector<std::int64_t>{1}});
        EXPECT_EQ(chosen(spec), netcdf::Kind::cdf5);
        spec.fields[2].attributes.back().name = "missing_value"; // becomes a value of the field's type
        EXPECT_EQ(chosen(spec), netcdf::Kind::cdf2);
        spec = stream_of("long", "x");
        spec.dimensions = {{"n", 2 * GiB}};
        spec.fields = {{"F", Type::i8, {"n"}, {}}};
        EXPECT_EQ(chosen(spec), netcdf::Kind::cdf5);
    }
}

TEST(ClassicKinds, WhatAKindCannotHoldIsRefusedByName) {
    for (const auto &engine : classic_engines()) {
        SCOPED_TRACE(engine);
        const auto refused = [&](const StreamSpec &spec, const std::string &format) {
            return refusal(of_kind(spec, engine, format));
        };
        expect_words(
            refused(of_size({3, 5}), "cdf2"),
            "field F1 has 5.00 GiB in a frame, and cdf2 holds less than 4 GiB; leave format out or set "
            "it to cdf5");
        expect_words(
            refused(of_size({1, 3}), "cdf1"),
            "field F1 has 3.00 GiB in a frame, and cdf1 holds less than 2 GiB; leave format out or set "
            "it to cdf2");
        expect_words(
            refused(of_size({4}, false), "cdf1"),
            "field F0 has 4.00 GiB, and cdf1 holds less than 2 GiB; leave format out or set it to cdf5");
        expect_words(refused(of_size({1.5, 1, 1}), "cdf1"),
                     "field F2 begins behind 2.50 GiB of others and the header, and cdf1 reaches less than 2 "
                     "GiB; leave format out or set it to cdf2");
        EXPECT_EQ(refused(of_size({1, 1.5}), "cdf1"), ""); // the last may end where it likes
        EXPECT_EQ(refused(of_size({3, 3, 3}), "cdf2"), "");
        EXPECT_EQ(refused(of_size({3, 5}), "cdf5"), "");
        EXPECT_EQ(refused(of_size({3, 5}), "classic"), "");
    }
}

TEST(ClassicKinds, ThoseThatLackATypeRefuseItByName) {
    for (const auto &engine : classic_engines())
        for (const std::string format : {"cdf1", "cdf2"}) {
            SCOPED_TRACE(engine + " " + format);
            const auto what = ", which " + format + " does not have; leave format out or set it to cdf5";
            const auto refused = [&](const StreamSpec &spec) {
                return refusal(of_kind(spec, engine, format));
            };
            auto spec = weather("x");
            spec.fields[1].type = Type::u8;
            expect_words(refused(spec), "field STEP is of type u8" + what);
            spec.fields[1].type = Type::i64;
            expect_words(refused(spec), "field STEP is of type i64" + what);
            EXPECT_EQ(refusal(of_kind(spec, engine, "cdf5")), "");
            spec = weather("x");
            spec.attributes.push_back({"N", std::vector<std::int64_t>{1}});
            expect_words(refused(spec), "attribute N is of type i64" + what);
            spec = weather("x");
            spec.fields[2].attributes.push_back({"N", std::vector<std::int64_t>{1}});
            expect_words(refused(spec), "attribute N of field T is of type i64" + what);
            spec = stream_of("long", "x");
            spec.dimensions = {{"n", 2 * GiB}};
            spec.fields = {{"F", Type::i8, {}, {}}};
            expect_words(refused(spec), "dimension n has 2147483648 points, and " + format +
                                            " holds at most 2147483644; leave format out or set it to cdf5");
        }
}

TEST(ClassicKinds, HaveNoCodecs) {
    for (const auto &engine : classic_engines())
        for (const std::string format : {"classic", "cdf1", "cdf2", "cdf5"}) {
            auto spec = of_kind(weather("x"), engine, format);
            spec.codec = "zstd";
            expect_words(refusal(spec),
                         engine == "pnetcdf"
                             ? "no codec \"zstd\""
                             : "format " + format + " has no codec \"zstd\"; set format to netcdf4");
        }
}

TEST(ClassicKinds, AreOfferedByEachEngineThatMakesThem) {
    for (const auto &engine : classic_engines()) {
        const auto said = refusal(of_kind(weather("x"), engine, "cdf3"));
        expect_words(said, "option format is \"cdf3\"");
        EXPECT_EQ(said.find("netcdf4") == said.npos, engine == "pnetcdf") << said;
    }
}

/// A file's own attributes count, as if they were the stream's.
TEST(ClassicKinds, WhatAClientAddsToAFileDecidesItsKind) {
    const std::vector<Attribute> wide = {{"N", std::vector<std::int64_t>{std::int64_t(5) << 32}}};
    for (const auto &engine : classic_engines())
        for (const std::string placement : {"inline", "thread"}) {
            SCOPED_TRACE(engine + " " + placement);
            const Scratch dir;
            auto spec = of_kind(weather(dir / ""), engine);
            spec.placement = placement;
            Session session(MPI_COMM_WORLD);
            auto stream = session.open(spec);
            put_fixed(stream, my_patch(ranks()));
            for (const std::string name : {"wide", "narrow"}) {
                stream.open_file(name, name == "wide" ? wide : std::vector<Attribute>{});
                write_frame(stream, my_patch(ranks()), 3);
                stream.close_file();
            }
            stream.close();
            EXPECT_EQ(version_of(dir / "wide"), 5);
            EXPECT_EQ(version_of(dir / "narrow"), 2);
            const Reader file(dir / "wide");
            expect_frame(file, 0, 3);
            EXPECT_EQ(file.attribute("N").value(), wide[0].value);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST(ClassicKinds, WhatAClientAddsIsRefusedBeforeAFileOfAKindThatLacksIt) {
    const std::vector<Attribute> wide = {{"N", std::vector<std::int64_t>{1}}};
    for (const auto &engine : classic_engines()) {
        SCOPED_TRACE(engine);
        const Scratch dir;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(of_kind(weather(dir / ""), engine, "cdf2"));
        put_fixed(stream, my_patch(ranks()));
        expect_words(
            error_of([&] { stream.open_file("a.nc", wide); }),
            "opening file a.nc: attribute N is of type i64, which cdf2 does not have; leave format out "
            "or set it to cdf5");
        stream.open_file("a.nc", {{"N", std::int32_t(1)}}); // nothing of the other is left
        write_frame(stream, my_patch(ranks()), 1);
        stream.close();
        EXPECT_EQ(version_of(dir / "a.nc"), 2);
        expect_frame(Reader(dir / "a.nc"), 0, 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

} // namespace
} // namespace squall::io::test
