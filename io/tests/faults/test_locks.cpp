/// File systems without locks: a run goes on and says so, a recovery takes nothing that a run may be writing.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trial.hpp"

namespace squall::faults {
namespace {

constexpr const char *causes[] = {"ENOLCK", "ENOSYS", "EOPNOTSUPP", "EINVAL"};

std::string no_locks(const std::string &cause) { return "call=lock do=fail times=* errno=" + cause; }

/// What `squall recover` says of a trial, and how it ends.
Ended recover(const Trial &trial, const std::string &faults, const std::vector<std::string> &options) {
    std::vector<std::string> words{SQUALL_IO, "recover"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(trial.place() + "/data/out");
    return run(words, {{"LD_PRELOAD", FAULTS_SHIM},
                       {"SQUALL_FAULTS", faults},
                       {"SQUALL_FAULTS_BELOW", trial.place() + "/data"}});
}

bool has_part(const Trial &trial) {
    return std::ranges::any_of(trial.files(), [](const auto &f) { return f.ends_with(".part"); });
}

TEST(NoLocks, AreNoReasonForARunToEndAndItSaysSo) {
    Trial trial("no_locks");
    trial.go(1, no_locks("ENOLCK"), {{"engine", "netcdf"}});
    EXPECT_EQ(trial.ended.code, 0) << trial.ended.said;
    EXPECT_EQ(trial.visible().size(), 6u);
    const auto at = trial.ended.said.find("cannot be locked (No locks available)");
    ASSERT_NE(at, std::string::npos) << trial.ended.said;
    EXPECT_EQ(trial.ended.said.find("cannot be locked", at + 1), std::string::npos) << trial.ended.said;
}

TEST(NoLocks, LeaveToTheUserWhetherARunIsStillWriting) {
    for (const std::string cause : causes) {
        SCOPED_TRACE(cause);
        Trial trial("recover_" + cause);
        trial.go(1, "call=rename path=out/*-02.nc do=kill", {{"engine", "netcdf"}});
        ASSERT_TRUE(has_part(trial)) << trial.ended.said;
        const auto refused = recover(trial, no_locks(cause), {});
        EXPECT_EQ(refused.code, 2) << refused.said;
        EXPECT_NE(refused.said.find("recover again with --no-locks"), std::string::npos) << refused.said;
        EXPECT_TRUE(has_part(trial));
        const auto done = recover(trial, no_locks(cause), {"--no-locks"});
        EXPECT_EQ(done.code, 0) << done.said;
        EXPECT_EQ(trial.visible(), (std::vector<int>{0, 1, 2})) << done.said;
    }
}

} // namespace
} // namespace squall::faults
