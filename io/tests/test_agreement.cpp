/// Ranks that write themselves, and do not mean the same frame: they are named, and nothing is published of
/// it.

#include <fmt/ranges.h>

#include "agree/rank_group.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

/// A stream that goes on after a lost frame, by ranks that write before or beside their work.
struct Writers {
    explicit Writers(const Scratch &dir, const std::string &placement)
        : session(MPI_COMM_WORLD, {.timeout = unmet}), spec(weather(dir / "%H.nc")) {
        spec.placement = placement;
        spec.on_error = "continue";
    }
    Patch patch() const { return my_patch(ranks()); }

    Session session;
    StreamSpec spec;
};

bool says(const std::string &text, const std::string &part) { return text.find(part) != text.npos; }

class Agreement : public testing::TestWithParam<const char *> {
  protected:
    void SetUp() override {
        if (ranks() < 2) GTEST_SKIP() << "one rank agrees with itself";
    }
};

TEST_P(Agreement, ARankThatBeginsAnotherTimeIsNamed) {
    const Scratch dir;
    Writers io(dir, GetParam());
    testing::internal::CaptureStderr();
    auto stream = io.session.open(io.spec);
    put_fixed(stream, io.patch());
    for (int f = 0; f < 3; ++f) {
        const bool astray = f == 1 && rank() == ranks() - 1;
        auto frame = stream.begin({astray ? 5400.0 : 3600.0 * f});
        put_frame(frame, io.patch(), f);
        frame.commit();
    }
    stream.close();
    const auto said = testing::internal::GetCapturedStderr();
    const auto report = io.session.close();
    if (rank() != 0) return;
    EXPECT_TRUE(says(said, "commits the frame at 5400 s, but rank ")) << said; // whichever is asked first
    EXPECT_TRUE(says(said, " commits the frame at 3600 s")) << said;
    EXPECT_TRUE(says(said, fmt::format("writer rank {}", ranks() - 1)) || ranks() > 2) << said;
    EXPECT_EQ(report.at(0).failed, 1);
    EXPECT_EQ(dir.files(), (std::vector<std::string>{"00.nc", "02.nc"}));
    for (const int f : {0, 2}) expect_frame(Reader(dir / fmt::format("0{}.nc", f)), 0, f);
}

TEST_P(Agreement, ARankThatDeclaresOtherFieldsIsNamedAndNothingIsPublished) {
    const Scratch dir;
    Writers io(dir, GetParam());
    if (rank() == ranks() - 1) io.spec.fields[2].type = Type::f64; // more bytes than the others expect
    testing::internal::CaptureStderr();
    auto stream = io.session.open(io.spec);
    put_fixed(stream, io.patch());
    for (int f = 0; f < 2; ++f) write_frame(stream, io.patch(), f);
    stream.close();
    const auto said = testing::internal::GetCapturedStderr();
    const auto report = io.session.close();
    if (rank() != 0) return;
    EXPECT_TRUE(says(said, "declares the stream differently from rank 0")) << said;
    EXPECT_EQ(report.at(0).failed, 2);
    EXPECT_EQ(dir.files(), std::vector<std::string>{});
}

/// It waited at the end for the others, who had one frame more, and they for it.
TEST_P(Agreement, ARankThatAbandonsAFrameThatOthersCommitIsNamedAndTheStreamIsClosed) {
    for (const int abandoned : {1, 3}) {
        const Scratch dir;
        Writers io(dir, GetParam());
        testing::internal::CaptureStderr();
        auto stream = io.session.open(io.spec);
        put_fixed(stream, io.patch());
        for (int f = 0; f < 4; ++f) {
            auto frame = stream.begin({3600.0 * f});
            put_frame(frame, io.patch(), f);
            if (f == abandoned && rank() == ranks() - 1)
                frame.abandon();
            else
                frame.commit();
        }
        stream.close();
        const auto said = testing::internal::GetCapturedStderr();
        const auto report = io.session.close();
        if (rank() == 0) {
            EXPECT_TRUE(says(said, "a frame was abandoned or committed on some ranks only")) << said;
            EXPECT_EQ(report.at(0).frames, abandoned);
            EXPECT_EQ(report[0].failed, 4 - abandoned);
            const auto files = dir.files();
            EXPECT_EQ(std::ssize(files), abandoned) << fmt::format("{}", fmt::join(files, " "));
            for (int f = 0; f < abandoned; ++f) expect_frame(Reader(dir / fmt::format("0{}.nc", f)), 0, f);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(RankGroup, GathersTextsInPieces) {
    const RankGroup group(MPI_COMM_WORLD, Patience(60, unmet, rank()));
    const auto text_of = [](int writer) {
        return writer == 1 ? std::string()
                           : std::string(static_cast<std::size_t>(100 + 37 * writer),
                                         static_cast<char>('a' + writer));
    };
    for (const std::int64_t at_once : {1, 10, 64, 1 << 20}) {
        const auto all = group.gather_at_first(text_of(rank()), at_once);
        ASSERT_EQ(std::ssize(all), rank() == 0 ? ranks() : 0);
        for (int w = 0; w < std::ssize(all); ++w) EXPECT_EQ(all[static_cast<std::size_t>(w)], text_of(w));
    }
}

INSTANTIATE_TEST_SUITE_P(By, Agreement, testing::Values("inline", "thread"),
                         [](const auto &test) { return std::string(test.param); });

} // namespace
} // namespace squall::io::test
