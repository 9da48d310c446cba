/// Tests with a wrfinput file of their own.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "fake_wrfinput.hpp"
#include "initial/initial.hpp"

namespace squall::testing_support {

class InputFileTest : public testing::Test {
  protected:
    std::string path() const {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        return testing::TempDir() + "wrfinput_" + test->name();
    }
    void TearDown() override { std::filesystem::remove(path()); }

    static Config config_for(const std::string &file) {
        Config c;
        c.initial.file = file;
        c.dynamics.coriolis = "file";
        return c;
    }
    InitialState read(const FakeInput &input, const Patch &patch) const {
        return make_initial_state(config_for(input.write(path())), patch);
    }
    InitialState read(const FakeInput &input) const { return read(input, whole()); }
    static Patch whole() { return make_patch(0, 1, 1, 6, 5, 4, {}); }

    /// What reading the file says.
    std::string complaint(const FakeInput &input) const { return complaint_about(input.write(path())); }
    static std::string complaint_about(const std::string &file) {
        try {
            inspect_wrfinput(file);
            read_wrfinput(config_for(file), whole());
        } catch (const std::runtime_error &e) {
            EXPECT_EQ(std::string(e.what()).rfind(file, 0), 0) << "does not begin with the file's name";
            return e.what();
        }
        return "";
    }
};

} // namespace squall::testing_support
