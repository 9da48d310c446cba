/// What reductions send on hundreds of ranks, counted with the code itself and without sending anything.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "declared.hpp"
#include "reduce/companions.hpp"
#include "reduce/evaluate.hpp"
#include "reduce/report.hpp"
#include "reduce/sampler.hpp"

namespace squall::io::test {
namespace {

constexpr std::int64_t levels = 60, cells = 10; ///< cells of a patch, in each direction

/// Fields of a domain of px x py patches: zonal means, means over the domain, and `stations` places.
Layout layout_of(int px, int py, int stations) {
    auto s = stream_of("scale", "never.nc");
    s.dimensions = {{"z", levels}, {"y", cells * py}, {"x", cells * px}};
    s.sources = {{"T", Type::f32, {"z", "y", "x"}, {}}};
    const auto made = [](const std::string &name, Reduction r) {
        Field f{name, Type::f64, {}, {}};
        f.reduction = std::move(r);
        return f;
    };
    s.fields = {made("zonal", {.of = "T", .over = {"x"}}), made("mean", {.of = "T", .over = {"z", "y", "x"}}),
                made("at", {.of = "T", .method = "linear", .over = {}, .at = "station"})};
    s.places = {{.name = "station", .dimensions = {"y", "x"}, .count = stations}};
    for (int n = 0; n < stations; ++n) {
        s.places[0].positions.push_back(std::fmod(n * 37.77, static_cast<double>(cells * py - 1)));
        s.places[0].positions.push_back(std::fmod(n * 91.13, static_cast<double>(cells * px - 1)));
    }
    return Layout(s);
}

struct Count {
    std::int64_t messages = 0, bytes = 0, largest = 0, finished_at_first = 0;
};

/// Sends every rank's part of a frame up the binomial tree, as Reducer does.
Count count(const Layout &layout, int px, int py) {
    const int ranks = px * py;
    Sampler sampler(layout.samples[0], layout.spec.places[0].positions);
    std::vector<Tallies> tallies;
    for (const auto &fold : layout.folds) tallies.emplace_back(fold);
    std::vector<Report> reports(static_cast<std::size_t>(ranks));
    std::vector<float> values(static_cast<std::size_t>(levels * cells * cells));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = 280 + 0.37F * static_cast<float>(n % 97);
    Count count;
    for (int rank = ranks - 1; rank >= 0; --rank) { // children have higher numbers
        auto &report = reports[static_cast<std::size_t>(rank)];
        report.partials.resize(layout.folds.size());
        report.at_places.resize(1);
        const std::string name = "T";
        const Box box{{0, rank / px * cells, rank % px * cells}, {levels, cells, cells}};
        const Put put{name, box, values.data(), Type::f32, {}};
        for (std::size_t f = 0; f < tallies.size(); ++f) {
            report.partials[f].add(layout.folds[f], evaluate(layout.folds[f], tallies[f], put, Companions()));
            const auto done = report.partials[f].take_complete(tallies[f].whole());
            if (rank == 0) count.finished_at_first += std::ssize(done);
        }
        sampler.put(put, report.at_places[0]);
        sampler.make(report.at_places[0], 0);
        if (rank == 0) continue;
        const auto message = report.pack(layout);
        ++count.messages;
        const auto bytes = std::ssize(message);
        count.bytes += bytes;
        count.largest = std::max(count.largest, bytes);
        auto theirs = Report::unpack(message, layout);
        auto &parent = reports[static_cast<std::size_t>(rank & (rank - 1))];
        parent.partials.resize(layout.folds.size());
        parent.at_places.resize(1);
        for (std::size_t f = 0; f < tallies.size(); ++f)
            for (auto &partial : theirs.partials[f].take_all())
                parent.partials[f].add(layout.folds[f], std::move(partial));
        for (auto &[place, part] : theirs.at_places[0].partly)
            parent.at_places[0].add(place, std::move(part), layout.samples[0]);
        report = {};
    }
    EXPECT_TRUE(reports[0].at_places[0].partly.empty());
    for (const auto &partials : reports[0].partials) EXPECT_TRUE(partials.empty());
    return count;
}

} // namespace

TEST(ReductionsAtScale, SendOneMessageForEachRankAndMuchLessThanTheField) {
    fmt::print("zonal means, a mean and 300 stations of one field of 60 levels, 10 x 10 cells a rank\n"
               "{:>6} {:>9} {:>12} {:>14} {:>16}\n",
               "ranks", "messages", "bytes", "largest", "gathered bytes");
    for (const auto &[px, py] : {std::pair(8, 10), std::pair(20, 20), std::pair(100, 100)}) {
        const auto layout = layout_of(px, py, 300);
        const auto sent = count(layout, px, py);
        const auto field = levels * cells * cells * px * py * 4;
        fmt::print("{:>6} {:>9} {:>12} {:>14} {:>16}\n", px * py, sent.messages, sent.bytes, sent.largest,
                   field);
        EXPECT_EQ(sent.messages, px * py - 1);
        EXPECT_LT(sent.bytes, 0.6 * static_cast<double>(field)); // of rows of ten points only
        EXPECT_LT(sent.largest, 50'000);                         // and no rank ever hears the field
    }
}

} // namespace squall::io::test
