#include <gtest/gtest.h>

#include "run/output_summary.hpp"

namespace squall {
namespace {

io::StreamReport history() {
    io::StreamReport r;
    r.name = "history";
    r.frames = 21;
    r.bytes = 84000000;
    r.stored_bytes = 21000000;
    r.perceived_median = 0.0123;
    r.perceived_largest = 0.3;
    r.perceived_total = 0.5;
    r.drain_median = 1.5;
    return r;
}

TEST(OutputSummary, IsOneAlignedLinePerStream) {
    auto restart = history();
    restart.name = "restart";
    restart.frames = 2;
    EXPECT_EQ(format_output_summary({history(), restart}, 100, 0),
              "output   frames    bytes  on disk  ratio  per frame  longest  of the run   drain\n"
              "history      21  84.0 MB  21.0 MB   4.00    12.3 ms   0.30 s       0.5 %  1.50 s\n"
              "restart       2  84.0 MB  21.0 MB   4.00    12.3 ms   0.30 s       0.5 %  1.50 s\n");
    EXPECT_EQ(format_output_summary({}, 100, 0), "");
}

TEST(OutputSummary, LossesAndWaitsAreSaid) {
    auto r = history();
    r.failed = 1;
    r.skipped = 2;
    r.waits = 3;
    r.waited = 4;
    r.staging_peak = 64000000;
    const auto text = format_output_summary({r}, 100, 2.5);
    for (const char *part :
         {"history: 1 frame(s) LOST", "history: 2 frame(s) SKIPPED",
          "history: waited 4.00 s for staging memory, of which at most 64.0 MB were in use",
          "output finished 2.50 s after the last step"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

} // namespace
} // namespace squall
