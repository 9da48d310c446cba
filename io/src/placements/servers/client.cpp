#include "placements/servers/client.hpp"

#include <algorithm>
#include <list>
#include <map>

#include <unistd.h>

#include <fmt/format.h>

#include "parcels.hpp"
#include "placements/servers/slabs.hpp"
#include "placements/servers/wire.hpp"
#include "session.hpp"

namespace squall::io {
namespace {

/// A frame that servers still need.
struct UnderWay {
    std::unique_ptr<StagedHere> frame;
    std::vector<int> awaited; ///< servers that have not said that they are done
    std::vector<MPI_Request> requests;
    double committed = 0;
};

class OnServers;

/// Receives for all streams of a session: messages of one kind come from the same servers.
class Switchboard {
  public:
    explicit Switchboard(MPI_Comm comm) : comm_(comm), outbox_(comm) {}
    void add(int stream, OnServers *placement) { streams_[stream] = placement; }
    void remove(int stream) { streams_.erase(stream); }
    void poll();
    Outbox &outbox() { return outbox_; }

  private:
    MPI_Comm comm_;
    Outbox outbox_;
    std::map<int, OnServers *> streams_;
};

class OnServers final : public Placement {
  public:
    OnServers(SessionCore &session, PlacedStream stream)
        : session_(session), stream_(std::move(stream)),
          board_(std::static_pointer_cast<Switchboard>(session.switchboard)) {
        const auto declaration = pack(stream_.layout->spec_as_declared);
        declaration_ = hash(declaration);
        for (const auto &group : session.groups)
            holdings_.push_back(
                slabs(*stream_.layout, static_cast<int>(group.ranks.size()), session.spec.assignment));
        fixed_sent_.resize(session.groups.size());
        if (session.rank == session.clients.front()) declare(declaration);
        board_->add(stream_.number, this);
    }
    ~OnServers() override {
        board_->remove(stream_.number);
        for (auto &[number, under_way] : frames_)
            for (auto &request : under_way.requests) MPI_Request_free(&request);
    }

    void progress() override { board_->poll(); }

    void commit(std::unique_ptr<StagedHere> frame) override {
        const auto number = frame->number;
        const auto g = static_cast<std::size_t>(stream_.layout->file_number(number)) % session_.groups.size();
        const auto &ranks = session_.groups[g].ranks;
        auto &under_way = frames_[number];
        under_way.frame = std::move(frame);
        under_way.awaited = ranks;
        under_way.committed = now();
        for (std::size_t s = 0; s < ranks.size(); ++s)
            hand_over(under_way, ranks[s], static_cast<int>(s), holdings_[g], !fixed_sent_[g]);
        fixed_sent_[g] = true;
        board_->poll();
    }

    std::string awaiting() const override {
        if (frames_.empty()) return "all servers to close";
        const auto &[number, under_way] = *frames_.begin();
        return fmt::format("rank {} (I/O server) to store frame {}", fmt::join(under_way.awaited, ", "),
                           format_time(under_way.frame->time, "%Y-%m-%d_%H:%M:%S"));
    }

    void close() override {
        Header header;
        header.kind = Header::Kind::close;
        header.stream = stream_.number;
        header.declaration = declaration_;
        int open = 0;
        for (const auto &group : session_.groups)
            for (const int server : group.ranks) {
                board_->outbox().send(pack(header), server, header_tag);
                ++open;
            }
        session_.patience.until(
            [&] {
                board_->poll();
                return closed_ == open && frames_.empty();
            },
            [&] {
                return fmt::format("the servers to finish stream {}: {}", stream_.layout->spec.name,
                                   awaiting());
            });
    }

    std::uint64_t stored_bytes() const override { return stored_bytes_; }

    /// A server's word.
    void hear(const Done &done, int server) {
        stored_bytes_ += done.closed && done.leads ? done.stored_bytes : 0;
        closed_ += done.closed;
        auto outcome = done.outcome;
        const auto found = frames_.find(outcome.number);
        if (found != frames_.end()) {
            outcome.committed = found->second.committed;
            if (!done.closed) std::erase(found->second.awaited, server);
        }
        if (done.leads && (!done.closed || !outcome.fault.empty())) stream_.log->done(outcome);
    }

    /// Lets go of frames that nobody needs any more.
    void tidy() {
        for (auto at = frames_.begin(); at != frames_.end();) {
            auto &under_way = at->second;
            int sent = 1;
            MPI_Testall(static_cast<int>(under_way.requests.size()), under_way.requests.data(), &sent,
                        MPI_STATUSES_IGNORE);
            at = sent && under_way.awaited.empty() ? frames_.erase(at) : std::next(at);
        }
    }

  private:
    void declare(const Bytes &declaration) {
        Bytes letter{static_cast<std::uint8_t>(stream_.number & 0xff),
                     static_cast<std::uint8_t>(stream_.number >> 8)};
        letter.insert(letter.end(), declaration.begin(), declaration.end());
        for (const auto &group : session_.groups)
            for (const int server : group.ranks) board_->outbox().send(letter, server, declare_tag);
    }

    void hand_over(UnderWay &under_way, int rank, int server, const std::vector<Holdings> &holdings,
                   bool with_fixed) {
        auto &frame = *under_way.frame;
        Header header;
        header.stream = stream_.number;
        header.declaration = declaration_;
        header.number = frame.number;
        header.time = frame.time;
        header.fault = frame.fault;
        header.skipped = frame.skipped;
        const bool shared = session_.shared[rank] && stream_.pool->descriptor() >= 0;
        if (shared) {
            header.process = getpid();
            header.descriptor = stream_.pool->descriptor();
            header.memory = static_cast<std::int64_t>(stream_.pool->limit());
        }
        header.with_fixed = with_fixed;
        // What was put wrongly is not sent; what is right of it has no use then.
        std::vector<Block *> moving = frame.fault.empty()
                                          ? offer(frame.blocks, server, holdings, header.offers)
                                          : std::vector<Block *>{};
        std::vector<Block *> fixed;
        if (with_fixed) {
            if (header.fault.empty()) header.fault = stream_.fixed().fault;
            fixed = offer(stream_.fixed().blocks, server, holdings, header.fixed);
        }
        // A block in a spill file is not in the memory that servers see.
        const bool spilled = std::ranges::any_of(moving, [](Block *b) { return b->memory.in_file(); });
        if (spilled) header.descriptor = -1;
        board_->outbox().send(pack(header), rank, header_tag);
        if (header.descriptor >= 0) return;
        send_points(under_way, rank, server, holdings, moving, header.offers);
        send_points(under_way, rank, server, holdings, fixed, header.fixed);
    }

    /// The blocks that a server has a part of.
    std::vector<Block *> offer(std::vector<Block> &blocks, int server, const std::vector<Holdings> &holdings,
                               std::vector<Offer> &offers) const {
        std::vector<Block *> offered;
        std::vector<Offer> all;
        for (auto &b : blocks)
            all.push_back(
                {b.field, b.box, b.memory.in_file() ? -1 : stream_.pool->offset_of(b.memory.data())});
        std::size_t last = all.size();
        for (const auto &part : parts_for(server, all, holdings)) {
            if (part.offer == last) continue;
            last = part.offer;
            offers.push_back(all[last]);
            offered.push_back(&blocks[last]);
        }
        return offered;
    }

    void send_points(UnderWay &under_way, int rank, int server, const std::vector<Holdings> &holdings,
                     const std::vector<Block *> &blocks, const std::vector<Offer> &offers) {
        for (const auto &part : parts_for(server, offers, holdings)) {
            auto &block = *blocks[part.offer];
            const Type type = stream_.layout->fields[block.field].staged;
            for (const auto &parcel : parcels(part.box, type)) {
                const MessageType message(parcel, block.box, type);
                MPI_Isend(message.in(block.memory.data()), 1, message, rank, points_tag_of(stream_.number),
                          session_.all, &under_way.requests.emplace_back());
            }
        }
    }

    SessionCore &session_;
    PlacedStream stream_;
    std::shared_ptr<Switchboard> board_;
    std::uint64_t declaration_ = 0;
    std::vector<std::vector<Holdings>> holdings_; ///< per group
    std::vector<bool> fixed_sent_;                ///< per group
    std::map<std::int64_t, UnderWay> frames_;
    int closed_ = 0;
    std::uint64_t stored_bytes_ = 0;
};

void Switchboard::poll() {
    outbox_.tidy();
    Bytes bytes;
    int from = 0;
    while (receive(comm_, done_tag, bytes, from)) {
        const auto done = unpack_done(bytes);
        const auto stream = streams_.find(done.stream);
        if (stream != streams_.end()) stream->second->hear(done, from);
    }
    for (auto &[number, stream] : streams_) stream->tidy();
}

} // namespace

std::unique_ptr<Placement> place_on_servers(SessionCore &session, PlacedStream stream) {
    if (session.groups.empty())
        throw Error(
            fmt::format("stream {}: placement servers, but the session has no servers; set servers or "
                        "servers_per_node",
                        stream.layout->spec.name));
    if (!session.switchboard) session.switchboard = std::make_shared<Switchboard>(session.all);
    return std::make_unique<OnServers>(session, std::move(stream));
}

void say_goodbye(SessionCore &session) {
    if (session.groups.empty()) return;
    Outbox outbox(session.all);
    Header header;
    header.kind = Header::Kind::goodbye;
    for (const auto &group : session.groups)
        for (const int server : group.ranks) outbox.send(pack(header), server, header_tag);
    session.patience.until(
        [&] {
            outbox.tidy();
            return outbox.empty();
        },
        [] { return std::string("the servers to hear that the session ends"); });
}

} // namespace squall::io
