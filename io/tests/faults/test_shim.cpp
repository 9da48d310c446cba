/// The shim does what it is told and nothing else: what it proves about others rests on that.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "programs.hpp"
#include "shim/rules.hpp"

namespace squall::faults {
namespace {

namespace fs = std::filesystem;

class Shim : public testing::Test {
  protected:
    void SetUp() override {
        directory = fs::temp_directory_path() / ("squall_shim_" + std::to_string(getpid()));
        fs::create_directories(directory / "here");
        environment = {{"LD_PRELOAD", FAULTS_SHIM}, {"SQUALL_FAULTS_BELOW", directory / "here"}};
    }
    void TearDown() override { fs::remove_all(directory); }

    std::string probe(const std::string &faults, const std::string &words) {
        environment["SQUALL_FAULTS"] = faults;
        std::istringstream in(words);
        std::vector<std::string> all{FAULTS_PROBE};
        for (std::string w; in >> w;) all.push_back(w.starts_with("/") ? directory.string() + w : w);
        const auto ended = run(all, environment);
        code = ended.code;
        return ended.said;
    }
    std::string content(const std::string &file) const {
        std::ifstream in(directory / file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path directory;
    std::map<std::string, std::string> environment;
    int code = 0;
};

TEST_F(Shim, WithoutFaultsChangesNothing) {
    EXPECT_EQ(
        probe("", "open /here/a write 4 writev 4 pwrite 3 fsync fdatasync ftruncate 5 rename /here/a /here/b "
                  "mkdir /here/d fallocate 100 stream /here/s unlink /here/s"),
        "open: 0\nwrite: 4\nwritev: 4\npwrite: 3\nfsync: 0\nfdatasync: 0\nftruncate: 0\nrename: 0\n"
        "mkdir: 0\nfallocate: 0\nstream: 6\nunlink: 0\n");
    EXPECT_EQ(content("here/b").substr(0, 5), "ababc");
}

TEST_F(Shim, FailsTheNthCallWithTheErrorAsked) {
    EXPECT_EQ(probe("call=write nth=2 do=fail errno=ENOSPC", "open /here/a write 4 writev 4 pwrite 3"),
              "open: 0\nwrite: 4\nwritev: ENOSPC\npwrite: 3\n");
    EXPECT_EQ(probe("call=write nth=2 times=* do=fail errno=EIO", "open /here/a write 4 write 4 pwrite 3"),
              "open: 0\nwrite: 4\nwrite: EIO\npwrite: EIO\n");
    EXPECT_EQ(probe("call=fsync nth=2 do=fail", "open /here/a fsync fdatasync fsync"),
              "open: 0\nfsync: 0\nfdatasync: EIO\nfsync: 0\n");
    EXPECT_EQ(probe("call=rename do=fail errno=EACCES; call=mkdir do=fail errno=EROFS; call=unlink do=fail",
                    "open /here/a rename /here/a /here/b mkdir /here/d unlink /here/a"),
              "open: 0\nrename: EACCES\nmkdir: EROFS\nunlink: EIO\n");
    EXPECT_EQ(probe("call=open nth=2 times=2 do=fail errno=EMFILE",
                    "open /here/a fopen /here/b append /here/c reopen /here/a"),
              "open: 0\nfopen: EMFILE\nappend: EMFILE\nreopen: 0\n"); // which is not for writing
    EXPECT_EQ(probe("call=truncate do=fail times=* errno=ENOSPC", "open /here/a ftruncate 4 fallocate 4"),
              "open: 0\nftruncate: ENOSPC\nfallocate: 28\n"); // which returns the error
    EXPECT_EQ(probe("call=open do=fail path=*.x", "stream /here/s.x stream /here/s.x"),
              "stream: EIO\nstream: 6\n");
}

TEST_F(Shim, CountsOnlyPathsBelowTheDirectoryThatFitThePattern) {
    EXPECT_EQ(probe("call=write do=fail", "open /a write 4 open /here/a write 4 write 4"),
              "open: 0\nwrite: 4\nopen: 0\nwrite: EIO\nwrite: 4\n");
    EXPECT_EQ(probe("call=write do=fail path=*.part", "open /here/a write 4 open /here/a.part write 4"),
              "open: 0\nwrite: 4\nopen: 0\nwrite: EIO\n");
    EXPECT_EQ(probe("call=write do=fail path=b", "open /here/a rename /here/a /here/b write 4"),
              "open: 0\nrename: 0\nwrite: EIO\n"); // the name that it has now
}

TEST_F(Shim, ActsOnItsRankOnly) {
    EXPECT_EQ(probe("rank=1 call=write do=fail", "open /here/a write 4"), "open: 0\nwrite: 4\n");
    environment["OMPI_COMM_WORLD_RANK"] = "1";
    EXPECT_EQ(probe("rank=1 call=write do=fail", "open /here/a write 4"), "open: 0\nwrite: EIO\n");
}

TEST_F(Shim, WritesHalfAndSaysSo) {
    EXPECT_EQ(probe("call=write do=short times=3", "open /here/a write 8 writev 8 pwrite 1"),
              "open: 0\nwrite: 4\nwritev: 4\npwrite: 1\n");
    EXPECT_EQ(content("here/a"), "abadabcd"); // pwrite at 2
}

TEST_F(Shim, AnFsyncThatLosesTakesWhatWasWrittenSinceTheLastOne) {
    EXPECT_EQ(probe("call=fsync nth=2 do=lose", "open /here/a write 3 fsync write 2 fsync fsync write 1"),
              "open: 0\nwrite: 3\nfsync: 0\nwrite: 2\nfsync: EIO\nfsync: 0\nwrite: 1\n");
    EXPECT_EQ(content("here/a"), std::string("abc\0\0a", 6));
}

/// Nobody is told of what a close has lost but the close itself and who had the file open by then, once.
TEST_F(Shim, ACloseThatLosesTellsItselfAndTheDescriptorsThatAreOpen) {
    EXPECT_EQ(probe("call=close do=lose errno=ENOSPC",
                    "open /here/a write 3 keep /here/a close kept_fsync kept_fsync reopen /here/a fsync"),
              "open: 0\nwrite: 3\nkeep: 0\nclose: ENOSPC\nkept_fsync: ENOSPC\nkept_fsync: 0\nreopen: 0\n"
              "fsync: 0\n");
    EXPECT_EQ(content("here/a"), std::string("\0\0\0", 3));
    EXPECT_EQ(probe("call=close do=forget", "open /here/a write 3 close reopen /here/a fsync keep /here/a"),
              "open: 0\nwrite: 3\nclose: 0\nreopen: 0\nfsync: 0\nkeep: 0\n");
    EXPECT_EQ(content("here/a"), std::string("\0\0\0", 3));
    EXPECT_EQ(probe("call=close do=forget", "keep /here open /here/a write 3 close kept_syncfs kept_syncfs"),
              "keep: 0\nopen: 0\nwrite: 3\nclose: 0\nkept_syncfs: EIO\nkept_syncfs: 0\n");
    EXPECT_EQ(probe("call=close do=lose", "open /here/a write 3 fsync close open /here/a write 1 close"),
              "open: 0\nwrite: 3\nfsync: 0\nclose: 0\nopen: 0\nwrite: 1\nclose: EIO\n");
}

TEST_F(Shim, PretendsThatItBroughtEverythingToDisk) {
    environment["SQUALL_FAULTS_JOURNAL"] = directory / "journal";
    EXPECT_EQ(probe("call=syncfs do=pretend", "open /here/a write 3 syncfs"),
              "open: 0\nwrite: 3\nsyncfs: 0\n");
    EXPECT_EQ(content("journal").find("syncfs"), std::string::npos);
    EXPECT_EQ(probe("call=syncfs do=pretend nth=2", "open /here/a write 3 syncfs"),
              "open: 0\nwrite: 3\nsyncfs: 0\n");
    EXPECT_NE(content("journal").find("syncfs"), std::string::npos);
}

TEST_F(Shim, SaysThatItIsAnotherFileSystemAndHasNoLocks) {
    EXPECT_EQ(probe("filesystem=nfs", "filesystem /here"), "filesystem: 26985\n"); // 0x6969
    EXPECT_EQ(probe("call=lock do=fail errno=ENOLCK", "open /here/a lock lock"),
              "open: 0\nlock: ENOLCK\nlock: 0\n");
}

TEST_F(Shim, KeepsTheQuotaAndGivesBackWhatIsRemoved) {
    EXPECT_EQ(probe("quota=10", "open /here/a write 6 open /here/b write 6 write 6 unlink /here/a write 7"),
              "open: 0\nwrite: 6\nopen: 0\nwrite: 4\nwrite: ENOSPC\nunlink: 0\nwrite: 6\n");
    EXPECT_EQ(probe("quota=10", "open /here/a write 8 open /here/a write 8 fallocate 20 pwrite 9"),
              "open: 0\nwrite: 8\nopen: 0\nwrite: 8\nfallocate: 28\npwrite: 8\n");
}

TEST_F(Shim, SharesTheQuotaAmongProcesses) {
    environment["SQUALL_FAULTS_QUOTA_FILE"] = directory / "quota";
    EXPECT_EQ(probe("quota=10", "open /here/a write 6"), "open: 0\nwrite: 6\n");
    EXPECT_EQ(probe("quota=10", "open /here/b write 6"), "open: 0\nwrite: 4\n");
}

TEST_F(Shim, DelaysAndKills) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(probe("call=write do=delay seconds=0.3", "open /here/a write 6"), "open: 0\nwrite: 6\n");
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(300));
    EXPECT_EQ(probe("call=write nth=2 do=kill", "open /here/a write 6 write 6"), "open: 0\nwrite: 6\n");
    EXPECT_EQ(code, 128 + SIGKILL);
}

TEST_F(Shim, RefusesMemoryAboveASize) {
    EXPECT_EQ(probe("call=memory above=1000000 times=2 do=fail",
                    "malloc 5000 malloc 2000000 mmap 2000000 mmap 2000000"),
              "malloc: 5000\nmalloc: ENOMEM\nmmap: ENOMEM\nmmap: 2000000\n");
}

TEST_F(Shim, DropsMessages) {
    EXPECT_EQ(probe("", "message together"), "message: 1\ntogether: 1\n");
    EXPECT_EQ(probe("call=send nth=2 do=drop from=probe", "message message"), "message: 1\nmessage: 0\n");
    EXPECT_EQ(probe("call=receive do=drop from=probe", "message"), "message: 0\n");
    EXPECT_EQ(probe("call=collective do=drop from=probe", "together together"), "together: 0\ntogether: 1\n");
    EXPECT_EQ(probe("call=send do=drop", "message"), "message: 1\n"); // not of libsquall_io
}

TEST_F(Shim, KeepsAJournalInTheOrderOfThings) {
    environment["SQUALL_FAULTS_JOURNAL"] = directory / "journal";
    environment["SQUALL_FAULTS_LOG"] = directory / "log";
    probe("call=fsync nth=2 do=fail",
          "mkdir /here/d open /here/d/a write 3 fsync write 2 fsync rename /here/d/a /here/b "
          "ftruncate 1 append /here/b write 1 unlink /here/b open /c write 3");
    std::istringstream in(content("journal"));
    std::vector<std::string> kinds;
    std::string inode;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string kind, first, second, third;
        words >> kind >> first >> second >> third;
        if (kind == "create") inode = first;
        EXPECT_TRUE(first == inode || kind == "mkdir" || kind == "rename" || kind == "unlink") << line;
        kinds.push_back(kind + (first == inode ? "" : " " + first) + (second.empty() ? "" : " " + second) +
                        (third.empty() ? "" : " " + third));
        if (kind == "write") in.ignore(std::stol(third));
    }
    EXPECT_EQ(kinds,
              (std::vector<std::string>{"mkdir d", "create d/a", "write 0 3", "fsync", "write 3 2", "failed",
                                        "rename d/a b", "truncate 1", "write 1 1", "unlink b"}));
    EXPECT_EQ(content("log"), "rank 0: call=fsync number 2 d/a: fail\n");
}

std::string refusal(const std::string &text) {
    try {
        parse_rules(text);
    } catch (const std::invalid_argument &e) {
        return e.what();
    }
    return "";
}

TEST(Rules, ThatCanNeverHappenAreRefused) {
    EXPECT_EQ(refusal("rank=1 call=write nth=3 do=fail errno=EIO; quota=65536;\n call=send do=drop"), "");
    const std::pair<const char *, const char *> wrong[] = {
        {"call=wirte do=fail", "wirte is none of close, collective, fsync, lock, memory"},
        {"call=write", "do= is missing"},
        {"do=fail", "call= is missing"},
        {"call=write do=fail nth=0", "nth counts from 1"},
        {"call=write do=fail nth=x", "x is no number"},
        {"call=write do=fail errno=EXYZ", "EXYZ is none of"},
        {"call=write do=fail when=3", "when is none of call, do, rank"},
        {"call=write do=lose", "only call=fsync and call=close can lose"},
        {"call=fsync do=forget", "only call=close can forget"},
        {"call=write do=pretend", "only call=fsync and call=syncfs can pretend"},
        {"filesystem=fat", "fat is none of ext4, fuse"},
        {"call=fsync do=short", "only call=write can be short"},
        {"call=write do=drop", "only messages can be dropped"},
        {"call=fsync do=throw", "only messages can throw"},
        {"call=send do=fail", "a message does not fail"},
        {"call=write do=delay", "delay needs seconds="},
        {"call=memory do=fail", "memory needs above="},
    };
    for (const auto &[text, part] : wrong)
        EXPECT_NE(refusal(text).find(part), std::string::npos) << refusal(text);
}

} // namespace
} // namespace squall::faults
