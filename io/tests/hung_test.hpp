/// Of a test that hangs: who waits where.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace squall::test {

/// Watches each test. Of one that does not end, standard error is told what each thread of this rank is in
/// (functions by name that the program exports, others by address), and the job ends.
class HungTest : public testing::EmptyTestEventListener {
  public:
    explicit HungTest(int rank);
    ~HungTest() override;
    HungTest(const HungTest &) = delete;
    HungTest &operator=(const HungTest &) = delete;

    /// What is to end soon from now on, in place of what was before. "": nothing.
    void expect(std::string what);

  private:
    void OnTestStart(const testing::TestInfo &test) override {
        expect(std::string(test.test_suite_name()) + "." + test.name());
    }
    void OnTestEnd(const testing::TestInfo &) override { expect(""); }
    void watch();
    void tell() const;

    int rank_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string what_;
    bool news_ = false, stop_ = false;
    std::thread thread_;
};

} // namespace squall::test
