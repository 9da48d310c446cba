/// The engine `zarr`, on 1 to 4 ranks: what its stores hold, and who writes what.

#include <algorithm>

#include "engines/zarr/grid.hpp"
#include "publish/publish.hpp"
#include "zarr_case.hpp"

namespace squall::io::test {
namespace {

class Codecs : public testing::TestWithParam<const char *> {};

std::string plain(const std::string &name) {
    std::string text;
    for (const char c : name)
        if (std::isalnum(c)) text += c;
    return text;
}

/// A directory of a test, whose name with a parameter is no name of a directory.
struct Place {
    Place() {
        int id = getpid();
        MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        path = fs::temp_directory_path() / fmt::format("squall_zarr_{}_{}", id, plain(test->name()));
        if (rank() == 0) fs::create_directories(path);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Place() {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank() == 0) fs::remove_all(path);
    }
    std::string operator/(const std::string &name) const { return path / name; }
    fs::path path;
};

TEST_P(Codecs, give_back_every_point_of_every_type_from_ragged_shards) {
    const Place dir;
    const Layout layout(store(GetParam()));
    make(layout, dir / "a", 3);
    expect_store(dir / "a", layout, 3);
}

TEST_P(Codecs, give_back_boxes_across_shards) {
    const Place dir;
    const Layout layout(store(GetParam()));
    make(layout, dir / "a", 2);
    const auto source = open_source(dir / "a");
    const int t = layout.find("T");
    for (const Box &box : {Box{{0, 0, 0}, {1, 1, 1}}, Box{{4, 10, 12}, {1, 1, 1}}, Box{{1, 2, 3}, {3, 8, 9}},
                           Box{{3, 0, 6}, {2, 11, 1}}, Box{{2, 5, 0}, {0, 2, 2}}})
        expect_field(*source, layout, t, box);
    expect_field(*source, layout, layout.find("STATION"), {{1, 3}, {2, 5}});
    std::vector<double> wide(nx);
    source->read(layout.find("PACKED"), 1, {{0}, {nx}}, wide.data(), Type::f64);
    EXPECT_EQ(wide[5], value_at(layout.find("PACKED"), 1, 5));
}

TEST_P(Codecs, say_which_field_and_frame_a_flipped_bit_is_in) {
    const Place dir;
    const Layout layout(store(GetParam()));
    make(layout, dir / "a", 2);
    if (rank() != 0) return;
    const auto file = (dir / "a") + "/T/c.1.0.1.1";
    for (const auto byte : {std::int64_t(5), static_cast<std::int64_t>(fs::file_size(file)) - 9}) {
        remove_or_spoil(file, byte);
        const Reader reader(dir / "a");
        std::vector<float> t(nz * ny * nx);
        const auto said = error_of([&] { reader.read("T", 1, {{0, 0, 0}, {nz, ny, nx}}, t.data()); });
        EXPECT_NE(said.find("field T, frame 1: T/c.1.0.1.1: a checksum does not match"), said.npos) << said;
        EXPECT_EQ(error_of([&] { reader.read("T", 0, {{0, 0, 0}, {nz, ny, nx}}, t.data()); }), "");
        EXPECT_EQ(error_of([&] { reader.read("T", 1, {{0, 0, 0}, {nz, 5, nx}}, t.data()); }), "");
        remove_or_spoil(file, byte);
    }
}

INSTANTIATE_TEST_SUITE_P(Zarr, Codecs, testing::Values("none", "zstd", "zstd:1", "blosc-zstd", "blosc-lz4"));

TEST(Zarr, gives_back_names_dimensions_and_attributes_with_their_types) {
    const Scratch dir;
    const auto spec = store("none");
    const Layout layout(spec);
    make(layout, dir / "a", 1);
    for (const bool consolidated : {true, false}) {
        const auto source = open_source(dir / "a");
        EXPECT_EQ(source->record_dimension, "Time");
        ASSERT_EQ(source->dimensions.size(), spec.dimensions.size());
        for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
            EXPECT_EQ(source->dimensions[d].name, spec.dimensions[d].name);
            EXPECT_EQ(source->dimensions[d].size, spec.dimensions[d].size);
        }
        ASSERT_EQ(source->fields.size(), spec.fields.size());
        for (const auto &field : source->fields) {
            const auto f = std::ranges::find(spec.fields, field.name, &Field::name);
            ASSERT_NE(f, spec.fields.end());
            if (consolidated) {
                EXPECT_EQ(&field - source->fields.data(), f - spec.fields.begin()) << "order";
            }
            EXPECT_EQ(field.type, f->type);
            EXPECT_EQ(field.dimensions, f->dimensions);
            EXPECT_EQ(field.per_frame, f->per_frame);
            ASSERT_EQ(field.attributes.size(), f->attributes.size());
            for (std::size_t a = 0; a < f->attributes.size(); ++a) {
                EXPECT_EQ(field.attributes[a].name, f->attributes[a].name);
                if (field.attributes[a].name != "missing_value") {
                    EXPECT_EQ(field.attributes[a].value, f->attributes[a].value) << field.attributes[a].name;
                } else {
                    EXPECT_TRUE(std::isnan(std::get<std::vector<float>>(field.attributes[a].value).at(0)));
                }
            }
        }
        ASSERT_EQ(source->attributes.size(), spec.attributes.size());
        for (std::size_t a = 0; a < spec.attributes.size(); ++a)
            EXPECT_EQ(source->attributes[a].value, spec.attributes[a].value) << spec.attributes[a].name;
        MPI_Barrier(MPI_COMM_WORLD);
        if (consolidated && rank() == 0) { // then from the arrays' own metadata
            const auto group = bytes_of((dir / "a") + "/zarr.json");
            const auto cut = group.find(",\n  \"consolidated_metadata\"");
            ASSERT_NE(cut, group.npos);
            std::ofstream((dir / "a") + "/zarr.json") << group.substr(0, cut) + "}";
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(Zarr, has_the_same_bytes_whatever_the_number_of_writers) {
    const Scratch dir;
    const Layout layout(store("blosc-zstd"));
    make(layout, dir / "together", 2);
    if (rank() == 0) make(layout, dir / "alone", 2, MPI_COMM_SELF);
    if (rank() != 0) return;
    const auto together = all_files(dir / "together"), alone = all_files(dir / "alone");
    EXPECT_GT(alone.size(), 30u);
    EXPECT_TRUE(together == alone);
}

TEST(Zarr, lists_what_each_writer_made_and_nothing_else_is_there) {
    const Scratch dir;
    const Layout layout(store("zstd"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    write_frame(*writer, layout, 1);
    writer->close(1); // frame 1 is dropped
    MPI_Barrier(MPI_COMM_WORLD);
    auto files = all_files(dir / "a");
    int found = 0, all = static_cast<int>(files.size());
    for (const auto &name : writer->made()) {
        EXPECT_TRUE(files.contains(name)) << name;
        ++found;
    }
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(found, all);
    EXPECT_FALSE(files.contains("STEP/c.1"));
    expect_store(dir / "a", layout, 1);
}

TEST(Zarr, shows_a_frame_when_it_is_revealed_and_not_before) {
    const Scratch dir;
    const Layout layout(store("blosc-lz4"));
    auto writer = std::make_unique<Direct>(layout, dir / "a.part", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    EXPECT_FALSE(fs::exists((dir / "a.part") + "/zarr.json")) << "nothing is a store yet";
    MPI_Barrier(MPI_COMM_WORLD);
    writer->reveal(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) fs::rename(dir / "a.part", dir / "a");
    MPI_Barrier(MPI_COMM_WORLD);
    writer->moved(dir / "a");
    expect_store(dir / "a", layout, 1);
    write_frame(*writer, layout, 1);
    expect_store(dir / "a", layout, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    writer->reveal(2);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_store(dir / "a", layout, 2);
    writer->close(2);
    expect_store(dir / "a", layout, 2);
}

TEST(Zarr, small_fields_share_a_file_among_frames_which_readers_see_one_by_one) {
    const Scratch dir;
    auto spec = store("blosc-zstd");
    spec.frames_per_file = 0;
    const Layout layout(spec);
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    for (int n = 0; n < 18; ++n) {
        write_frame(*writer, layout, n);
        if (n == 4 || n == 16) { // it fails, the first of a shard too, and comes again
            writer->roll_back(n);
            write_frame(*writer, layout, n);
        }
        if (n > 0) expect_store(dir / "a", layout, n); // what was there is there while more is added
        MPI_Barrier(MPI_COMM_WORLD);
        writer->reveal(n + 1);
    }
    writer->close(18);
    expect_store(dir / "a", layout, 18);
    const auto files = all_files(dir / "a");
    EXPECT_TRUE(files.contains("STEP/c.0") && files.contains("STEP/c.1"));
    EXPECT_FALSE(files.contains("STEP/c.2"));
    for (const auto &[name, bytes] : files) EXPECT_FALSE(name.ends_with(".new")) << name;
}

TEST(Zarr, a_thousand_fields_and_frames_make_no_more_than_a_hundred_thousand_files) {
    auto spec = weather("unused");
    spec.engine = "zarr";
    spec.fields.clear();
    spec.frames_per_file = 0;
    for (int f = 0; f < 1000; ++f)
        spec.fields.push_back({fmt::format("F{}", f), Type::f32, {"south_north", "west_east"}, {}});
    const Layout layout(spec);
    std::int64_t files = 0;
    for (const auto &grid : zarr::grids_of(layout))
        files += 1 + grid.shards().size() * ((1000 + grid.frames - 1) / grid.frames);
    EXPECT_LE(files, 100'000);
}

TEST(Zarr, cuts_every_field_into_shares_that_cover_it_in_order_of_rows) {
    const Layout layout(store("none"));
    for (const int writers : {1, 2, 3, 7})
        for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
            const auto shares = zarr().shares(layout, f, writers);
            std::vector<Box> boxes;
            int last = -1, changes = 0;
            for (const auto &s : shares) {
                boxes.push_back(s.box);
                ASSERT_TRUE(s.writer >= 0 && s.writer < writers);
                changes += s.writer != last;
                last = s.writer;
            }
            EXPECT_EQ(tiling_fault(boxes, layout.fields[f].shape), "");
            EXPECT_LE(changes, writers) << "each writer has one stretch";
        }
}

TEST(Zarr, makes_large_fields_into_shards_of_megabytes) {
    auto s = store("none");
    s.options.clear();
    s.dimensions[0].size = 100;
    s.dimensions[1].size = s.dimensions[2].size = 3000;
    const Layout layout(s);
    const auto shares = zarr().shares(layout, layout.find("T"), 4);
    EXPECT_GT(shares.size(), 40u);
    for (const auto &share : shares) {
        EXPECT_LE(volume(share.box) * 4, 72 << 20);
        EXPECT_EQ(share.box.count[0], 100);
        EXPECT_EQ(share.box.count[2], 3000) << "whole rows";
    }
    EXPECT_EQ(zarr().shares(layout, layout.find("STEP"), 4).size(), 1u);
}

TEST(Zarr, refuses_options_that_make_no_sense_and_says_what_would) {
    const auto said = [](const std::string &option, const std::string &value) {
        auto s = store("none");
        s.options[option] = value;
        return error_of([&] { const Layout layout(s); });
    };
    EXPECT_EQ(said("chunk", "0,5,0"), "");
    for (const auto *wrong : {"a", "5,", "5;5", "-1", ",5"})
        EXPECT_NE(said("shard", wrong).find("sizes separated by commas"), std::string::npos) << wrong;
    auto s = store("blosc-zstd:12");
    EXPECT_NE(error_of([&] { const Layout layout(s); }).find("has levels 0 to 9"), std::string::npos);
    s = store("none");
    s.fields[2].name = "a/b";
    EXPECT_NE(error_of([&] { const Layout layout(s); }).find("a/b"), std::string::npos);
}

} // namespace
} // namespace squall::io::test
