/// Fields whose every point says which frame it belongs to and where it lies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::faults {

inline constexpr std::int64_t nz = 3, ny = 12, default_nx = 64;

inline float t_at(std::int64_t index, int frame) { return static_cast<float>(frame * 4096 + index % 4096); }
inline std::int16_t mask_at(std::int64_t index, int frame) {
    return static_cast<std::int16_t>((index + 7 * frame) % 1000);
}
inline double height_at(std::int64_t index) { return static_cast<double>(index) + 0.5; }

/// T, MASK and STEP in each frame, HGT fixed in time. Frame n is at n seconds.
inline io::StreamSpec weather_of_fire(const std::string &directory, std::int64_t nx) {
    io::StreamSpec s;
    s.name = "fire";
    s.path = directory + "/out/%Y-%m-%d_%H-%M-%S.nc";
    s.dimensions = {{"z", nz}, {"y", ny}, {"x", nx}};
    s.fields = {{"T", io::Type::f32, {"z", "y", "x"}, {{"units", "K"}}},
                {"MASK", io::Type::i16, {"y", "x"}, {}},
                {"STEP", io::Type::i32, {}, {}},
                {"HGT", io::Type::f64, {"y", "x"}, {{"units", "m"}}, false}};
    s.attributes = {{"TITLE", "fire"}};
    return s;
}

/// Beside them means of rows of what servers are sent to make them.
inline void add_rows(io::StreamSpec &spec) {
    spec.reduce = "servers";
    spec.sources = {{"U", io::Type::f32, {"z", "y", "x"}, {}}};
    io::Field mean{"U_ROW", io::Type::f64, {}, {}};
    mean.reduction = io::Reduction{.of = "U", .over = {"x"}, .weight = "HGT"};
    spec.fields.push_back(mean);
}
/// That of equal values, whatever the weights.
inline float row_at(std::int64_t row, int frame) { return t_at(row, frame); }

/// Beside them the time in letters.
inline constexpr std::int64_t letters = 19;
inline void add_times(io::StreamSpec &spec) {
    spec.dimensions.push_back({"letters", letters});
    spec.fields.push_back({"Times", io::Type::character, {"letters"}, {}});
}
inline std::string time_at(int frame) {
    return io::format_time({static_cast<double>(frame)}, "%Y-%m-%d_%H:%M:%S");
}

/// Rows j0..j1 of the domain, and what they hold.
struct Rows {
    std::int64_t j0, j1, nx;

    static Rows of(int rank, int ranks, std::int64_t nx) {
        return {ny * rank / ranks, ny * (rank + 1) / ranks, nx};
    }
    template <class T, class F> std::vector<T> plane(F at) const {
        std::vector<T> values;
        for (auto j = j0; j < j1; ++j)
            for (std::int64_t i = 0; i < nx; ++i) values.push_back(at(j * nx + i));
        return values;
    }
    void put_fixed(io::Stream &stream) const {
        const auto heights = plane<double>(height_at);
        stream.put("HGT", {{j0, 0}, {j1 - j0, nx}}, heights.data());
    }
    void put(io::Frame &frame, int number) const {
        std::vector<float> t;
        for (std::int64_t k = 0; k < nz; ++k)
            for (auto j = j0; j < j1; ++j)
                for (std::int64_t i = 0; i < nx; ++i) t.push_back(t_at((k * ny + j) * nx + i, number));
        frame.put("T", {{0, j0, 0}, {nz, j1 - j0, nx}}, t.data());
        const auto mask = plane<std::int16_t>([&](auto index) { return mask_at(index, number); });
        frame.put("MASK", {{j0, 0}, {j1 - j0, nx}}, mask.data());
        const std::int32_t step = number;
        if (j0 == 0) frame.put("STEP", {}, &step);
    }
    void put_times(io::Frame &frame, int number) const {
        const auto text = time_at(number);
        if (j0 == 0) frame.put("Times", {{0}, {letters}}, text.data());
    }
    void put_rows(io::Frame &frame, int number) const {
        std::vector<float> u;
        for (std::int64_t k = 0; k < nz; ++k)
            for (auto j = j0; j < j1; ++j)
                u.insert(u.end(), static_cast<std::size_t>(nx), row_at(k * ny + j, number));
        frame.put("U", {{0, j0, 0}, {nz, j1 - j0, nx}}, u.data());
    }
};

/// The number of a frame of a file and how many of its points are not what they must be.
struct Seen {
    int number = -1;
    std::int64_t wrong = 0;
};

inline Seen look_at(const io::Reader &file, std::int64_t frame) {
    const auto nx = file.size("x");
    Seen seen;
    file.read("STEP", frame, {}, &seen.number);
    std::vector<float> t(static_cast<std::size_t>(nz * ny * nx));
    file.read("T", frame, {{0, 0, 0}, {nz, ny, nx}}, t.data());
    for (std::size_t n = 0; n < t.size(); ++n)
        seen.wrong += t[n] != t_at(static_cast<std::int64_t>(n), seen.number);
    std::vector<std::int16_t> mask(static_cast<std::size_t>(ny * nx));
    std::vector<double> heights(mask.size());
    file.read("MASK", frame, {{0, 0}, {ny, nx}}, mask.data());
    file.read("HGT", frame, {{0, 0}, {ny, nx}}, heights.data());
    for (std::size_t n = 0; n < mask.size(); ++n) {
        const auto index = static_cast<std::int64_t>(n);
        seen.wrong += (mask[n] != mask_at(index, seen.number)) + (heights[n] != height_at(index));
    }
    const auto has = [&](const char *name) {
        return std::ranges::any_of(file.fields(), [&](const auto &f) { return f.name == name; });
    };
    std::string time(letters, ' ');
    if (has("Times")) file.read("Times", frame, {{0}, {letters}}, time.data());
    if (has("Times")) seen.wrong += time != time_at(seen.number);
    const bool has_rows = has("U_ROW");
    std::vector<double> rows(has_rows ? static_cast<std::size_t>(nz * ny) : 0);
    if (has_rows) file.read("U_ROW", frame, {{0, 0}, {nz, ny}}, rows.data());
    for (std::size_t n = 0; n < rows.size(); ++n)
        seen.wrong += rows[n] != static_cast<double>(row_at(static_cast<std::int64_t>(n), seen.number));
    return seen;
}

} // namespace squall::faults
