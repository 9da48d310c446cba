/// What it takes to know who holds what, for more ranks than there are here: the code that plans, run for
/// each writer in turn, and the packets counted that it would send.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "drain/batches.hpp"
#include "drain/exchange.hpp"
#include "drain/plan.hpp"
#include "engines/engine.hpp"

namespace squall::io::test {
namespace {

/// Half of the fields on `levels`, half on the surface.
StreamSpec many_fields(const std::string &engine, int fields, std::int64_t ny, std::int64_t nx) {
    StreamSpec s;
    s.name = "scale";
    s.path = "unused";
    s.engine = engine;
    s.dimensions = {{"z", 20}, {"y", ny}, {"x", nx}};
    for (int f = 0; f < fields; ++f)
        s.fields.push_back(
            {fmt::format("F{}", f),
             Type::f32,
             f < fields / 2 ? std::vector<std::string>{"z", "y", "x"} : std::vector<std::string>{"y", "x"},
             {}});
    return s;
}

/// Rank r of a grid of ranks that is as square as can be.
std::vector<std::pair<int, Box>> boxes_of(const Layout &layout, int r, int ranks) {
    int rows = static_cast<int>(std::sqrt(ranks));
    while (ranks % rows != 0) --rows;
    const int columns = ranks / rows;
    const auto cut = [](std::int64_t n, int i, int parts) { return n * i / parts; };
    std::vector<std::pair<int, Box>> boxes;
    for (int f = 0; f < std::ssize(layout.fields); ++f) {
        auto box = whole_of(layout.fields[f].shape);
        const auto d = box.start.size();
        const int at[] = {r / columns, r % columns}, of[] = {rows, columns};
        for (std::size_t i = 0; i < 2; ++i) {
            const auto n = box.count[d - 2 + i];
            box.start[d - 2 + i] = cut(n, at[i], of[i]);
            box.count[d - 2 + i] = cut(n, at[i] + 1, of[i]) - box.start[d - 2 + i];
        }
        boxes.emplace_back(f, std::move(box));
    }
    return boxes;
}

struct Count {
    std::int64_t packets = 0, bytes = 0, most = 0; ///< in all; packets of the writer that sends or gets most
    std::int64_t sent = 0;                         ///< packets that a writer sends at most
    std::int64_t messages = 0;                     ///< with points, of every frame
};

/// Messages with points that one writer sends in a frame.
std::int64_t messages_of(const Layout &layout, const std::vector<std::vector<int>> &together,
                         const Planner &planner, const Grain &grain) {
    if (layout.engine->distribution == Distribution::as_it_lies) return 0; // what is written lies where it is
    std::int64_t count = 0;
    for (const auto &fields : together) {
        std::vector<Transfer> transfers;
        for (const int f : fields) transfers.push_back({layout.fields[f], planner.plan(f), {}});
        count += std::ssize(messages(transfers, &Plan::sends, grain));
    }
    return count;
}

Count plan_all(const Layout &layout, int ranks) {
    std::vector<std::vector<RankGroup::Packet>> inbox(ranks);
    std::vector<std::unique_ptr<Planner>> planners;
    Count count;
    std::vector<std::int64_t> each(ranks, 0);
    for (int r = 0; r < ranks; ++r) {
        auto &planner = *planners.emplace_back(
            std::make_unique<Planner>(layout, true, r, ranks, boxes_of(layout, r, ranks)));
        std::int64_t sent = 0;
        for (auto &packet : planner.packets()) {
            sent += packet.writer != r;
            if (packet.writer != r) {
                ++count.packets;
                ++each[r];
                ++each[packet.writer];
                count.bytes += std::ssize(packet.words) * 8;
            }
            inbox[packet.writer].push_back({r, std::move(packet.words)});
        }
        count.sent = std::max(count.sent, sent);
    }
    const auto together = Batches(layout, ranks).of(true);
    for (int r = 0; r < ranks; ++r) {
        EXPECT_EQ(planners[r]->hear(inbox[r]), "") << "writer " << r;
        count.messages += messages_of(layout, together, *planners[r], grain_among(ranks));
    }
    count.most = *std::ranges::max_element(each);
    return count;
}

bool built(const std::string &engine) {
    const auto names = engines();
    return std::ranges::find(names, engine) != names.end();
}

TEST(Scale, PlansAreMadeOfFewLettersUpToTwentyThousandRanks) {
    fmt::print("  a decomposition, planned once, and the messages of each frame:\n");
    fmt::print("  {:>15} {:>8} {:>8} {:>10} {:>10} {:>12} {:>12} {:>10} {:>10}\n", "engine", "ranks",
               "fields", "columns", "packets", "bytes a rank", "most of one", "most sent", "messages");
    for (const std::string engine : {"netcdf", "netcdf-split", "zarr"}) {
        if (!built(engine)) continue;
        std::map<int, Count> counts;
        const auto count = [&](int ranks, int fields, std::int64_t ny, std::int64_t nx) {
            const auto c = plan_all(Layout(many_fields(engine, fields, ny, nx)), ranks);
            fmt::print("  {:>15} {:>8} {:>8} {:>10} {:>10} {:>12} {:>12} {:>10} {:>10}\n", engine, ranks,
                       fields, ny * nx, c.packets, c.bytes / ranks, c.most, c.sent, c.messages);
            return c;
        };
        for (const int ranks : {100, 2000, 20000}) counts[ranks] = count(ranks, 4, 1000, 1200);
        // Of a thousand small fields a message takes several, if they go the same way.
        EXPECT_LE(count(100, 1000, 100, 120).messages, 100 * 1000 / 2);
        // Ten times the ranks: ten times the packets, not a hundred times.
        EXPECT_LE(counts[20000].packets, 15 * counts[2000].packets);
        EXPECT_LE(counts[20000].bytes, 15 * counts[2000].bytes);
        // A writer tells few; who has all of a field that is not divided hears of each.
        EXPECT_LE(counts[20000].sent, 4 + std::log2(20000));
        EXPECT_LE(counts[20000].messages, 15 * counts[2000].messages + 20000);
    }
}

/// Of a file that one writer makes: what it takes are the ranks and the bytes, not their product with fields.
TEST(Scale, AFrameForOneWriterTakesAMessageOfEachRankAndOneForEvery256KiBHoweverManyFields) {
    fmt::print("  {:>8} {:>8} {:>12} {:>10}\n", "ranks", "fields", "bytes", "messages");
    const auto count = [](int ranks, int fields, std::int64_t ny, std::int64_t nx) {
        const Layout layout(many_fields("netcdf", fields, ny, nx));
        std::int64_t bytes = 0;
        for (const auto &f : layout.fields) bytes += f.bytes();
        const auto messages = plan_all(layout, ranks).messages;
        fmt::print("  {:>8} {:>8} {:>12} {:>10}\n", ranks, fields, bytes, messages);
        EXPECT_LE(messages, ranks + 3 * bytes / (256 << 10));
        return messages;
    };
    EXPECT_EQ(count(1000, 4, 1000, 1200), 999); // all of it at once
    EXPECT_EQ(count(1000, 40, 300, 400), 999);  // as many bytes
    EXPECT_LE(count(100, 1000, 100, 120), 3000);
    EXPECT_LE(count(17, 40, 300, 400), 17 + 2 * 40 * 16);
}

} // namespace
} // namespace squall::io::test
