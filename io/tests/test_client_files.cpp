/// Files that the program opens and closes itself, as programs do that have always written a file at a time.

#include "declared.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

StreamSpec in_directory(const Scratch &dir, const std::string &engine = "netcdf",
                        const std::string &placement = "inline") {
    auto spec = weather(dir / "");
    spec.engine = engine;
    spec.placement = placement;
    return spec;
}

Stream open(Session &session, const StreamSpec &spec, const Patch &patch) {
    auto stream = session.open(spec);
    put_fixed(stream, patch);
    return stream;
}

std::string commit(Stream &stream, const Patch &patch, int number, bool wrong = false) {
    return error_of([&] {
        auto frame = stream.begin({3600.0 * number});
        put_frame(frame, patch, number);
        if (wrong) frame.put("nothing", {}, &number);
        frame.commit();
    });
}

bool exists(const std::string &path) { return std::filesystem::exists(path); }

TEST(ClientFiles, HaveTheClientsNamesAndAttributesAndAreThereWhenTheyWereFlushed) {
    for (const auto &engine : storing_engines())
        for (const std::string placement : {"inline", "thread"}) {
            SCOPED_TRACE(engine + " " + placement);
            const Scratch dir;
            const auto patch = my_patch(ranks());
            Session session(MPI_COMM_WORLD);
            auto stream = open(session, in_directory(dir, engine, placement), patch);
            stream.open_file("d01/100%_done",
                             {{"JULDAY", std::int32_t(36)}, {"START_DATE", std::string("a day")}});
            EXPECT_EQ(commit(stream, patch, 0), "");
            EXPECT_EQ(commit(stream, patch, 1), "");
            stream.close_file();
            stream.open_file("restart", {{"JULDAY", std::int32_t(37)}});
            EXPECT_EQ(commit(stream, patch, 1), ""); // the same time, in another file
            stream.flush();
            const Reader first(dir / "d01/100%_done");
            ASSERT_EQ(first.frames(), 2);
            EXPECT_EQ(first.number("JULDAY"), 36);
            EXPECT_EQ(first.text("START_DATE"), "a day");
            for (int f = 0; f < 2; ++f) expect_frame(first, f, f);
            MPI_Barrier(MPI_COMM_WORLD);
            stream.close_file();
            stream.flush();
            const Reader second(dir / "restart");
            EXPECT_EQ(second.number("JULDAY"), 37);
            EXPECT_FALSE(second.attribute("START_DATE"));
            expect_frame(second, 0, 1);
            stream.close();
            const auto report = session.close();
            if (rank() == 0) {
                EXPECT_EQ(report.at(0).frames, 3); // the ends of files are no frames
            }
        }
}

TEST(ClientFiles, AFileThatIsOpenWhenTheStreamIsClosedIsPublished) {
    const Scratch dir;
    const auto patch = my_patch(ranks());
    Session session(MPI_COMM_WORLD);
    auto stream = open(session, in_directory(dir), patch);
    stream.open_file("a.nc");
    EXPECT_EQ(commit(stream, patch, 5), "");
    EXPECT_FALSE(exists(dir / "a.nc"));
    stream.close();
    expect_frame(Reader(dir / "a.nc"), 0, 5);
}

TEST(ClientFiles, AFileWithoutFramesIsNotMade) {
    const Scratch dir;
    const auto patch = my_patch(ranks());
    Session session(MPI_COMM_WORLD);
    auto stream = open(session, in_directory(dir), patch);
    stream.open_file("a.nc");
    stream.close_file();
    stream.flush();
    EXPECT_TRUE(dir.files().empty());
}

TEST(ClientFiles, ALostFrameCostsNoOtherAndALostFileNoOtherFile) {
    for (const auto &engine : storing_engines()) {
        SCOPED_TRACE(engine);
        const Scratch dir;
        const auto patch = my_patch(ranks());
        Session session(MPI_COMM_WORLD);
        auto spec = in_directory(dir, engine);
        spec.on_error = "continue";
        auto stream = open(session, spec, patch);
        testing::internal::CaptureStderr();
        for (const std::string name : {"a", "b", "c"}) {
            stream.open_file(name);
            for (int number = 0; number < 3; ++number)
                EXPECT_EQ(commit(stream, patch, number, (name == "a" && number == 1) || name == "b"), "");
            stream.close_file();
        }
        testing::internal::GetCapturedStderr();
        stream.flush();
        const Reader a(dir / "a");
        ASSERT_EQ(a.frames(), 2);
        expect_frame(a, 0, 0);
        expect_frame(a, 1, 2);
        EXPECT_FALSE(exists(dir / "b"));
        EXPECT_EQ(Reader(dir / "c").frames(), 3);
    }
}

TEST(ClientFiles, WhatIsMadeOfOtherFieldsComesInTheFileOfItsFrame) {
    const Scratch dir;
    const auto patch = my_patch(ranks());
    Session session(MPI_COMM_WORLD);
    auto spec = in_directory(dir);
    Field mean{"MEAN", Type::f32, {"bottom_top"}, {}};
    mean.reduction = Reduction{.of = "T", .method = "mean", .over = {"south_north", "west_east"}};
    spec.fields.push_back(mean);
    auto stream = open(session, spec, patch);
    for (const int number : {0, 1}) {
        stream.open_file(fmt::format("{}.nc", number));
        EXPECT_EQ(commit(stream, patch, number), "");
        stream.close_file();
    }
    stream.flush();
    for (const int number : {0, 1}) {
        const Reader file(dir / fmt::format("{}.nc", number));
        EXPECT_EQ(file.frames(), 1);
        expect_frame(file, 0, number);
        EXPECT_TRUE(file.has("MEAN"));
    }
}

TEST(ClientFiles, WhatIsCalledOutOfOrderIsRefused) {
    const Scratch dir;
    const auto patch = my_patch(ranks());
    Session session(MPI_COMM_WORLD);
    auto stream = open(session, in_directory(dir), patch);
    const auto refused = [&](const std::string &words, auto call) {
        const auto told = error_of(call);
        EXPECT_TRUE(told.find(words) != std::string::npos) << told;
    };
    refused("begin without a file; open one first", [&] { stream.begin({0}); });
    refused("none is open", [&] { stream.close_file(); });
    for (const auto *outside : {"../a.nc", "/a.nc", ""})
        refused("opening file", [&] { stream.open_file(outside); });
    refused("has an attribute TITLE already", [&] {
        stream.open_file("a.nc", {{"TITLE", std::string("b")}});
    });
    refused("attribute N is there twice", [&] { stream.open_file("a.nc", {{"N", 1.0}, {"N", 2.0}}); });
    stream.open_file("a.nc");
    refused("file " + (dir / "a.nc") + " is open; close it first", [&] { stream.open_file("b.nc"); });
    {
        auto frame = stream.begin({0});
        refused("a frame is open", [&] { stream.close_file(); });
        refused("a frame is open", [&] { stream.flush(); });
    }
    stream.close_file();
    auto spec = in_directory(dir, "netcdf", "thread");
    spec.name = "second";
    auto second = session.open(spec);
    put_fixed(second, patch);
    second.open_file("b.nc");
    EXPECT_EQ(commit(second, patch, 0), "");
    second.close_file();
    refused("stream second may still be writing this file", [&] { stream.open_file("b.nc"); });
    second.flush();
    stream.open_file("b.nc");
    stream.close_file();
    spec.name = "third";
    spec.path = dir / "third.nc";
    auto third = session.open(spec);
    refused("end that with '/' to name them yourself", [&] { third.open_file("b.nc"); });
}

} // namespace
} // namespace squall::io::test
