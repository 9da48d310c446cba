/// The engine `adios`, on 1 to 4 ranks, below the placements: what its directories hold, what a
/// lost frame leaves behind, what a damaged directory says.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

#include <sys/resource.h>

#include "direct.hpp"
#include "publish/publish.hpp"
#include "publish/writer.hpp"
#include "read/source.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;

StreamSpec adios_weather(const std::string &codec = "zstd") {
    auto s = weather("unused");
    s.engine = "adios";
    s.codec = codec;
    s.fields.push_back({"PACKED", Type::i16, {"west_east"}, {{"scale_factor", 0.5}}});
    s.fields[2].attributes.push_back({"levels", Value(std::vector<std::int32_t>{1, 2, 3})});
    s.fields[2].attributes.push_back({"missing_value", std::nanf("")});
    return s;
}

/// What this rank holds of a field of the stream above.
struct Part {
    Box box;
    std::vector<char> points;

    template <class T> void add(T value) {
        const auto *p = reinterpret_cast<const char *>(&value);
        points.insert(points.end(), p, p + sizeof value);
    }
};

Part part_of(const Field &f, int frame) {
    const auto patch = my_patch(ranks());
    Part p;
    if (f.name == "T") {
        p.box = patch.box();
        for (std::int64_t k = 0; k < nz; ++k)
            for (auto j = patch.j0; j < patch.j1; ++j)
                for (std::int64_t i = 0; i < nx; ++i) p.add(t_at(k, j, i, frame));
    } else if (f.name == "HGT") {
        p.box = {{patch.j0, 0}, {patch.j1 - patch.j0, nx}};
        for (auto j = patch.j0; j < patch.j1; ++j)
            for (std::int64_t i = 0; i < nx; ++i)
                p.add(static_cast<double>(j) + static_cast<double>(i) / 100);
    } else if (f.name == "Times") {
        p.box = {{0}, {19}};
        for (const char c : format_time({3600.0 * frame}, "%Y-%m-%d_%H:%M:%S")) p.add(c);
    } else if (f.name == "PACKED") {
        p.box = {{0}, {nx}};
        for (std::int16_t i = 0; i < nx; ++i) p.add(static_cast<std::int16_t>(i - 3 * frame));
    } else {
        p.add(static_cast<std::int32_t>(frame));
    }
    return p;
}

/// Fields without rows are the last rank's, for no reason but that it is not the first.
bool holds(const Field &f) { return f.name == "T" || f.name == "HGT" || rank() == ranks() - 1; }

void write_fields(Direct &writer, const Layout &layout, int frame) {
    for (std::size_t n = 0; n < layout.fields.size(); ++n) {
        const auto &f = layout.fields[n].field;
        if (!f.per_frame && frame > 0) continue;
        const auto part = part_of(f, frame);
        std::vector<Piece> pieces;
        if (holds(f)) pieces.push_back({part.box, part.points.data()});
        writer.write(static_cast<int>(n), f.per_frame ? frame : 0, pieces);
    }
}

void write_frame(Direct &writer, const Layout &layout, int frame) {
    write_fields(writer, layout, frame);
    writer.flush();
}

std::unique_ptr<Direct> begin(const Layout &layout, const std::string &path) {
    return std::make_unique<Direct>(layout, path);
}

/// Writes a directory of so many frames.
void make(const StreamSpec &spec, const std::string &path, int frames) {
    const Layout layout(spec);
    auto writer = begin(layout, path);
    for (int n = 0; n < frames; ++n) write_frame(*writer, layout, n);
    writer->close(frames);
}

/// The frames of a file have the values of part_of.
void expect_frames(const std::string &path, std::int64_t frames) {
    ASSERT_NO_THROW(expect_frame(Reader(path), 0, 0));
    const Reader file(path);
    EXPECT_EQ(file.frames(), frames);
    for (int n = 0; n < frames; ++n) expect_frame(file, n, n);
}

TEST(Adios, gives_back_every_frame_type_and_attribute_that_it_took) {
    const Scratch dir;
    const auto path = dir / "a.bp";
    make(adios_weather(), path, 3);
    expect_frames(path, 3);

    const auto source = open_source(path);
    const auto spec = adios_weather();
    EXPECT_EQ(source->record_dimension, "Time");
    ASSERT_EQ(source->dimensions.size(), spec.dimensions.size());
    EXPECT_EQ(source->dimensions[1].name, "south_north");
    EXPECT_EQ(source->dimensions[1].size, ny);
    ASSERT_EQ(source->fields.size(), spec.fields.size());
    for (std::size_t f = 0; f < spec.fields.size(); ++f) {
        EXPECT_EQ(source->fields[f].name, spec.fields[f].name);
        EXPECT_EQ(source->fields[f].type, spec.fields[f].type);
        EXPECT_EQ(source->fields[f].dimensions, spec.fields[f].dimensions);
        EXPECT_EQ(source->fields[f].per_frame, spec.fields[f].per_frame);
        ASSERT_EQ(source->fields[f].attributes.size(), spec.fields[f].attributes.size());
        for (std::size_t a = 0; a < spec.fields[f].attributes.size(); ++a) {
            EXPECT_EQ(source->fields[f].attributes[a].name, spec.fields[f].attributes[a].name);
            if (spec.fields[f].attributes[a].name == "missing_value") continue; // which is not a number
            EXPECT_EQ(source->fields[f].attributes[a].value, spec.fields[f].attributes[a].value);
        }
    }
    ASSERT_EQ(source->attributes.size(), spec.attributes.size());
    for (std::size_t a = 0; a < spec.attributes.size(); ++a) {
        EXPECT_EQ(source->attributes[a].name, spec.attributes[a].name);
        EXPECT_EQ(source->attributes[a].value, spec.attributes[a].value);
    }
}

/// ADIOS2 writes down how long its calls took, unless it is kept from it.
TEST(Adios, writing_and_reading_leave_no_profiles_behind) {
    const Scratch dir;
    make(adios_weather(), dir / "a.bp", 2);
    expect_frames(dir / "a.bp", 2);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto mine = fmt::format("_{:x}_profiling.json", getpid());
    for (const fs::path &where : {fs::path("/tmp"), fs::temp_directory_path(), fs::current_path()})
        for (const auto &entry : fs::directory_iterator(where))
            EXPECT_FALSE(entry.path().string().ends_with(mine)) << entry.path();
    for (const auto &entry : fs::recursive_directory_iterator(dir / "."))
        EXPECT_EQ(entry.path().string().find("profiling"), std::string::npos) << entry.path();
}

TEST(Adios, reads_any_box_of_any_frame_in_another_type) {
    const Scratch dir;
    const auto path = dir / "a.bp";
    make(adios_weather("lz4:9"), path, 2);
    const Reader file(path);
    std::vector<double> t(2 * 3 * 4, -1);
    file.read("T", 1, {{2, 5, 7}, {2, 3, 4}}, t.data());
    for (int k = 0, n = 0; k < 2; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i, ++n) ASSERT_EQ(t[n], t_at(k + 2, j + 5, i + 7, 1)) << n;
    std::vector<std::int32_t> packed(2);
    file.read("PACKED", 1, {{4}, {2}}, packed.data());
    EXPECT_EQ(packed, (std::vector<std::int32_t>{1, 2}));
}

TEST(Adios, codecs_shrink_and_lose_nothing) {
    const Scratch dir;
    const auto size = [&](const std::string &codec) {
        auto spec = adios_weather(codec);
        const auto path = dir / ("a_" + codec.substr(0, 4) + ".bp");
        make(spec, path, 1);
        expect_frames(path, 1);
        std::uint64_t bytes = 0;
        for (const auto &e : fs::directory_iterator(path))
            if (e.path().filename().string().starts_with("data.")) bytes += e.file_size();
        return bytes;
    };
    const auto plain = size("none");
    EXPECT_GT(plain, nz * ny * nx * sizeof(float));
    EXPECT_LT(size("zstd:5"), plain * 2 / 3);
    EXPECT_LT(size("lz4"), plain * 2 / 3);
}

TEST(Adios, writes_in_the_background_if_asked_and_stores_the_same) {
    const Scratch dir;
    auto spec = adios_weather();
    spec.options = {{"async_write", "true"}, {"aggregators_per_node", "2"}};
    const auto path = dir / "a.bp";
    const Layout layout(spec);
    auto writer = begin(layout, path);
    write_frame(*writer, layout, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_frames(path, 1); // flush() has waited for the writing
    MPI_Barrier(MPI_COMM_WORLD);
    write_frame(*writer, layout, 1);
    writer->close(2);
    expect_frames(path, 2);
}

TEST(Adios, made_lists_every_file_once) {
    const Scratch dir;
    auto spec = adios_weather();
    spec.options = {{"aggregators_per_node", "2"}};
    const auto path = dir / "a.bp";
    const Layout layout(spec);
    auto writer = begin(layout, path);
    write_frame(*writer, layout, 0);
    writer->close(1);
    std::vector<std::string> there, listed;
    for (const auto &e : fs::directory_iterator(path)) there.push_back(e.path().filename());
    std::string mine;
    for (const auto &name : writer->made()) mine += name + "\n";
    std::vector<char> all(1000 * ranks(), '\0');
    mine.resize(1000, '\0');
    MPI_Allgather(mine.data(), 1000, MPI_CHAR, all.data(), 1000, MPI_CHAR, MPI_COMM_WORLD);
    std::string name;
    for (const char c : all) {
        if (c == '\n')
            listed.push_back(std::exchange(name, ""));
        else if (c != '\0')
            name += c;
    }
    std::ranges::sort(there);
    std::ranges::sort(listed);
    EXPECT_EQ(listed, there);
    EXPECT_EQ(std::ranges::count(listed, "data.1"), ranks() > 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Adios, a_frame_that_was_begun_and_dropped_leaves_those_before_it) {
    for (const std::string async : {"false", "true"}) {
        const Scratch dir;
        auto spec = adios_weather();
        spec.options = {{"async_write", async}};
        const auto path = dir / "a.bp";
        const Layout layout(spec);
        auto writer = begin(layout, path);
        for (int n = 0; n < 2; ++n) write_frame(*writer, layout, n);
        write_fields(*writer, layout, 2); // never flushed
        writer->close(2);
        expect_frames(path, 2);
    }
}

TEST(Adios, a_frame_that_was_stored_and_then_disowned_is_not_there) {
    const Scratch dir;
    const auto path = dir / "a.bp";
    const Layout layout(adios_weather());
    auto writer = begin(layout, path);
    for (int n = 0; n < 3; ++n) write_frame(*writer, layout, n);
    writer->close(2);
    expect_frames(path, 2);
}

TEST(Adios, a_write_that_fails_on_one_rank_fails_there_alone_and_leaves_the_frames_before_it) {
    const Scratch dir;
    const auto path = dir / "a.bp";
    const Layout layout(adios_weather());
    auto writer = begin(layout, path);
    write_frame(*writer, layout, 0);
    const float point = 0;
    std::vector<Piece> pieces;
    if (rank() == 0) pieces.push_back({{{0}, {1}}, &point}); // of a field with three dimensions
    EXPECT_EQ(error_of([&] { writer->write(2, 1, pieces); }).empty(), rank() != 0);
    writer->close(1);
    expect_frames(path, 1);
}

TEST(Adios, a_full_disk_is_an_error_on_every_rank_before_anything_is_written) {
    const Scratch dir;
    const auto path = dir / "a.bp";
    const Layout layout(adios_weather());
    auto writer = begin(layout, path);
    write_frame(*writer, layout, 0);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit tight{20000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    const auto error = error_of([&] { write_frame(*writer, layout, 1); });
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(error.find("File too large"), std::string::npos) << error;
    writer->close(1);
    expect_frames(path, 1);
}

TEST(Adios, destroying_a_writer_waits_for_nobody) {
    const Scratch dir;
    const Layout layout(adios_weather());
    {
        auto writer = begin(layout, dir / "a.bp");
        write_fields(*writer, layout, 0);
        if (rank() == 0) writer.reset();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_FALSE(error_of([&] { Reader(dir / "a.bp"); }).empty());
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Adios, a_directory_that_cannot_be_made_is_an_error_on_every_rank) {
    const Scratch dir;
    const Layout layout(adios_weather());
    const auto error = error_of([&] { begin(layout, dir / "missing/a.bp"); });
    EXPECT_NE(error.find("No such file or directory"), std::string::npos) << error;
    EXPECT_TRUE(same_everywhere(error));
}

TEST(Adios, attributes_that_clash_are_kept_or_an_error_on_every_rank) {
    const Scratch dir;
    auto spec = adios_weather();
    spec.fields[2].attributes.push_back({"dimensions", "mine"});
    make(spec, dir / "a.bp", 1);
    EXPECT_EQ(open_source(dir / "a.bp")->fields[2].attributes.back().value, Value(std::string("mine")));
    spec.attributes.push_back({"T/units", "m"});
    const auto error = error_of([&] { make(spec, dir / "b.bp", 1); });
    EXPECT_NE(error.find("T/units"), std::string::npos) << error;
    EXPECT_TRUE(same_everywhere(error));
}

TEST(Adios, refuses_what_it_cannot_do_and_says_what_it_can) {
    const auto refusal = [](auto change) {
        auto spec = adios_weather();
        change(spec);
        return error_of([&] { Layout layout(spec); });
    };
    EXPECT_EQ(refusal([](auto &) {}), "");
    EXPECT_NE(refusal([](auto &s) { s.codec = "zstd:12"; }).find("has levels 1 to 9"), std::string::npos);
    EXPECT_NE(refusal([](auto &s) { s.codec = "lz4:0"; }).find("has levels 1 to 9"), std::string::npos);
    EXPECT_NE(refusal([](auto &s) { s.codec = "deflate"; }).find("zstd, lz4, none"), std::string::npos);
    EXPECT_NE(refusal([](auto &s) {
                  s.options = {{"async_write", "yes"}};
              }).find("choose one of: true, false"),
              std::string::npos);
    EXPECT_NE(refusal([](auto &s) {
                  s.options = {{"aggregators_per_node", "0"}};
              }).find("1 or more"),
              std::string::npos);
}

TEST(Adios, a_damaged_directory_says_what_is_wrong_with_it) {
    const auto words_for = [](auto damage) {
        const Scratch dir;
        const auto path = dir / "a.bp";
        make(adios_weather(), path, 2);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank() == 0) damage(fs::path(path));
        MPI_Barrier(MPI_COMM_WORLD);
        return error_of([&] {
            const Reader file(path);
            expect_frame(file, 1, 1);
        });
    };
    const auto shorten = [](const fs::path &file) { fs::resize_file(file, fs::file_size(file) - 1); };
    for (const std::string name : {"md.0", "data.0", "mmd.0"}) {
        const auto gone = words_for([&](const fs::path &p) { fs::remove(p / name); });
        EXPECT_NE(gone.find(name + " in the directory: No such file"), std::string::npos) << gone;
    }
    for (const std::string name : {"md.0", "data.0"}) {
        const auto cut = words_for([&](const fs::path &p) { shorten(p / name); });
        EXPECT_NE(cut.find(name + " in the directory has"), std::string::npos) << cut;
    }
    const auto empty = words_for([](const fs::path &p) { fs::resize_file(p / "md.idx", 0); });
    EXPECT_NE(empty.find("not the index of a BP5 directory"), std::string::npos) << empty;
    const auto header = words_for([](const fs::path &p) { fs::resize_file(p / "md.idx", 64); });
    EXPECT_NE(header.find("no frame was completed"), std::string::npos) << header;
    EXPECT_EQ(words_for([](const fs::path &) {}), "");
}

TEST(Adios, sessions_on_two_threads_do_not_disturb_each_other) {
    const Scratch dir;
    Session first(MPI_COMM_WORLD), second(MPI_COMM_WORLD); // each has a thread that drains
    const auto open = [&](Session &session, const std::string &name, const std::string &codec) {
        auto spec = weather(dir / (name + ".bp"));
        spec.name = name;
        spec.engine = "adios";
        spec.codec = codec;
        spec.placement = "thread";
        spec.frames_per_file = 20;
        return session.open(spec);
    };
    auto one = open(first, "one", "zstd:3"), two = open(second, "two", "lz4:9");
    const auto patch = my_patch(ranks());
    put_fixed(one, patch);
    put_fixed(two, patch);
    for (int n = 0; n < 20; ++n) {
        test::write_frame(one, patch, n);
        test::write_frame(two, patch, n);
    }
    one.close();
    two.close();
    expect_frames(dir / "one.bp", 20);
    expect_frames(dir / "two.bp", 20);
}

TEST(Adios, a_frame_larger_than_what_is_gathered_is_written_in_parts) {
    const Scratch dir;
    const std::int64_t points = 4 << 20;
    StreamSpec spec;
    spec.name = "large";
    spec.path = "unused";
    spec.engine = "adios";
    spec.codec = "none";
    spec.dimensions = {{"x", points}};
    for (const std::string name : {"A", "B", "C"}) spec.fields.push_back({name, Type::f32, {"x"}, {}});
    const Layout layout(spec);
    const auto path = dir / "a.bp";
    auto writer = begin(layout, path);
    const auto first = points * rank() / ranks(), last = points * (rank() + 1) / ranks();
    for (int f = 0; f < 3; ++f) {
        std::vector<float> values(last - first);
        for (auto i = first; i < last; ++i) values[i - first] = static_cast<float>(i + f);
        writer->write(f, 0, {{{{first}, {last - first}}, values.data()}});
    }
    writer->flush();
    writer->close(1);
    const Reader file(path);
    for (int f = 0; f < 3; ++f) {
        std::vector<float> values(points);
        file.read(spec.fields[f].name, 0, {{0}, {points}}, values.data());
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < points; ++i) wrong += values[i] != static_cast<float>(i + f);
        EXPECT_EQ(wrong, 0) << f;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Adios, bpls_lists_steps_types_and_shapes) {
    const Scratch dir;
    const auto path = dir / "a.bp";
    make(adios_weather(), path, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() != 0) return;
    std::string text;
    FILE *bpls = popen((std::string(BPLS) + " -la " + path).c_str(), "r");
    ASSERT_NE(bpls, nullptr);
    for (int c; (c = fgetc(bpls)) != EOF;) text += static_cast<char>(c);
    EXPECT_EQ(pclose(bpls), 0);
    EXPECT_NE(text.find("3*{5, 11, 13}"), std::string::npos) << text;
    EXPECT_NE(text.find("Time bottom_top south_north west_east"), std::string::npos) << text;
}

} // namespace
} // namespace squall::io::test
