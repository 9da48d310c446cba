/// How what was stored takes its place among what is published.

#include <atomic>
#include <thread>

#include <sys/stat.h>

#include "publish/burst_copier.hpp"
#include "publish/file_names.hpp"
#include "publish/publish.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;

/// A directory of one file with these words.
void make_store(const std::string &path, const std::string &words) {
    fs::create_directories(path);
    std::ofstream(path + "/words") << words;
}

/// In a directory of many users anybody may have put one there.
TEST(Publish, ACopyIsNotWrittenThroughALink) {
    const Scratch dir;
    std::ofstream(dir / "precious") << "precious";
    std::ofstream(dir / "held") << "frames";
    fs::create_symlink(dir / "precious", dir / "out.part");
    copy_verified(dir / "held", dir / "out.part");
    EXPECT_EQ(bytes_of(dir / "precious"), "precious");
    EXPECT_EQ(bytes_of(dir / "out.part"), "frames");
    EXPECT_FALSE(fs::is_symlink(dir / "out.part"));
}

TEST(Publish, ADirectoryTakesThePlaceOfAnotherWithoutAMomentInWhichNeitherIsThere) {
    const Scratch dir;
    const auto store = dir / "store";
    make_store(store, "0");
    std::atomic<bool> going = true;
    std::atomic<int> looks = 0, absent = 0;
    std::thread reader([&] {
        while (going) {
            struct stat seen {};
            if (::stat(store.c_str(), &seen) != 0) ++absent;
            ++looks;
        }
    });
    for (int n = 1; n <= 300 || (looks < 300 && n < 100'000); ++n) {
        make_store(part_name(store), std::to_string(n));
        publish(store);
        ASSERT_EQ(bytes_of(store + "/words"), std::to_string(n));
    }
    going = false;
    reader.join();
    EXPECT_EQ(absent, 0) << "in " << looks << " looks";
    EXPECT_EQ(dir.files(), (std::vector<std::string>{"store"}));
}

TEST(Publish, WhatAnEarlierRunLeftAsOldIsNotInTheWayAndStays) {
    const Scratch dir;
    const auto store = dir / "store";
    make_store(store, "old");
    make_store(part_name(store), "new");
    make_store(store + ".old", "somebody's");
    std::ofstream(store + ".old.2") << "a file";
    publish(store);
    EXPECT_EQ(bytes_of(store + "/words"), "new");
    EXPECT_EQ(bytes_of(store + ".old/words"), "somebody's");
    EXPECT_EQ(bytes_of(store + ".old.2"), "a file");
    EXPECT_FALSE(fs::exists(part_name(store)));
}

TEST(Publish, AFileTakesThePlaceOfADirectoryAndTheOtherWayRound) {
    const Scratch dir;
    const auto name = dir / "name";
    make_store(name, "a directory");
    std::ofstream(part_name(name)) << "a file";
    publish(name);
    EXPECT_EQ(bytes_of(name), "a file");
    make_store(part_name(name), "a directory");
    publish(name);
    EXPECT_EQ(bytes_of(name + "/words"), "a directory");
    EXPECT_EQ(dir.files(), (std::vector<std::string>{"name"}));
}

TEST(Publish, WithoutAPartFileWhatIsThereStays) {
    const Scratch dir;
    make_store(dir / "store", "old");
    EXPECT_THROW(publish(dir / "store"), Error);
    EXPECT_EQ(bytes_of(dir / "store/words"), "old");
}

Time at(int hour) { return {3600.0 * hour}; }

TEST(FileNames, AreThoseOfFirstFramesWhateverBecomesOfThem) {
    FileNames names("%Y-%m-%d_%H.nc");
    names.see(0, at(0));
    names.see(0, at(1)); // the first was lost, perhaps
    EXPECT_EQ(names.name(), "2000-01-01_00.nc");
    names.see(1, at(2));
    EXPECT_EQ(names.name(), "2000-01-01_02.nc");
}

TEST(FileNames, AreGivenOnceButToAFileThatHoldsNothing) {
    FileNames names("%Y.nc");
    names.see(0, at(0));
    EXPECT_EQ(names.fault(), "");
    names.take(names.name(), 0);
    names.see(0, at(1));
    EXPECT_EQ(names.fault(), "");
    names.see(1, at(2));
    EXPECT_NE(names.fault(), "");
    names.give_back("2000.nc");
    EXPECT_EQ(names.fault(), "");
}

TEST(FileNames, OfWhatIsSetApartHaveTheTimeOfTheirFirstFrameOnce) {
    for (const std::string given : {"", "2000.nc"}) {
        FileNames names("%Y.nc");
        names.see(0, at(0), given);
        names.end_early(0);
        for (const int hour : {1, 2}) { // the second goes with the first
            names.see(0, at(hour), given);
            EXPECT_EQ(names.name(), "2000_2000-01-01_01-00-00.nc");
        }
        names.set_apart(at(3)); // as a successor does until a frame is stored
        EXPECT_EQ(names.name(), "2000_2000-01-01_03-00-00.nc");
    }
    FileNames precise("%H-%M-%S.nc");
    precise.see(0, at(0));
    precise.set_apart(at(1));
    EXPECT_EQ(precise.name(), "01-00-00.nc");
}

TEST(FileNames, OfAFileThatEndedEarlySayNothingOfTheNextOne) {
    FileNames names("%H.nc");
    names.see(0, at(0));
    names.see(1, at(1)); // fails before it is begun, and ends the one before
    names.end_early(0);
    names.see(1, at(2));
    EXPECT_EQ(names.name(), "01.nc");
}

} // namespace
} // namespace squall::io::test
