#include "placements/servers/server_channel.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/clock.hpp"
#include "placements/servers/point_messages.hpp"
#include "publish/published.hpp"

namespace squall::io::servers {

/// Bytes for the tables of frames under way, which are a number for each block; what has no room goes in
/// messages.
static constexpr std::size_t tables_limit = std::size_t(16) << 20;

ServerChannel::ServerChannel(SessionRanks &session_ranks, const PlacedStream &stream, int group,
                             std::int64_t wire, const std::shared_ptr<const ShareMaps> &maps)
    : session_ranks_(session_ranks), stream_(stream), dispatcher_(*session_ranks.dispatcher), group_(group),
      wire_(wire), tables_(std::make_shared<Pool>(
                       std::make_shared<Arena>(tables_limit, stream.pool->descriptor() >= 0), 0)),
      bytes_at_(session_ranks.groups[static_cast<std::size_t>(group)].ranks.size()),
      sender_(dispatcher_.messages(), dispatcher_.server_ranks(), wire, hash(stream.layout->spec_as_declared),
              group, maps) {
    const auto &layout = *stream.layout;
    for (int f = 0; f < layout.staged_fields(); ++f) {
        const auto &field = layout.staged(f);
        const auto bytes = size_of(field.staged) * (field.field.per_frame && layout.in_file(f) ? 2 : 1);
        for (const auto &share : maps->map(f).shares())
            bytes_at_[static_cast<std::size_t>(share.writer)] +=
                static_cast<std::size_t>(volume(share.box)) * bytes;
    }
    if (dispatcher_.server_ranks().client == 0) sender_.declare(pack(stream.layout->spec_as_declared));
    const auto who = stream.layout->option("encode", "auto");
    encodes_always_ = who == "ranks";
    if (stream.layout->engine->encoder && who != "servers")
        encoder_ = stream.layout->engine->encoder(*stream.layout);
}

/// A stream that ends without close(): servers may still read what they have not answered, which stays as
/// long as the process.
ServerChannel::~ServerChannel() {
    static auto *kept = new std::vector<UnderWay>; // never destroyed
    for (auto &[number, under_way] : frames_) {
        abandon(under_way);
        if (under_way.awaited.empty()) continue;
        if (!under_way.frame) under_way.frame = stream_.fixed->share();
        kept->push_back(std::move(under_way));
    }
}

/// MPI may still read what was being sent: it stays as long as the process.
void ServerChannel::abandon(UnderWay &under_way) {
    int sent = 1;
    MPI_Testall(static_cast<int>(under_way.requests.size()), under_way.requests.data(), &sent,
                MPI_STATUSES_IGNORE);
    if (sent) {
        if (under_way.tag > 0) dispatcher_.give_back_tag(under_way.tag);
        return;
    }
    for (auto &request : under_way.requests)
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    new std::shared_ptr<Pool>(stream_.pool);
    new std::vector<Memory>(std::move(under_way.bundles));
}

int ServerChannel::rank_of(int server) const {
    return session_ranks_.groups[static_cast<std::size_t>(group_)].ranks[static_cast<std::size_t>(server)];
}

void ServerChannel::commit(std::unique_ptr<StagedHere> frame, double committed) {
    const auto number = frame->number;
    auto &staged = *frame;
    if (!fixed_sent_ && !dispatcher_.losses().lost(group_)) {
        fixed_sent_ = true;
        send(frames_[fixed_number], *stream_.fixed, fixed_number);
    }
    auto &under_way = frames_[number];
    const auto file_number = staged.file ? staged.file->number : stream_.layout->file_number(number);
    if (file_number != std::exchange(file_number_, file_number)) {
        file_ = staged.file ? staged.file->path : format_time(staged.time, stream_.layout->spec.path);
        first_in_file_ = number;
    }
    under_way.file = file_;
    under_way.in_file = number - first_in_file_;
    under_way.frame = std::move(frame);
    under_way.committed = committed;
    if (!dispatcher_.losses().lost(group_)) send(under_way, staged, number);
}

void ServerChannel::close() {
    if (close_said_ || dispatcher_.losses().lost(group_)) return;
    close_said_ = true;
    sender_.close();
}

/// Announces what is under way, and sends the points to servers that do not see them.
void ServerChannel::send(UnderWay &under_way, StagedHere &staged, std::int64_t number) {
    // What was put wrongly is not sent; what is right of it has no use then.
    const bool whole = staged.fault.empty() && !staged.skipped;
    const auto *plan = whole ? &plan_for(staged, number != fixed_number) : nullptr;
    auto fault = staged.fault;
    const bool in_table = plan && write_table(under_way, staged, *plan);
    Bundles bundles;
    try {
        if (plan && number != fixed_number) bundles = encode(under_way, staged, *plan, in_table);
    } catch (const std::exception &e) { // a value that cannot be packed
        fault = e.what();
        plan = nullptr;
    }
    Vote vote;
    vote.time = staged.time;
    vote.skipped = staged.skipped;
    vote.file = staged.file;
    vote.in_file = staged.in_file;
    vote.ends_file = staged.ends_file;
    if (!fault.empty())
        vote.fault = fmt::format("computing rank {}: {}", dispatcher_.server_ranks().client, fault);
    const auto by_messages = [&](int rank, const ServerPlan &part) {
        return !in_table || !sees(rank) || bundles.contains(&part);
    };
    const auto points_of = [&](const ServerPlan &part) -> const ServerPlan & {
        const auto bundle = bundles.find(&part);
        return bundle == bundles.end() ? part : bundle->second.split.points;
    };
    if (plan && std::ranges::any_of(plan->for_servers,
                                    [&](const auto &s) { return by_messages(rank_of(s.first), s.second); }))
        under_way.tag = dispatcher_.take_tag();
    under_way.awaited =
        sender_.announce(plan, number, vote, under_way.tag, [&](int rank, const ServerPlan &part) {
            if (!by_messages(rank, part)) return Passage{0, under_way.table.shared_offset()};
            const auto bytes = bundles.contains(&part) ? bundles.at(&part).size : 0;
            return Passage{messages_of(points_of(part), *stream_.layout) + messages_of(bytes), 0, bytes};
        });
    if (!plan) return;
    for (const auto &[server, part] : plan->for_servers) {
        const int rank = rank_of(server);
        if (!by_messages(rank, part)) continue;
        send_points(
            points_of(part), *stream_.layout,
            [&](const Region &region, std::size_t f, const Part &) -> Place {
                const auto b = plan->table[static_cast<std::size_t>(region.first) + f];
                return {&region.box, const_cast<std::byte *>(staged.blocks[b].memory.points())}; // sent only
            },
            rank, under_way.tag, session_ranks_.all, under_way.requests);
        if (bundles.contains(&part))
            send_bytes(bundles.at(&part).bytes, bundles.at(&part).size, rank, under_way.tag,
                       session_ranks_.all, under_way.requests);
    }
}

/// Whether servers have not stored a frame before this one: then they take longer than there is between two.
bool ServerChannel::behind(std::int64_t number) const {
    return std::ranges::any_of(frames_, [&](const auto &f) {
        return f.first != fixed_number && f.first < number && !f.second.awaited.empty();
    });
}

/// Whether a server's staging memory holds its part of a frame as points and compressed.
bool ServerChannel::holds_both(int server) const {
    const auto &layout = *stream_.layout;
    const auto limit =
        layout.spec.staging_limit > 0 ? layout.spec.staging_limit : session_ranks_.spec.staging_limit;
    return bytes_at_[static_cast<std::size_t>(server)] <= limit;
}

/// Compresses what servers get whole chunks of: always, or while they are behind, if it must be sent at all
/// and they have room. Throws Error.
ServerChannel::Bundles ServerChannel::encode(UnderWay &under_way, const StagedHere &staged,
                                             const FramePlan &plan, bool in_table) {
    Bundles bundles;
    if (!encoder_ || (!encodes_always_ && !behind(staged.number))) return bundles;
    for (const auto &[server, part] : plan.for_servers) {
        if (!encodes_always_ && ((in_table && sees(rank_of(server))) || !holds_both(server))) continue;
        auto two = split(part, *stream_.layout, *encoder_);
        if (!two.any()) continue;
        // Points, which are in the stage already, are sent where there is no room for what comes of them.
        const auto most = bytes_of(two, *stream_.layout);
        auto *room = stream_.pool->take(most);
        if (!room) continue;
        Memory memory(stream_.pool, room, most);
        const auto bytes = servers::encode(
            two, *stream_.layout, *encoder_,
            [&](std::int64_t place) {
                return staged.blocks[plan.table[static_cast<std::size_t>(place)]].memory.points();
            },
            {memory.data(), most});
        if (bytes == 0) continue;
        memory.shrink(bytes);
        stream_.tally->travelled_encoded(bytes);
        bundles[&part] = {std::move(two), memory.points(), static_cast<std::int64_t>(bytes)};
        under_way.bundles.push_back(std::move(memory));
    }
    return bundles;
}

const FramePlan &ServerChannel::plan_for(const StagedHere &staged, bool per_frame) {
    return sender_.plan(per_frame, staged.boxes(), [&](int server) {
        const auto part = [&](const Pool &pool) {
            if (!sees(server) || pool.descriptor() < 0) return SharedMemory();
            return SharedMemory{getpid(), pool.descriptor(), static_cast<std::int64_t>(pool.extent())};
        };
        return std::pair(part(*stream_.pool), part(*tables_));
    });
}

/// Writes where the blocks are; false if servers cannot see all of them: a spilled block is in a file.
bool ServerChannel::write_table(UnderWay &under_way, const StagedHere &staged, const FramePlan &plan) {
    if (stream_.pool->descriptor() < 0 || tables_->descriptor() < 0 || plan.table.empty()) return false;
    std::vector<std::int64_t> offsets;
    for (const auto b : plan.table) {
        const auto offset = staged.blocks[b].memory.shared_offset();
        if (offset < 0) return false;
        offsets.push_back(offset);
    }
    const auto bytes = offsets.size() * sizeof(std::int64_t);
    auto *room = tables_->take(bytes);
    if (!room) return false;
    under_way.table = Memory(tables_, room, bytes);
    std::memcpy(room, offsets.data(), bytes);
    return true;
}

void ServerChannel::hear(const Acknowledgement &message, int server) {
    if (message.number == close_number) {
        closed_ = true;
        stored_bytes_ += message.stored_bytes;
        if (!message.outcome.fault.empty()) stream_.tally->done(message.outcome);
        return;
    }
    const auto found = frames_.find(message.number);
    if (found == frames_.end()) return;
    auto &under_way = found->second;
    std::erase(under_way.awaited, server);
    if (!message.from_home || !under_way.frame) return;
    last_done_ = std::max(last_done_, message.number);
    under_way.told = true;
    auto outcome = message.outcome;
    outcome.committed = under_way.committed;
    stream_.tally->done(outcome);
}

void ServerChannel::tidy() {
    if (dispatcher_.losses().lost(group_)) return;
    for (auto at = frames_.begin(); at != frames_.end();) {
        auto &under_way = at->second;
        int sent = 1;
        MPI_Testall(static_cast<int>(under_way.requests.size()), under_way.requests.data(), &sent,
                    MPI_STATUSES_IGNORE);
        if (!under_way.awaited.empty() || (!sent && !nobody_wants(under_way))) {
            ++at;
            continue;
        }
        abandon(under_way);
        at = frames_.erase(at);
    }
}

/// Messages that servers which have answered do not receive are never received.
bool ServerChannel::nobody_wants(UnderWay &under_way) const {
    const double deadline = session_ranks_.spec.timeout, time = steady_now();
    if (under_way.answered == 0) under_way.answered = time;
    return deadline > 0 && time - under_way.answered > deadline;
}

void ServerChannel::add_awaited(std::set<int> &servers) const {
    if (dispatcher_.losses().lost(group_)) return;
    for (const auto &[number, under_way] : frames_)
        servers.insert(under_way.awaited.begin(), under_way.awaited.end());
    if (close_said_ && !closed_) servers.insert(rank_of(dispatcher_.server_ranks().home(group_)));
}

std::string ServerChannel::awaiting() const {
    for (const auto &[number, under_way] : frames_)
        if (under_way.frame && !under_way.awaited.empty())
            return fmt::format("rank {} (I/O server) to store frame {}", fmt::join(under_way.awaited, ", "),
                               format_time(under_way.frame->time, "%Y-%m-%d_%H:%M:%S"));
    return "";
}

bool ServerChannel::idle() const {
    return std::ranges::all_of(frames_, [](const auto &f) { return !f.second.frame || f.second.told; });
}

std::vector<std::pair<std::unique_ptr<StagedHere>, double>> ServerChannel::give_up(std::int64_t done) {
    std::vector<std::pair<std::unique_ptr<StagedHere>, double>> left;
    for (auto &[number, under_way] : frames_) {
        abandon(under_way);
        if (!under_way.frame) continue;
        if (number > done) {
            left.emplace_back(std::move(under_way.frame), under_way.committed);
        } else if (!under_way.told) { // others were told
            stream_.tally->done(outcome_of(under_way));
        }
    }
    frames_.clear();
    closed_ = done == close_number;
    return left;
}

std::int64_t ServerChannel::last_published(std::int64_t done) const {
    const auto &spec = stream_.layout->spec;
    // What is there may be of an earlier run, or in another directory.
    if (spec.replace || spec.append || !spec.burst_dir.empty()) return done;
    for (const auto &[number, under_way] : frames_) {
        if (!under_way.frame || number <= done) continue;
        if (under_way.frame->ends_file) break; // may be done again
        if (!is_published(*stream_.layout, under_way.file, under_way.in_file)) break;
        done = number;
    }
    return done;
}

std::vector<Outcome> ServerChannel::forsake() {
    std::vector<Outcome> lost;
    if (!dispatcher_.losses().lost(group_)) return lost;
    for (auto &[number, under_way] : frames_) {
        abandon(under_way);
        if (under_way.frame && !under_way.told) lost.push_back(outcome_of(under_way));
    }
    frames_.clear();
    return lost;
}

Outcome ServerChannel::outcome_of(const UnderWay &under_way) {
    Outcome outcome;
    outcome.number = under_way.frame->number;
    outcome.time = under_way.frame->time;
    outcome.ends_file = under_way.frame->ends_file;
    outcome.committed = outcome.begun = under_way.committed;
    outcome.ended = now();
    return outcome;
}

} // namespace squall::io::servers
