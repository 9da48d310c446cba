/// A stream in the engine `zarr`, for tests that call it below the placements: its declaration, its values,
/// and stores of them.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "direct.hpp"
#include "engines/engine.hpp"
#include "read/source.hpp"
#include "support.hpp"

namespace squall::io::test {

namespace fs = std::filesystem;

inline const Engine &zarr() { return engine_named("zarr"); }

/// All types, 0 to 3 dimensions, cut so that nothing is a multiple of anything.
inline StreamSpec store(const std::string &codec) {
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

inline double value_at(int field, std::int64_t frame, std::int64_t n) {
    return static_cast<double>((n * 7 + frame * 1000 + field * 100) % 30000) + (field == 2 ? 0.25 : 0);
}

/// A field's points of a box, as they belong into a frame.
inline std::vector<char> points(const FieldLayout &f, int field, std::int64_t frame, const Box &box) {
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

inline void write_field(Direct &writer, const Layout &layout, int field, std::int64_t frame,
                        MPI_Comm writers) {
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
inline void write_frame(Direct &writer, const Layout &layout, std::int64_t frame,
                        MPI_Comm writers = MPI_COMM_WORLD) {
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f)
        if (layout.fields[f].field.per_frame || frame == 0) write_field(writer, layout, f, frame, writers);
    writer.flush();
    MPI_Barrier(writers);
}

inline void make(const Layout &layout, const std::string &path, int frames,
                 MPI_Comm writers = MPI_COMM_WORLD) {
    auto writer = std::make_unique<Direct>(layout, path, writers);
    for (int n = 0; n < frames; ++n) {
        write_frame(*writer, layout, n, writers);
        writer->reveal(n + 1);
    }
    writer->close(frames);
}

/// Compares a box of every frame of a field.
inline void expect_field(const Source &source, const Layout &layout, int field, const Box &box) {
    const auto &f = layout.fields[field];
    for (std::int64_t frame = 0; frame < (f.field.per_frame ? source.frames : 1); ++frame) {
        const auto expected = points(f, field, frame, box);
        std::vector<char> found(expected.size());
        ASSERT_NO_THROW(source.read(field, frame, box, found.data(), f.field.type));
        EXPECT_EQ(found, expected) << f.field.name << " frame " << frame;
    }
}

inline void expect_store(const std::string &path, const Layout &layout, std::int64_t frames) {
    const auto source = open_source(path);
    ASSERT_EQ(source->frames, frames);
    ASSERT_EQ(source->fields.size(), layout.fields.size());
    for (int f = 0; f < static_cast<int>(layout.fields.size()); ++f) {
        const auto &shape = layout.fields[f].shape;
        expect_field(*source, layout, f, {std::vector<std::int64_t>(shape.size(), 0), shape});
    }
}

inline void remove_or_spoil(const std::string &file, std::int64_t byte) {
    auto bytes = bytes_of(file);
    ASSERT_FALSE(bytes.empty()) << file;
    if (byte < 0) {
        fs::remove(file);
        return;
    }
    bytes[static_cast<std::size_t>(byte)] ^= 1;
    std::ofstream(file, std::ios::binary) << bytes;
}

inline std::map<std::string, std::string> all_files(const std::string &path) {
    std::map<std::string, std::string> files;
    for (const auto &e : fs::recursive_directory_iterator(path))
        if (e.is_regular_file()) files[fs::relative(e.path(), path)] = bytes_of(e.path());
    return files;
}

} // namespace squall::io::test
