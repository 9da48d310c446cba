/// Whatever fails, wherever: all ranks learn the same, nobody hangs, earlier frames stay whole.

#include <gtest/gtest.h>

#include "declared.hpp"
#include "full_disk.hpp"
#include "placements/tally.hpp"
#include "support.hpp"

namespace squall::io::test {

class Failure : public testing::Test {
  protected:
    Scratch dir;
    Session session{MPI_COMM_WORLD};
    Patch patch = my_patch(ranks());

    Stream open(StreamSpec spec) {
        auto stream = session.open(std::move(spec));
        put_fixed(stream, patch);
        return stream;
    }

    /// Commits a frame after `put`, and returns what all ranks were told.
    template <class F> std::string commit(Stream &stream, int number, F put) {
        auto frame = stream.begin({3600.0 * number});
        put(frame);
        const auto text = error_of([&] { frame.commit(); });
        EXPECT_TRUE(same_everywhere(text)) << text;
        return text;
    }
    std::string commit(Stream &stream, int number) {
        return commit(stream, number, [&](Frame &frame) { put_frame(frame, patch, number); });
    }
};

bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

TEST_F(Failure, AHoleIsAnErrorAndNotFillValues) {
    auto stream = open(weather(dir / "%H.nc"));
    const auto text = commit(stream, 0, [&](Frame &frame) {
        if (rank() != ranks() - 1) put_frame(frame, patch, 0); // the last rank forgets
    });
    EXPECT_TRUE(contains(text, "stream history, frame 2000-01-01_00:00:00: field ")) << text;
    EXPECT_TRUE(contains(text, ranks() == 1 ? "no rank put it" : "points were not put, the first at [0, "))
        << text;
    EXPECT_TRUE(dir.files().empty());
    EXPECT_EQ(commit(stream, 1), ""); // the stream goes on
    expect_frame(Reader(dir / "01.nc"), 0, 1);
}

TEST_F(Failure, OverlapOutsideUnknownAndMistypedPutsAreReportedByCommit) {
    auto stream = open(weather(dir / "%H.nc"));
    const std::vector<float> t(nz * ny * nx);
    const auto after = [&](auto put) {
        return commit(stream, 0, [&](Frame &frame) {
            put_frame(frame, patch, 0);
            if (rank() == ranks() - 1) put(frame);
        });
    };
    const auto overlap = after([&](Frame &f) { f.put("T", {{0, ny - 1, 0}, {1, 1, 1}}, t.data()); });
    EXPECT_TRUE(contains(overlap, "field T: boxes ") && contains(overlap, "overlap")) << overlap;
    const auto outside = after([&](Frame &f) { f.put("T", {{0, ny - 1, 0}, {1, 2, 1}}, t.data()); });
    EXPECT_TRUE(contains(outside,
                         fmt::format("rank {}: field T: box [0:1, 10:12, 0:1] reaches outside", ranks() - 1)))
        << outside;
    const auto unknown = after([&](Frame &f) { f.put("Q", {{0}, {1}}, t.data()); });
    EXPECT_TRUE(contains(unknown, "field Q: the stream does not declare it")) << unknown;
    const auto mistyped = after([&](Frame &f) { f.put("STEP", {}, t.data()); });
    EXPECT_TRUE(contains(mistyped, "field STEP: it is i32 and cannot take f32")) << mistyped;
    const auto fixed = after([&](Frame &f) { f.put("HGT", {{0, 0}, {1, 1}}, t.data()); });
    EXPECT_TRUE(contains(fixed, "field HGT: it is fixed in time; put it with Stream::put")) << fixed;
    EXPECT_TRUE(dir.files().empty());
}

TEST_F(Failure, AForgottenFixedFieldIsReported) {
    auto stream = session.open(weather(dir / "%H.nc"));
    EXPECT_TRUE(contains(commit(stream, 0), "field HGT: no rank put it"));
}

TEST_F(Failure, AnExistingFileIsKeptUnlessReplacingIsAllowed) {
    if (rank() == 0) std::ofstream(dir / "00.nc") << "precious";
    MPI_Barrier(MPI_COMM_WORLD);
    auto spec = weather(dir / "%H.nc");
    {
        auto stream = open(spec);
        EXPECT_TRUE(contains(commit(stream, 0), "00.nc: the file exists"));
        EXPECT_EQ(bytes_of(dir / "00.nc"), "precious");
    }
    spec.name = "another";
    spec.path = dir / "./%H.nc";
    spec.replace = true;
    auto stream = open(spec);
    EXPECT_EQ(commit(stream, 0), "");
    expect_frame(Reader(dir / "00.nc"), 0, 0);
    EXPECT_TRUE(
        contains(commit(stream, 0), "already written a file of this name")); // not even when replacing
}

TEST_F(Failure, ADirectoryThatCannotBeMadeIsReported) {
    if (rank() == 0) std::ofstream(dir / "file") << "not a directory";
    MPI_Barrier(MPI_COMM_WORLD);
    auto stream = open(weather(dir / "file/%H.nc"));
    const auto text = commit(stream, 0);
    EXPECT_TRUE(contains(text, "file/00.nc.part: ") && contains(text, "Not a directory")) << text;
}

TEST_F(Failure, ADirectoryThatCannotBeWrittenIsReported) {
    auto stream = open(weather("/proc/%H.nc")); // not even root can
    const auto text = commit(stream, 0);
    EXPECT_TRUE(contains(text, "/proc/00.nc.part: creating the file: ")) << text;
}

TEST_F(Failure, AFullDiskIsReportedAndEarlierFilesStay) {
    auto stream = open(weather(dir / "%H.nc"));
    EXPECT_EQ(commit(stream, 0), "");
    for (const rlim_t bytes : {0, 100, 2000, 4096}) { // in the header, in the fixed field, in T
        const FileSizeLimit limit(bytes);
        const auto text = commit(stream, 1);
        EXPECT_TRUE(contains(text, "01.nc.part: ") && contains(text, "File too large")) << text;
        MPI_Barrier(MPI_COMM_WORLD);
        EXPECT_EQ(dir.files(), std::vector<std::string>{"00.nc"});
    }
    EXPECT_EQ(commit(stream, 1), ""); // room again
    expect_frame(Reader(dir / "00.nc"), 0, 0);
    expect_frame(Reader(dir / "01.nc"), 0, 1);
}

TEST_F(Failure, AFullDiskKeepsTheEarlierFramesOfTheSameFile) {
    auto spec = weather(dir / "%H.nc");
    spec.frames_per_file = 10;
    auto stream = open(spec);
    EXPECT_EQ(commit(stream, 0), "");
    EXPECT_EQ(commit(stream, 1), "");
    {
        const FileSizeLimit limit(std::filesystem::file_size(dir / "00.nc.part") + 1000);
        EXPECT_TRUE(contains(commit(stream, 2), "File too large"));
    }
    const Reader file(dir / "00.nc"); // published early, with what is whole
    EXPECT_EQ(file.frames(), 2);
    expect_frame(file, 0, 0);
    expect_frame(file, 1, 1);
    EXPECT_EQ(commit(stream, 3), ""); // room again
    stream.close();
    expect_frame(Reader(dir / "03_2000-01-01_03-00-00.nc"), 0, 3);
}

TEST_F(Failure, AFrameThatIsLostCostsNoOtherOfItsFile) {
    for (const auto &engine : storing_engines())
        for (const int failing : {0, 2, 5}) // the first, one between, the last of the file
            for (const std::string policy : {"abort", "continue"}) {
                SCOPED_TRACE(fmt::format("{} {} {}", engine, failing, policy));
                const Scratch place;
                auto spec = weather(place / "%Y-%m-%d"); // every frame has the same name
                spec.engine = engine;
                spec.frames_per_file = 6;
                spec.on_error = policy;
                auto stream = open(spec);
                testing::internal::CaptureStderr();
                for (int number = 0; number < 6; ++number) {
                    const auto told = commit(stream, number, [&](Frame &frame) {
                        put_frame(frame, patch, number);
                        if (number == failing && rank() == ranks() - 1) frame.put("nothing", {}, &number);
                    });
                    EXPECT_EQ(told.empty(), policy == "continue" || number != failing) << told;
                }
                stream.close();
                testing::internal::GetCapturedStderr();
                std::vector<int> there;
                for (const auto &name : place.files()) {
                    const Reader file(place / name);
                    for (int f = 0; f < file.frames(); ++f) {
                        const int number = static_cast<int>(there.size());
                        there.push_back(number < failing ? number : number + 1);
                        expect_frame(file, f, there.back());
                    }
                }
                EXPECT_EQ(there.size(), 5u);
                if (policy == "continue") {
                    EXPECT_EQ(place.files(), std::vector<std::string>{"2000-01-01"});
                }
            }
}

TEST_F(Failure, AFileThatWouldBearTheNameOfAnEarlierOneIsRefusedBeforeAnythingIsWritten) {
    auto spec = weather(dir / "%Y-%m-%d.nc");
    spec.frames_per_file = 2;
    spec.replace = true; // not even then
    auto stream = open(spec);
    EXPECT_EQ(commit(stream, 0), "");
    EXPECT_EQ(commit(stream, 1), "");
    for (const int number : {2, 3})
        EXPECT_TRUE(contains(commit(stream, number),
                             "2000-01-01.nc: this stream has already written a file of "
                             "this name"));
    EXPECT_EQ(commit(stream, 24), "");
    EXPECT_EQ(dir.files(), (std::vector<std::string>{"2000-01-01.nc", "2000-01-02.nc.part"}));
    EXPECT_EQ(Reader(dir / "2000-01-01.nc").frames(), 2);
}

TEST_F(Failure, TwoStreamsNeverWriteOneFile) {
    auto spec = weather(dir / "%Y-%m-%d_%H.nc");
    auto stream = open(spec);
    spec.name = "second";
    spec.path = dir / "2000-01-01_%H.nc";
    spec.replace = true;
    auto second = open(spec);
    EXPECT_EQ(commit(stream, 0), "");
    EXPECT_TRUE(contains(commit(second, 0), "2000-01-01_00.nc: stream history writes a file of this name"));
    expect_frame(Reader(dir / "2000-01-01_00.nc"), 0, 0);
}

TEST(Tally, TellsOfEveryFailureOnce) {
    Tally tally("abort", false);
    const auto told = [&] { return error_of([&] { tally.throw_if_failed(); }); };
    const auto fails = [&](std::int64_t frame, const std::string &fault) {
        Outcome outcome;
        outcome.number = frame;
        outcome.fault = fault;
        tally.done(outcome);
    };
    fails(1, "frame 1 is lost");
    fails(2, "");
    fails(3, "frame 3 is lost");
    EXPECT_EQ(told(), "frame 1 is lost\nframe 3 is lost");
    EXPECT_EQ(told(), "");
    fails(4, "frame 4 is lost");
    EXPECT_EQ(told(), "frame 4 is lost");
}

} // namespace squall::io::test
