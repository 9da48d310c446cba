/// The engine `zarr`, on 1 to 4 ranks: what its stores hold, who writes what, and what damage says.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <map>

#include <sys/resource.h>

#include "common/box.hpp"
#include "common/crc32c.hpp"
#include "declare/engine.hpp"
#include "direct.hpp"
#include "engines/zarr/grid.hpp"
#include "publish/publish.hpp"
#include "publish/writer.hpp"
#include "read/source.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;

const Engine &zarr() { return engine_named("zarr"); }

/// All types, 0 to 3 dimensions, cut so that nothing is a multiple of anything.
StreamSpec store(const std::string &codec) {
    auto s = weather("unused");
    s.engine = "zarr";
    s.codec = codec;
    s.options = {{"chunk", "2,3,4"}, {"shard", "4,5,7"}};
    s.fields.push_back({"XTIME", Type::f64, {}, {{"units", "minutes since 2000-01-01 00:00:00"}}});
    s.fields.push_back({"PACKED", Type::i16, {"west_east"}, {{"scale_factor", 0.5}, {"add_offset", 2.0f}}});
    s.fields.push_back({"STATION", Type::character, {"bottom_top", "DateStrLen"}, {}, false});
    s.fields[2].attributes.push_back({"levels", Value(std::vector<std::int32_t>{1, 2, 3})});
    s.fields[2].attributes.push_back({"_FillValue", -9999.5f});
    s.fields[2].attributes.push_back({"missing_value", std::nanf("")});
    s.fields[2].attributes.push_back({"bounds", Value(std::vector<double>{1, 0.1, INFINITY})});
    s.fields[2].attributes.push_back({"empty", Value(std::vector<float>{})});
    return s;
}

double value_at(int field, std::int64_t frame, std::int64_t n) {
    return static_cast<double>((n * 7 + frame * 1000 + field * 100) % 30000) + (field == 2 ? 0.25 : 0);
}

/// A field's points of a box, as they belong into a frame.
std::vector<char> points(const FieldLayout &f, int field, std::int64_t frame, const Box &box) {
    const auto strides = contiguous(f.shape);
    std::vector<char> all;
    const auto add = [&](auto value) {
        const auto *p = reinterpret_cast<const char *>(&value);
        all.insert(all.end(), p, p + sizeof value);
    };
    const auto inside = contiguous(box.count);
    for (std::int64_t n = 0; n < volume(box); ++n) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < strides.size(); ++d)
            at += (box.start[d] + n / inside[d] % box.count[d]) * strides[d];
        const auto x = value_at(field, frame, at);
        if (f.field.type == Type::f32) add(static_cast<float>(x));
        if (f.field.type == Type::f64) add(x);
        if (f.field.type == Type::i32) add(static_cast<std::int32_t>(x));
        if (f.field.type == Type::i16) add(static_cast<std::int16_t>(x));
        if (f.field.type == Type::character) add(static_cast<char>('a' + at % 23));
    }
    return all;
}

void write_field(Direct &writer, const Layout &layout, int field, std::int64_t frame, MPI_Comm writers) {
    int me = 0, n = 1;
    MPI_Comm_rank(writers, &me);
    MPI_Comm_size(writers, &n);
    std::vector<std::vector<char>> memory;
    std::vector<Piece> pieces;
    for (const auto &share : layout.engine->shares(layout, field, n))
        if (share.writer == me) {
            memory.push_back(points(layout.fields[field], field, frame, share.box));
            pieces.push_back({share.box, memory.back().data()});
        }
    writer.write(field, frame, pieces);
}

/// Writes and hands over a frame, with the fixed fields if it is the first.
void write_frame(Direct &writer, const Layout &layout, std::int64_t frame,
                 MPI_Comm writers = MPI_COMM_WORLD) {
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f)
        if (layout.fields[f].field.per_frame || frame == 0) write_field(writer, layout, f, frame, writers);
    writer.flush();
    MPI_Barrier(writers);
}

void make(const Layout &layout, const std::string &path, int frames, MPI_Comm writers = MPI_COMM_WORLD) {
    auto writer = std::make_unique<Direct>(layout, path, writers);
    for (int n = 0; n < frames; ++n) {
        write_frame(*writer, layout, n, writers);
        writer->reveal(n + 1);
    }
    writer->close(frames);
}

/// Compares a box of every frame of a field.
void expect_field(const Source &source, const Layout &layout, int field, const Box &box) {
    const auto &f = layout.fields[field];
    for (std::int64_t frame = 0; frame < (f.field.per_frame ? source.frames : 1); ++frame) {
        const auto expected = points(f, field, frame, box);
        std::vector<char> found(expected.size());
        ASSERT_NO_THROW(source.read(field, frame, box, found.data(), f.field.type));
        EXPECT_EQ(found, expected) << f.field.name << " frame " << frame;
    }
}

void expect_store(const std::string &path, const Layout &layout, std::int64_t frames) {
    const auto source = open_source(path);
    ASSERT_EQ(source->frames, frames);
    ASSERT_EQ(source->fields.size(), layout.fields.size());
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        const auto &shape = layout.fields[f].shape;
        expect_field(*source, layout, f, {std::vector<std::int64_t>(shape.size(), 0), shape});
    }
}

void remove_or_spoil(const std::string &file, std::int64_t byte) {
    auto bytes = bytes_of(file);
    ASSERT_FALSE(bytes.empty()) << file;
    if (byte < 0) {
        fs::remove(file);
        return;
    }
    bytes[static_cast<std::size_t>(byte)] ^= 1;
    std::ofstream(file, std::ios::binary) << bytes;
}

std::map<std::string, std::string> all_files(const std::string &path) {
    std::map<std::string, std::string> files;
    for (const auto &e : fs::recursive_directory_iterator(path))
        if (e.is_regular_file()) files[fs::relative(e.path(), path)] = bytes_of(e.path());
    return files;
}

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

TEST(Zarr, never_takes_a_missing_shard_for_fill_values) {
    const Scratch dir;
    const Layout layout(store("none"));
    make(layout, dir / "a", 2);
    if (rank() != 0) return;
    remove_or_spoil((dir / "a") + "/T/c.1.1.0.0", -1);
    const Reader reader(dir / "a");
    std::vector<float> t(nz * ny * nx);
    const auto said = error_of([&] { reader.read("T", 1, {{0, 0, 0}, {nz, ny, nx}}, t.data()); });
    EXPECT_NE(said.find("field T, frame 1: T/c.1.1.0.0: it is missing"), said.npos) << said;
    fs::resize_file((dir / "a") + "/T/c.0.0.0.0", 100);
    EXPECT_NE(error_of([&] { reader.read("T", 0, {{0, 0, 0}, {1, 1, 1}}, t.data()); }), "");
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

TEST(Zarr, says_what_failed_where_and_keeps_the_frames_before) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    writer->reveal(1);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{64, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto said = error_of([&] { write_field(*writer, layout, 2, 1, MPI_COMM_WORLD); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
    EXPECT_NE(said.find("writing " + (dir / "a") + "/T/c.1."), said.npos) << said;
    EXPECT_NE(said.find("ulimit -f"), said.npos) << said;
    writer->close(1);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_store(dir / "a", layout, 1);
    for (const auto &[name, bytes] : all_files((dir / "a") + "/T")) EXPECT_FALSE(name.starts_with("c.1."));
}

TEST(Zarr, says_that_its_directory_has_gone) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    writer->reveal(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) fs::remove_all(dir / "a");
    MPI_Barrier(MPI_COMM_WORLD);
    const auto said = error_of([&] { write_field(*writer, layout, 2, 1, MPI_COMM_WORLD); });
    EXPECT_NE(said.find("the directory is gone"), said.npos) << said;
    writer.reset();
}

TEST(Zarr, one_writer_that_fails_in_a_reveal_leaves_nobody_waiting) {
    const Scratch dir;
    const Layout layout(store("none"));
    auto writer = std::make_unique<Direct>(layout, dir / "a", MPI_COMM_WORLD);
    write_frame(*writer, layout, 0);
    if (rank() == 0) fs::remove_all(dir / "a");
    MPI_Barrier(MPI_COMM_WORLD);
    int failed = !error_of([&] { writer->reveal(1); }).empty();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_TRUE(failed);
    EXPECT_FALSE(fs::exists(dir / "a"));
}

TEST(Zarr, in_a_session_frames_are_readable_while_the_stream_is_open) {
    for (const std::string placement : {"inline", "thread"}) {
        const Scratch dir;
        auto spec = weather(dir / "history.zarr");
        spec.engine = "zarr";
        spec.placement = placement;
        spec.frames_per_file = 10;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const auto patch = my_patch(ranks());
        put_fixed(stream, patch);
        for (int n = 0; n < 3; ++n) {
            write_frame(stream, patch, n);
            if (placement != "inline") continue;
            const Reader now(dir / "history.zarr");
            ASSERT_EQ(now.frames(), n + 1);
            expect_frame(now, n, n);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        stream.close();
        const Reader file(dir / "history.zarr");
        ASSERT_EQ(file.frames(), 3);
        for (int n = 0; n < 3; ++n) expect_frame(file, n, n);
        session.close();
    }
}

TEST(Zarr, in_a_session_numbers_fixed_in_time_come_back_from_stores_of_several_frames) {
    const Scratch dir;
    for (const int frames_per_file : {0, 1, 5}) {
        const auto path = dir / fmt::format("a{}", frames_per_file);
        StreamSpec spec;
        spec.name = "s", spec.path = path, spec.engine = "zarr";
        spec.frames_per_file = frames_per_file;
        spec.replace = true;
        spec.dimensions = {{"x", ranks()}};
        spec.fields = {{"P_TOP", Type::f32, {}, {}, false}, {"t", Type::f32, {"x"}, {}}};
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const float top = 5000, t = 300;
        if (rank() == 0) stream.put("P_TOP", {}, &top);
        for (int n = 0; n < (frames_per_file == 1 ? 1 : 3); ++n) {
            auto frame = stream.begin({60.0 * n});
            frame.put("t", {{rank()}, {1}}, &t);
            frame.commit();
        }
        stream.close();
        session.close();
        double read = 0;
        Reader(path).read("P_TOP", 0, {}, &read);
        EXPECT_EQ(read, 5000) << frames_per_file;
    }
}

TEST(Zarr, in_a_session_a_burst_directory_gives_the_same_store) {
    const Scratch dir;
    const auto write = [&](const std::string &name, const std::string &burst) {
        auto spec = weather(dir / name);
        spec.engine = "zarr";
        spec.placement = "thread";
        spec.frames_per_file = 2;
        spec.burst_dir = burst;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const auto patch = my_patch(ranks());
        put_fixed(stream, patch);
        for (int n = 0; n < 2; ++n) write_frame(stream, patch, n);
        stream.close();
        session.close();
    };
    write("direct.zarr", "");
    write("burst.zarr", dir / "burst");
    if (rank() != 0) return;
    EXPECT_GT(all_files(dir / "direct.zarr").size(), 8u);
    EXPECT_TRUE(all_files(dir / "direct.zarr") == all_files(dir / "burst.zarr"));
}

TEST(Crc32c, is_castagnoli_for_every_length_and_alignment) {
    EXPECT_EQ(crc32c("123456789", 9), 0xE3069283u);
    EXPECT_EQ(crc32c("", 0), 0u);
    std::vector<unsigned char> data(60000);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
    for (const std::size_t n : {1, 7, 8, 255, 767, 768, 800, 12287, 12288, 13000, 49999})
        for (const std::size_t at : {0, 1, 5}) {
            std::uint32_t c = ~0u; // bit by bit
            for (std::size_t i = 0; i < n; ++i) {
                c ^= data[at + i];
                for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0x82F63B78u : c >> 1;
            }
            EXPECT_EQ(crc32c(data.data() + at, n), ~c) << n;
            EXPECT_EQ(crc32c(data.data() + at + n / 3, n - n / 3, crc32c(data.data() + at, n / 3)), ~c) << n;
        }
}

} // namespace
} // namespace squall::io::test
