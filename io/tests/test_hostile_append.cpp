/// Files of earlier runs that lie, to which a stream appends: what it writes stays in them, and what they say
/// is read with bounds.

#include <filesystem>
#include <fstream>
#include <functional>

#include <hdf5.h>
#include <nlohmann/json.hpp>

#include "hostile.hpp"
#include "squall/io_append.hpp"

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class HostileAppend : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const auto all = engines();
        if (std::ranges::find(all, engine()) == all.end()) GTEST_SKIP() << "not in this build";
        ASSERT_EQ(run(0), "");
    }
    std::string engine() const { return GetParam() == "zarr" ? "zarr" : "netcdf"; }
    StreamSpec spec() const {
        auto s = weather(path_);
        s.engine = engine();
        if (GetParam() == "zarr") s.options = {{"frames_per_shard", "1"}}; // so that nothing earlier is read
        if (GetParam() == "netcdf4") s.options = {{"format", "netcdf4"}};
        s.frames_per_file = 0;
        s.append = true;
        return s;
    }
    /// Adds a frame; the text of the Error.
    std::string run(int frame) const {
        return error_of([&] {
            Session session(MPI_COMM_WORLD);
            auto stream = session.open(spec());
            put_fixed(stream, {0, ny});
            write_frame(stream, {0, ny}, frame);
            stream.close();
        });
    }
    /// Moves something in the store away, and puts a link to it there.
    void lead_out(const std::string &name) const {
        fs::rename(path_ + "/" + name, dir_ / "elsewhere");
        fs::create_symlink(dir_ / "elsewhere", path_ + "/" + name);
    }
    std::string files_elsewhere() const {
        std::string names;
        for (const auto &e : fs::recursive_directory_iterator(dir_ / "elsewhere"))
            names += e.path().string() + " " + bytes_of(e.path()) + " ";
        return names;
    }

    Scratch dir_;
    std::string path_ = dir_ / "x";
};

TEST_P(HostileAppend, GoesOnInAnHonestFile) {
    EXPECT_EQ(run(1), "");
    EXPECT_EQ(Reader(path_).frames(), 2);
}

class HostileZarrAppend : public HostileAppend {};
TEST_P(HostileZarrAppend, WritesNothingThroughALinkOutOfTheStore) {
    lead_out("T");
    const auto before = files_elsewhere();
    const auto said = run(1);
    EXPECT_TRUE(contains(said, "is a link out of its directory")) << said;
    EXPECT_TRUE(files_elsewhere() == before);
}

TEST_P(HostileZarrAppend, SaysWhatOfTheMetadataItMisses) {
    const auto after = [&](const std::function<void(Json &)> &change) {
        auto json = Json::parse(bytes_of(path_ + "/zarr.json"));
        const auto honest = json.dump();
        change(json);
        write_bytes(path_ + "/zarr.json", json.dump());
        const auto said = EarlierFile(path_).fault(spec(), {});
        write_bytes(path_ + "/zarr.json", honest);
        return said;
    };
    EXPECT_EQ(after([](Json &) {}), "");
    const auto said = after([](Json &j) { j.erase("consolidated_metadata"); });
    EXPECT_TRUE(contains(said, "zarr.json does not hold the metadata of its arrays")) << said;
}

INSTANTIATE_TEST_SUITE_P(, HostileZarrAppend, testing::Values("zarr"));

class HostileNetcdf4Append : public HostileAppend {};
TEST_P(HostileNetcdf4Append, WritesNothingThroughALinkIntoAnotherFile) {
    fs::copy(path_, dir_ / "other");
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    H5Ldelete(file, "STEP", H5P_DEFAULT);
    ASSERT_GE(H5Lcreate_external((dir_ / "other").c_str(), "STEP", file, "STEP", H5P_DEFAULT, H5P_DEFAULT),
              0);
    H5Fclose(file);
    const auto before = bytes_of(dir_ / "other");
    const auto said = run(1);
    EXPECT_NE(said, "");
    EXPECT_TRUE(bytes_of(dir_ / "other") == before);
}

/// The points of a dataset may be in any file that it names.
TEST_P(HostileNetcdf4Append, WritesNothingIntoAFileThatADatasetNames) {
    write_bytes(dir_ / "precious", std::string(1 << 16, 'p'));
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t extent[] = {1}, most[] = {H5S_UNLIMITED};
    const hid_t space = H5Screate_simple(1, extent, most), about = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(about, (dir_ / "precious").c_str(), 0, H5F_UNLIMITED);
    const hid_t set = H5Dcreate2(file, "MORE", H5T_NATIVE_INT, space, H5P_DEFAULT, about, H5P_DEFAULT);
    ASSERT_GE(set, 0);
    H5Dclose(set);
    H5Pclose(about);
    H5Sclose(space);
    H5Fclose(file);
    EXPECT_NE(run(1), "");
    EXPECT_TRUE(bytes_of(dir_ / "precious") == std::string(1 << 16, 'p'));
}

INSTANTIATE_TEST_SUITE_P(, HostileNetcdf4Append, testing::Values("netcdf4"));
INSTANTIATE_TEST_SUITE_P(, HostileAppend, testing::Values("netcdf", "netcdf4", "zarr"));

TEST(ReportOfASession, DoesNotWriteThroughALinkThatWasPlantedInItsPlace) {
    const Scratch dir;
    std::ofstream(dir / "elsewhere") << "precious";
    fs::create_symlink(dir / "elsewhere", dir / "report.json.part");
    SessionSpec spec;
    spec.report = dir / "report.json";
    Session(MPI_COMM_WORLD, spec).close();
    EXPECT_EQ(bytes_of(dir / "elsewhere"), "precious");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(dir / "report.json")));
}

} // namespace
} // namespace squall::io::test
