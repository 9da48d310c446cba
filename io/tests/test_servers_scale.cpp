/// What placement `servers` costs beside the points: messages, bytes and memory of the metadata code
/// itself, run for very many ranks in one process, without MPI.

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "placements/servers/sender.hpp"
#include "placements/servers/server_queue.hpp"

namespace squall::io::servers {

struct Count {
    std::int64_t messages = 0, bytes = 0;
    Count operator-(const Count &o) const { return {messages - o.messages, bytes - o.bytes}; }
};

/// Ranks 0 .. clients - 1 compute, the others serve in one group.
struct World {
    int clients = 1, servers = 1, fields = 1;
};

/// Carries messages, as bytes, and counts them.
class Net {
  public:
    explicit Net(int ranks) : sent_(static_cast<std::size_t>(ranks)), received_(sent_.size()) {}

    struct Mail {
        Bytes bytes;
        int from = 0, to = 0;
    };
    void send(const ServerMessage &message, int from, int to) {
        auto &mail = under_way.emplace_back(Mail{pack(message), from, to});
        const auto n = static_cast<std::int64_t>(mail.bytes.size());
        for (auto *c :
             {&total, &sent_[static_cast<std::size_t>(from)], &received_[static_cast<std::size_t>(to)]}) {
            ++c->messages;
            c->bytes += n;
        }
    }
    /// The most that a rank in [first, last) sent and received since the last call.
    Count most(int first, int last) {
        Count m;
        for (int r = first; r < last; ++r) {
            auto &s = sent_[static_cast<std::size_t>(r)], &g = received_[static_cast<std::size_t>(r)];
            m.messages = std::max(m.messages, s.messages + g.messages);
            m.bytes = std::max(m.bytes, s.bytes + g.bytes);
            s = g = {};
        }
        return m;
    }

    std::deque<Mail> under_way;
    Count total;

  private:
    std::vector<Count> sent_, received_;
};

class NetMessages final : public MessageSender {
  public:
    NetMessages(Net &net, int rank) : net_(net), rank_(rank) {}
    void send(const ServerMessage &message, int to) override { net_.send(message, rank_, to); }

  private:
    Net &net_;
    int rank_;
};

double memory_in_use() { return static_cast<double>(mallinfo2().uordblks); }

/// Fields on a domain of 2-D patches: every third one 2-D, the others 3-D and staggered in turn.
StreamSpec declaration(const World &w, std::int64_t rows, std::int64_t columns) {
    StreamSpec s;
    s.name = "history";
    s.path = "%H.null";
    s.engine = "null";
    s.placement = "servers";
    s.dimensions = {{"z", 50}, {"y", rows * 8}, {"ys", rows * 8 + 1}, {"x", columns * 8}};
    const std::array<std::vector<std::string>, 3> kinds = {{{"z", "y", "x"}, {"z", "ys", "x"}, {"y", "x"}}};
    for (int f = 0; f < w.fields; ++f)
        s.fields.push_back({fmt::format("F{}", f), Type::f32, kinds[static_cast<std::size_t>(f % 3)], {}});
    return s;
}

/// A session of one stream.
class Run {
  public:
    explicit Run(const World &w)
        : w_(w), columns_(std::max<std::int64_t>(1, std::llround(std::sqrt(w.clients)))),
          rows_((w.clients + columns_ - 1) / columns_), layout_(declaration(w, rows_, columns_)),
          net(w.clients + w.servers) {
        const auto maps = share_maps(layout_, w.servers, "consecutive");
        std::vector<int> client_ranks, server_ranks;
        for (int c = 0; c < w.clients; ++c) client_ranks.push_back(c);
        for (int s = 0; s < w.servers; ++s) server_ranks.push_back(w.clients + s);
        server_ranks_.resize(static_cast<std::size_t>(w.clients));
        for (int c = 0; c < w.clients; ++c) {
            server_ranks_[static_cast<std::size_t>(c)] = {c, w.clients, {server_ranks}};
            auto &messages = *net_messages_.emplace_back(std::make_unique<NetMessages>(net, c));
            senders_.push_back(std::make_unique<Sender>(messages, server_ranks_[static_cast<std::size_t>(c)],
                                                        0, 1, 0, maps));
        }
        for (int s = 0; s < w.servers; ++s) {
            auto &messages = *net_messages_.emplace_back(std::make_unique<NetMessages>(net, w.clients + s));
            queues_.push_back(std::make_unique<ServerQueue>(messages, server_ranks, s, client_ranks, 0));
            queues_.back()->add(0, 1, maps);
        }
    }

    /// A frame, from the messages of all computing ranks to the answers.
    Count frame(std::int64_t number) {
        const auto before = net.total;
        for (int c = 0; c < w_.clients; ++c) {
            auto &sender = *senders_[static_cast<std::size_t>(c)];
            const double memory = c == 0 ? memory_in_use() : 0; // of one: asking takes long
            const auto &plan =
                sender.plan(true, boxes(c), [](int) { return std::pair<SharedMemory, SharedMemory>(); });
            if (c == 0) sender_memory += memory_in_use() - memory;
            sender.announce(&plan, number, {}, 0, [](int, const ServerPlan &) { return Passage{}; });
            deliver();
        }
        std::size_t heard = 0, with_points = 0;
        for (auto &queue : queues_) {
            while (auto topic = queue->next()) {
                EXPECT_EQ(topic->verdict.fault, "");
                ++heard;
                for (const auto &a : topic->arrivals) with_points += a.known != nullptr;
                queue->done(topic->topic, {}, 0);
            }
        }
        deliver();
        EXPECT_EQ(heard, queues_.size());
        touches = static_cast<std::int64_t>(with_points);
        EXPECT_EQ(answers_, expected_answers());
        answers_ = 0;
        return net.total - before;
    }

    std::int64_t columns() const { return columns_; } ///< of patches

    std::int64_t touches = 0;                    ///< pairs of a rank and a server that receives points of it
    double sender_memory = 0, server_memory = 0; ///< of the first of each, bytes

  private:
    /// A patch of each field, 8 x 8 points; the last row of patches has the staggered row.
    std::vector<std::pair<int, Box>> boxes(int client) const {
        const auto j = client / columns_, i = client % columns_;
        std::vector<std::pair<int, Box>> all;
        for (int f = 0; f < w_.fields; ++f) {
            Box box{{j * 8, i * 8}, {8 + (f % 3 == 1 && j == rows_ - 1), 8}};
            if (f % 3 != 2) {
                box.start.insert(box.start.begin(), 0);
                box.count.insert(box.count.begin(), 50);
            }
            all.emplace_back(f, box);
        }
        return all;
    }
    void deliver() {
        while (!net.under_way.empty()) {
            const auto mail = std::move(net.under_way.front());
            net.under_way.pop_front();
            const auto message = unpack_message(mail.bytes);
            if (mail.to < w_.clients) {
                ++answers_;
                continue;
            }
            auto &queue = *queues_[static_cast<std::size_t>(mail.to - w_.clients)];
            const bool first = mail.to == w_.clients;
            const double memory = first ? memory_in_use() : 0;
            if (const auto *plan = std::get_if<PlanMessage>(&message)) queue.hear(*plan, mail.from);
            if (const auto *f = std::get_if<FrameMessage>(&message)) queue.hear(*f, mail.from, 0);
            if (const auto *r = std::get_if<ConsensusMessage>(&message))
                queue.hear(*r, mail.from - w_.clients, 0);
            if (first) server_memory += memory_in_use() - memory;
        }
    }
    /// Each rank hears the servers that have points of it, and its home.
    std::int64_t expected_answers() {
        std::int64_t n = 0;
        for (int c = 0; c < w_.clients; ++c) {
            const auto &plan = senders_[static_cast<std::size_t>(c)]->plan(
                true, boxes(c), [](int) { return std::pair<SharedMemory, SharedMemory>(); });
            n +=
                std::ssize(plan.for_servers) + !plan.for_servers.contains(home_of(c, w_.clients, w_.servers));
        }
        return n;
    }

    World w_;
    std::int64_t columns_, rows_;
    Layout layout_;

  public:
    Net net;

  private:
    std::vector<ServerRanks> server_ranks_;
    std::vector<std::unique_ptr<NetMessages>> net_messages_;
    std::vector<std::unique_ptr<Sender>> senders_;
    std::vector<std::unique_ptr<ServerQueue>> queues_;
    std::int64_t answers_ = 0;
};

struct Row {
    World w;
    Count first, steady, on_rank, on_server;
    std::int64_t touches = 0, columns = 1;
    double rank_memory = 0, server_memory = 0;
};

Row count(const World &w) {
    Run run(w);
    Row row;
    row.w = w;
    row.first = run.frame(0);
    row.server_memory = run.server_memory;
    row.rank_memory = run.sender_memory;
    run.frame(1);
    run.net.most(0, w.clients + w.servers);
    row.steady = run.frame(2);
    row.on_rank = run.net.most(0, w.clients);
    row.on_server = run.net.most(w.clients, w.clients + w.servers);
    row.touches = run.touches;
    row.columns = run.columns();
    fmt::print(
        "{:>6} {:>4} {:>5} | {:>8} {:>10} | {:>8} {:>10} | {:>5} {:>6} | {:>6} {:>8} | {:>6.0f} {:>7.0f}\n",
        w.clients, w.servers, w.fields, row.first.messages, row.first.bytes, row.steady.messages,
        row.steady.bytes, row.on_rank.messages, row.on_rank.bytes, row.on_server.messages,
        row.on_server.bytes, row.rank_memory / 1e3, row.server_memory / 1e3);
    return row;
}

TEST(ServersAtScale, AFrameCostsAsManyMessagesAsThereAreRanksAndServersAndNoneForFieldsOrFrames) {
    fmt::print(
        "                   | first frame         | a frame later       | of a rank    | of a server     | "
        "memory [kB]\n"
        "     P    S     F | messages      bytes | messages      bytes | messages/B   |  messages/B     | "
        "rank   server\n");
    std::vector<Row> rows;
    for (const auto &w : std::vector<World>{{100, 4, 30},
                                            {1000, 4, 30},
                                            {1000, 40, 30},
                                            {1000, 40, 300},
                                            {1000, 40, 1000},
                                            {5000, 100, 30},
                                            {20000, 100, 30}})
        rows.push_back(count(w));
    for (const auto &r : rows) {
        const auto P = r.w.clients, S = r.w.servers;
        // A slab goes across all columns of patches, so that pairs that share points are about so many;
        // fields that are staggered are cut elsewhere.
        const auto columns = r.columns, rows_of_patches = (P + columns - 1) / columns;
        EXPECT_LE(r.touches, P + 3 * S * columns / 2);
        // A message and an answer for each pair that shares points and for each rank's home; the consensus.
        EXPECT_LE(r.steady.messages, 2 * (r.touches + P) + 2 * S);
        EXPECT_LE(r.steady.bytes, 150 * (r.touches + P) + 400 * S);
        // The first frame has the plans beside: a message for each pair that shares points.
        EXPECT_EQ(r.first.messages - r.steady.messages, r.touches);
        EXPECT_LE(r.on_rank.messages, 2 * S / rows_of_patches + 6);
        EXPECT_LE(r.on_server.messages, 2 * columns * (rows_of_patches / S + 2) + 20 + columns);
    }
    const auto &few = rows[2], &many = rows[4]; // 30 and 1,000 fields
    EXPECT_EQ(few.steady.messages, many.steady.messages);
    EXPECT_EQ(few.steady.bytes, many.steady.bytes);
    EXPECT_LT(static_cast<double>(many.first.bytes), 1.1 * static_cast<double>(few.first.bytes));
}

} // namespace squall::io::servers
