/// What tests of reductions share: a field on a domain that is cut up in several ways, and what is made of
/// it.
#pragma once

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "declared.hpp"
#include "reduce/sum.hpp"

namespace squall::io::test {

/// The ranks' shares of the domain: strips of rows, of columns, or blocks that do not line up.
enum class Cut { rows, columns, bricks };

inline std::vector<Box> boxes_of(Cut cut, int r, int n) {
    const auto from = [](std::int64_t size, int part, int parts) { return size * part / parts; };
    const auto box = [&](std::int64_t y0, std::int64_t y1, std::int64_t x0, std::int64_t x1) {
        return Box{{0, y0, x0}, {nz, y1 - y0, x1 - x0}};
    };
    if (cut == Cut::rows) return {box(from(ny, r, n), from(ny, r + 1, n), 0, nx)};
    if (cut == Cut::columns) return {box(0, ny, from(nx, r, n), from(nx, r + 1, n))};
    // Two bricks a rank: below and above, cut at different places.
    return {box(0, 6, from(nx, r, n), from(nx, r + 1, n)),
            box(6, ny, from(nx, n - 1 - r, n), from(nx, n - r, n))};
}

/// Values with all their digits, of very different sizes.
inline float value_at(std::int64_t k, std::int64_t j, std::int64_t i, int frame) {
    const auto n = static_cast<double>(((k * ny + j) * nx + i) * 7919 % 1009 + 1);
    return static_cast<float>((i % 2 ? -1 : 1) * std::sqrt(n) * std::pow(10.0, static_cast<double>(n) / 200) +
                              frame);
}
inline double area_at(std::int64_t j, std::int64_t i) { return 1.0 / static_cast<double>(3 + j + i); }

inline Field made(const std::string &name, Reduction reduction, Type type = Type::f64) {
    Field f{name, type, {}, {}};
    f.reduction = std::move(reduction);
    return f;
}

constexpr int zonal_bins = 50;

inline StreamSpec zonal(const std::string &path, const std::string &engine, const std::string &placement) {
    auto s = stream_of("zonal", path, engine);
    s.placement = placement;
    s.frames_per_file = 0;
    s.dimensions = {{"z", nz}, {"y", ny}, {"x", nx}};
    s.sources = {{"T", Type::f32, {"z", "y", "x"}, {}}, {"area", Type::f64, {"y", "x"}, {}, false}};
    s.fields = {made("zonal_mean", {.of = "T", .over = {"x"}, .weight = "area"}),
                made("mean", {.of = "T", .over = {"z", "y", "x"}}),
                made("profile", {.of = "T", .method = "sum", .over = {"y", "x"}, .weight = "area"}),
                made("spread", {.of = "T", .method = "standard_deviation", .over = {"x"}}),
                made("variance", {.of = "T", .method = "variance", .over = {"x"}, .weight = "area"}),
                made("most", {.of = "T", .method = "max", .over = {"z"}}, Type::f32),
                made("least", {.of = "T", .method = "min", .over = {"z", "x"}}, Type::f32),
                made("number", {.of = "T", .method = "count", .over = {"x"}}, Type::i32),
                made("upper", {.of = "T",
                               .method = "quantile",
                               .over = {"x"},
                               .weight = "area",
                               .quantile = 0.8,
                               .low = -1e4,
                               .high = 1e4,
                               .bins = zonal_bins})};
    return s;
}

inline void put_t(Frame &frame, const std::vector<Box> &boxes, int number, const std::string &name = "T") {
    for (const auto &box : boxes) {
        std::vector<float> t; // as a model has it: x fastest, then z
        for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
            for (std::int64_t k = 0; k < nz; ++k)
                for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i)
                    t.push_back(value_at(k, j, i, number));
        frame.put(name, box, t.data(), {box.count[2], nz * box.count[2], 1});
    }
}

inline void put_area(Stream &stream, const std::vector<Box> &boxes) {
    for (const auto &box : boxes) {
        std::vector<double> area;
        for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
            for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i) area.push_back(area_at(j, i));
        stream.put("area", {{box.start[1], box.start[2]}, {box.count[1], box.count[2]}}, area.data());
    }
}

/// Writes frames with the domain cut up in a way.
inline void write_zonal(const StreamSpec &spec, Cut cut, int frames, SessionSpec session_spec = {},
                        const std::string &source = "T") {
    Session session(MPI_COMM_WORLD, session_spec);
    if (!session.computes()) return session.serve();
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    const auto boxes = boxes_of(cut, me, n);
    auto stream = session.open(spec);
    put_area(stream, boxes);
    for (int f = 0; f < frames; ++f) {
        auto frame = stream.begin({60.0 * f});
        put_t(frame, boxes, f, source);
        frame.commit();
        session.progress();
    }
    stream.close();
    session.close();
}

inline double weighted_mean(std::int64_t k, std::int64_t j, int frame) {
    Sum weights, values;
    for (std::int64_t i = 0; i < nx; ++i) {
        weights.add(area_at(j, i));
        values.add(area_at(j, i) * static_cast<double>(value_at(k, j, i, frame)));
    }
    return static_cast<double>(values.precise() / weights.precise());
}

inline double weighted_variance(std::int64_t k, std::int64_t j, int frame) {
    const double mean = weighted_mean(k, j, frame);
    Sum weights, squares;
    for (std::int64_t i = 0; i < nx; ++i) {
        const double off = static_cast<double>(value_at(k, j, i, frame)) - mean;
        weights.add(area_at(j, i));
        squares.add(area_at(j, i) * off * off);
    }
    return static_cast<double>(squares.precise() / weights.precise());
}

/// Below which four fifths of a row's area lie, by what lies in each bin.
inline double upper_of(std::int64_t k, std::int64_t j, int frame) {
    std::vector<Sum> areas(zonal_bins);
    const double low = -1e4, wide = 2e4 / zonal_bins;
    for (std::int64_t i = 0; i < nx; ++i) {
        const double bin = std::floor((static_cast<double>(value_at(k, j, i, frame)) - low) / wide);
        areas[static_cast<std::size_t>(std::clamp(bin, 0.0, zonal_bins - 1.0))].add(area_at(j, i));
    }
    long double all = 0, below = 0;
    for (const auto &area : areas) all += area.precise();
    const long double wanted = static_cast<long double>(0.8) * all;
    for (int b = 0;; ++b) {
        const auto here = areas[static_cast<std::size_t>(b)].precise();
        if (here > 0 && below + here >= wanted)
            return static_cast<double>(low + wide * (b + (wanted - below) / here));
        below += here;
    }
}

inline void expect_zonal(const std::string &file, int frames) {
    for (int f = 0; f < frames; ++f) {
        const auto zonal = all_of(file, "zonal_mean", f), mean = all_of(file, "mean", f),
                   profile = all_of(file, "profile", f), spread = all_of(file, "spread", f),
                   variance = all_of(file, "variance", f), most = all_of(file, "most", f),
                   least = all_of(file, "least", f), number = all_of(file, "number", f),
                   upper = all_of(file, "upper", f);
        ASSERT_EQ(zonal.size(), static_cast<std::size_t>(nz * ny));
        Sum all;
        for (std::int64_t k = 0; k < nz; ++k) {
            Sum level;
            for (std::int64_t j = 0; j < ny; ++j) {
                Sum row, squares;
                for (std::int64_t i = 0; i < nx; ++i) {
                    const double t = value_at(k, j, i, f);
                    all.add(t), level.add(t * area_at(j, i)), row.add(t), squares.add(t * t);
                }
                const auto at = static_cast<std::size_t>(k * ny + j);
                EXPECT_EQ(zonal[at], weighted_mean(k, j, f)); // to the bit
                const long double m = row.precise() / nx;
                EXPECT_NEAR(spread[at], std::sqrt(static_cast<double>(squares.precise() / nx - m * m)),
                            1e-12 * spread[at]);
                EXPECT_EQ(number[at], nx);
                EXPECT_EQ(upper[at], upper_of(k, j, f)); // to the bit, too
                const double weighted = weighted_variance(k, j, f);
                EXPECT_NEAR(variance[at], weighted, 1e-12 * weighted);
            }
            EXPECT_EQ(profile[static_cast<std::size_t>(k)], level.value());
        }
        EXPECT_EQ(mean[0], static_cast<double>(all.precise() / (nz * ny * nx)));
        for (std::int64_t j = 0; j < ny; ++j) {
            float lowest = std::numeric_limits<float>::infinity();
            for (std::int64_t i = 0; i < nx; ++i) {
                float highest = -lowest;
                highest = -std::numeric_limits<float>::infinity();
                for (std::int64_t k = 0; k < nz; ++k) {
                    highest = std::max(highest, value_at(k, j, i, f));
                    lowest = std::min(lowest, value_at(k, j, i, f));
                }
                EXPECT_EQ(most[static_cast<std::size_t>(j * nx + i)], highest);
            }
            EXPECT_EQ(least[static_cast<std::size_t>(j)], lowest);
        }
    }
}

inline std::string maker_of_zonal_mean(const StreamSpec &spec) {
    const auto made = made_fields(spec);
    return std::ranges::find(made, std::string("zonal_mean"), &MadeField::name)->by;
}

} // namespace squall::io::test
