#include "placements/servers/message_dispatcher.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/clock.hpp"

namespace squall::io::servers {
namespace {

constexpr int looks_at_last_messages =
    16; // MPI looks at slow ways once in eight times, so as not to miss one

ServerRanks server_ranks_of(const SessionRanks &session_ranks) {
    ServerRanks p;
    p.client = static_cast<int>(std::ranges::lower_bound(session_ranks.clients, session_ranks.rank) -
                                session_ranks.clients.begin());
    p.clients = static_cast<int>(session_ranks.clients.size());
    for (const auto &group : session_ranks.groups) p.groups.push_back(group.ranks);
    return p;
}

} // namespace

MessageDispatcher::MessageDispatcher(const SessionRanks &session_ranks)
    : server_ranks_(server_ranks_of(session_ranks)), messages_(session_ranks.all),
      losses_(messages_, server_ranks_.client, session_ranks.clients, server_ranks_.groups),
      watch_(session_ranks.neighbours, session_ranks.spec.timeout) {
    losses_.done_by = [this](int group) {
        FrameNumbers done;
        for (const auto *stream : streams_) stream->add_done(group, done);
        for (const auto &[g, wire] : closed_)
            if (g == group) done.emplace_back(wire, close_number);
        return done;
    };
    losses_.look = [this](int group, std::map<std::int64_t, std::int64_t> &done) {
        for (const auto *stream : streams_) stream->add_published(group, done);
    };
    losses_.redo = [this](const RedoMessage &message) {
        for (auto *stream : streams_) stream->redo(message);
    };
}

void MessageDispatcher::poll() {
    read_messages();
    for (auto *stream : streams_) stream->tidy();
    const auto gone = watch_.look(
        [this] {
            std::set<int> servers;
            for (const auto *stream : streams_) stream->add_awaited(servers);
            return servers;
        },
        steady_now());
    if (gone) told_lost_.emplace_back(LossMessage{losses_.group_of(gone->first), gone->second}, -1);
    take_in_losses();
}

/// What a server said before it ended counts: this rank may not have read it yet, because it computed for
/// long, because another's word of the end overtook it, or because a look for messages that found none only
/// moved them along inside MPI.
void MessageDispatcher::take_in_losses() {
    if (told_lost_.empty()) return;
    for (int look = 0; look < looks_at_last_messages; ++look) read_messages();
    for (const auto &[lost, teller] : std::exchange(told_lost_, {}))
        losses_.lose(lost.group, lost.reason, teller);
}

void MessageDispatcher::read_messages() {
    ServerMessage message;
    int from = 0;
    while (messages_.receive(message, from)) take_in(message, from);
}

void MessageDispatcher::take_in(const ServerMessage &message, int from) {
    watch_.heard(from);
    if (const auto *done = std::get_if<Acknowledgement>(&message)) {
        if (losses_.lost(losses_.group_of(from))) return; // others do it again
        for (auto *stream : streams_) stream->hear(*done, from);
    } else if (const auto *lost = std::get_if<LossMessage>(&message)) {
        told_lost_.emplace_back(*lost, from);
    } else if (const auto *hold = std::get_if<HoldMessage>(&message)) {
        losses_.hear(*hold);
    } else if (const auto *redo = std::get_if<RedoMessage>(&message)) {
        losses_.hear(*redo);
    }
}

void MessageDispatcher::note_closed(int group, std::int64_t wire) {
    constexpr std::size_t kept = 256; // ranks close streams together: none is further behind
    closed_.emplace_back(group, wire);
    if (closed_.size() > kept) closed_.pop_front();
}

int MessageDispatcher::take_tag() {
    if (tags_.size() > static_cast<std::size_t>(last_points_tag - first_points_tag))
        throw Error(fmt::format("{} frames are in flight to servers at once; wait for some", tags_.size()));
    do last_tag_ = last_tag_ == last_points_tag ? first_points_tag : last_tag_ + 1;
    while (!tags_.insert(last_tag_).second);
    return last_tag_;
}

} // namespace squall::io::servers
