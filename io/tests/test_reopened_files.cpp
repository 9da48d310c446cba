/// Files that the program opens again under a name that it has closed: to append to them, or to replace them.

#include "declared.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

/// "netcdf", "netcdf4", "zarr" and "zarr4", whose shards have four frames; as far as they are in the build.
std::vector<std::string> growing_formats() {
    std::vector<std::string> formats{"netcdf", "netcdf4"};
    const auto built = storing_engines();
    if (std::ranges::find(built, "zarr") != built.end()) formats.insert(formats.end(), {"zarr", "zarr4"});
    return formats;
}

StreamSpec spec_of(const Scratch &dir, const std::string &format, const std::string &placement) {
    auto spec = weather(dir / "");
    spec.engine = format.starts_with("zarr") ? "zarr" : "netcdf";
    if (format == "netcdf4") spec.options = {{"format", "netcdf4"}};
    if (format == "zarr4") spec.options = {{"frames_per_shard", "4"}};
    spec.frames_per_file = 0;
    spec.placement = placement;
    return spec;
}

Stream open(Session &session, const StreamSpec &spec) {
    auto stream = session.open(spec);
    put_fixed(stream, my_patch(ranks()));
    return stream;
}

template <class F> void in_all_ways(const std::vector<std::string> &formats, F f) {
    for (const auto &format : formats)
        for (const std::string placement : {"inline", "thread"}) {
            SCOPED_TRACE(format + " " + placement);
            const Scratch dir;
            f(dir, format, placement);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

TEST(ReopenedFiles, GoOnBehindTheFramesThatTheyHave) {
    in_all_ways(growing_formats(), [](const Scratch &dir, const auto &format, const auto &placement) {
        Session session(MPI_COMM_WORLD);
        auto stream = open(session, spec_of(dir, format, placement));
        for (int n = 0; n < 3; ++n) { // nobody waits between
            stream.open_file("a", {{"JULDAY", std::int32_t(n)}});
            write_frame(stream, my_patch(ranks()), 2 * n);
            write_frame(stream, my_patch(ranks()), 2 * n + 1);
            stream.close_file();
            stream.open_file("b");
            write_frame(stream, my_patch(ranks()), n);
            stream.close_file();
        }
        stream.close();
        const Reader a(dir / "a"), b(dir / "b");
        ASSERT_EQ(a.frames(), 6);
        for (int f = 0; f < 6; ++f) expect_frame(a, f, f);
        EXPECT_EQ(a.number("JULDAY"), 2);
        ASSERT_EQ(b.frames(), 3);
        EXPECT_FALSE(b.attribute("JULDAY"));
    });
}

TEST(ReopenedFiles, KeepAttributesThatAreNotGivenAgain) {
    in_all_ways(growing_formats(), [](const Scratch &dir, const auto &format, const auto &placement) {
        Session session(MPI_COMM_WORLD);
        auto stream = open(session, spec_of(dir, format, placement));
        stream.open_file("a", {{"START_DATE", std::string("a day")}});
        write_frame(stream, my_patch(ranks()), 0);
        stream.close_file();
        stream.open_file("a", {{"JULDAY", std::int32_t(7)}});
        write_frame(stream, my_patch(ranks()), 1);
        stream.close();
        const Reader file(dir / "a");
        EXPECT_EQ(file.text("START_DATE"), "a day");
        EXPECT_EQ(file.number("JULDAY"), 7);
        EXPECT_EQ(file.text("TITLE"), "test");
    });
}

/// The stream of the first opening is closed, and one with more fields goes on in its file.
TEST(ReopenedFiles, GainFieldsThatTheDeclarationHasGained) {
    in_all_ways(growing_formats(), [](const Scratch &dir, const auto &format, const auto &placement) {
        const auto patch = my_patch(ranks());
        const Box rows{{patch.j0, 0}, {patch.j1 - patch.j0, nx}};
        const std::vector<float> rain(static_cast<std::size_t>(rows.count[0] * nx), 3.5f);
        Session session(MPI_COMM_WORLD);
        auto spec = spec_of(dir, format, placement);
        int number = 0;
        for (int run = 0; run < 3; ++run) {
            if (run == 1) {
                spec.dimensions.push_back({"soil", 2});
                spec.fields.push_back({"RAIN", Type::f32, {"south_north", "west_east"}, {{"units", "mm"}}});
                spec.fields.push_back({"COUNT", Type::i32, {}, {}});
                spec.fields.push_back({"WORDS", Type::character, {"DateStrLen"}, {}});
                spec.fields.push_back({"DEPTH", Type::f64, {"soil"}, {{"units", "m"}}, false});
            }
            auto stream = open(session, spec);
            if (run > 0 && rank() == 0) stream.put("DEPTH", {{0}, {2}}, std::vector{0.1, 0.4}.data());
            stream.open_file("a");
            for (int f = 0; f < 3; ++f, ++number) {
                auto frame = stream.begin({3600.0 * number});
                put_frame(frame, patch, number);
                if (run > 0) frame.put("RAIN", rows, rain.data());
                if (run > 0 && rank() == 0) {
                    frame.put("COUNT", {}, &number);
                    frame.put("WORDS", {{0}, {5}}, "a day");
                    frame.put("WORDS", {{5}, {14}}, "              ");
                }
                frame.commit();
            }
            stream.close_file();
            stream.close();
        }
        const Reader file(dir / "a");
        ASSERT_EQ(file.frames(), 9);
        for (int f = 0; f < 9; ++f) {
            expect_frame(file, f, f);
            std::vector<double> all(ny * nx);
            file.read("RAIN", f, {{0, 0}, {ny, nx}}, all.data());
            const double expected = f < 3 ? 9.9692099683868690e+36 : 3.5;
            EXPECT_EQ(std::ranges::count(all, expected), ny * nx) << f;
            std::int32_t count = 0;
            file.read("COUNT", f, {}, &count);
            EXPECT_EQ(count, f < 3 ? -2147483647 : f);
            EXPECT_EQ(file.texts("WORDS", f).at(0), f < 3 ? "" : "a day");
        }
        // As readers of files expect it, that do not know what netCDF's default is.
        const auto &attributes = file.field("RAIN").attributes;
        EXPECT_EQ(std::ranges::count(attributes, "_FillValue", &Attribute::name), 1);
        double depth = 0;
        file.read("DEPTH", 0, {{1}, {1}}, &depth);
        EXPECT_EQ(depth, 0.4);
    });
}

TEST(ReopenedFiles, AreRefusedWhereTheFieldsChangedOrTheEngineCannotAppend) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto spec = spec_of(dir, "netcdf", "inline");
    auto stream = open(session, spec);
    stream.open_file("a");
    write_frame(stream, my_patch(ranks()), 0);
    stream.close();
    spec.fields[1].type = Type::f32;
    auto other = open(session, spec);
    other.open_file("a");
    const auto said = error_of([&] { write_frame(other, my_patch(ranks()), 1); });
    EXPECT_NE(said.find("cannot append: its field STEP is i32, not f32"), said.npos) << said;
    EXPECT_EQ(error_of([&] { other.close(); }), "");
    expect_frame(Reader(dir / "a"), 0, 0);
    spec = weather(dir / "");
    spec.engine = "netcdf-split";
    auto split = open(session, spec);
    split.open_file("s");
    write_frame(split, my_patch(ranks()), 0);
    split.close_file();
    const auto refused = error_of([&] { split.open_file("s"); });
    EXPECT_NE(refused.find("engine netcdf-split cannot append to it; open it to replace it"), refused.npos)
        << refused;
    split.open_file("s", {}, Existing::replace);
    write_frame(split, my_patch(ranks()), 1);
    split.close();
    expect_frame(Reader(dir / "s"), 0, 1);
}

TEST(ReopenedFiles, ReplaceTheFileAsAWholeWhenTheyAreClosed) {
    in_all_ways(storing_engines(), [](const Scratch &dir, const auto &engine, const auto &placement) {
        Session session(MPI_COMM_WORLD);
        auto spec = spec_of(dir, "netcdf", placement);
        spec.engine = engine;
        auto stream = open(session, spec);
        for (int n = 0; n < 4; ++n) {
            stream.open_file("restart", {{"JULDAY", std::int32_t(n)}}, Existing::replace);
            for (int f = 0; f < 3 - n % 2; ++f) write_frame(stream, my_patch(ranks()), 10 * n + f);
            stream.flush();
            if (n > 0) {
                const Reader old(dir / "restart");
                EXPECT_EQ(old.frames(), 3 - (n - 1) % 2);
                EXPECT_EQ(old.number("JULDAY"), n - 1);
                expect_frame(old, 1, 10 * (n - 1) + 1);
            }
            MPI_Barrier(MPI_COMM_WORLD);
            stream.close_file();
            stream.flush();
            const Reader now(dir / "restart");
            ASSERT_EQ(now.frames(), 3 - n % 2);
            EXPECT_EQ(now.number("JULDAY"), n);
            for (int f = 0; f < 3 - n % 2; ++f) expect_frame(now, f, 10 * n + f);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        stream.close();
        EXPECT_EQ(dir.files(), std::vector<std::string>{"restart"});
    });
}

TEST(ReopenedFiles, ThatLoseAFrameLeaveTheFileThatTheyWereToReplace) {
    for (const auto &engine : storing_engines()) {
        SCOPED_TRACE(engine);
        const Scratch dir;
        Session session(MPI_COMM_WORLD);
        auto spec = spec_of(dir, "netcdf", "inline");
        spec.engine = engine;
        auto stream = open(session, spec);
        for (const bool wrong : {false, true}) {
            stream.open_file("restart", {}, Existing::replace);
            write_frame(stream, my_patch(ranks()), wrong);
            const auto said = error_of([&] {
                auto frame = stream.begin({7200});
                put_frame(frame, my_patch(ranks()), 2);
                if (wrong) frame.put("nothing", {}, &wrong, Type::i8, {});
                frame.commit();
            });
            EXPECT_EQ(said.find("restart.part") != said.npos, wrong) << said;
            EXPECT_EQ(error_of([&] { stream.close_file(); }), "");
            stream.flush();
            const Reader file(dir / "restart");
            EXPECT_EQ(file.frames(), 2);
            expect_frame(file, 0, 0);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        stream.close();
    }
}

TEST(ReopenedFiles, MayReplaceTheFileOfAnEarlierRun) {
    const Scratch dir;
    for (int run = 0; run < 2; ++run) {
        Session session(MPI_COMM_WORLD);
        auto stream = open(session, spec_of(dir, "netcdf", "inline"));
        stream.open_file("restart", {}, Existing::replace);
        write_frame(stream, my_patch(ranks()), run);
        stream.close();
        expect_frame(Reader(dir / "restart"), 0, run);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/// What the client is told exists already is not its own.
TEST(ReopenedFiles, DoNotGoOnInAFileOfAnEarlierRunUnasked) {
    const Scratch dir;
    for (int run = 0; run < 2; ++run) {
        Session session(MPI_COMM_WORLD);
        auto stream = open(session, spec_of(dir, "netcdf", "inline"));
        for (int opening = 0; opening < 2; ++opening) {
            stream.open_file("a");
            const auto said = error_of([&] { write_frame(stream, my_patch(ranks()), opening); });
            EXPECT_EQ(said.find("the file exists") != said.npos, run == 1) << said;
            stream.close_file();
        }
        stream.close();
        EXPECT_EQ(Reader(dir / "a").frames(), 2);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(ReopenedFiles, ManifestSaysWhatEachHas) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = open(session, spec_of(dir, "netcdf", "inline"));
    for (const auto existing : {Existing::append, Existing::append, Existing::replace}) {
        stream.open_file("a", {}, existing);
        write_frame(stream, my_patch(ranks()), 0);
        stream.close_file();
    }
    stream.close();
    const auto manifest = bytes_of(dir / "history.manifest.jsonl");
    std::vector<std::string> stored;
    for (std::size_t at = 0; (at = manifest.find("\"stored\"", at)) != manifest.npos; ++at) {
        const auto frame = manifest.find("\"frame\":", at);
        stored.push_back(manifest.substr(frame + 8, 1));
    }
    EXPECT_EQ(stored, (std::vector<std::string>{"0", "1", "0"}));
}

} // namespace
} // namespace squall::io::test
