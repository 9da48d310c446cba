#include "placements/servers/server_queue.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace squall::io::servers {
namespace {

constexpr std::size_t plans_kept = 4;     ///< of a rank and stream; sender.cpp keeps as many
constexpr std::size_t failures_kept = 64; ///< of a stream, for messages that come late

/// How many messages of a frame a server gets, by the verdict that it has heard.
std::size_t messages_by(const Vote &verdict) {
    return verdict.messages.empty() ? 0 : static_cast<std::size_t>(verdict.messages.front().second);
}

} // namespace

ServerQueue::ServerQueue(MessageSender &messages, std::vector<int> servers, int me, std::vector<int> clients,
                         double deadline)
    : messages_(messages), clients_(std::move(clients)),
      consensus_(messages, std::move(servers), me, static_cast<int>(clients_.size()), deadline),
      deadline_(deadline) {}

int ServerQueue::index_of(int rank) const {
    return static_cast<int>(std::ranges::lower_bound(clients_, rank) - clients_.begin());
}

void ServerQueue::add(std::int64_t stream, std::uint64_t declaration, std::shared_ptr<const ShareMaps> maps) {
    streams_[stream].declaration = declaration;
    streams_[stream].maps = std::move(maps);
    last_declared_[stream / generation_step] = stream;
}

bool ServerQueue::knows(std::int64_t stream) const {
    const auto last = last_declared_.find(stream / generation_step);
    return stream == session_stream || (last != last_declared_.end() && stream <= last->second);
}

void ServerQueue::hear(const PlanMessage &message, int from) {
    const auto stream = streams_.find(message.stream);
    if (stream == streams_.end()) return;
    auto known = std::make_shared<KnownPlan>(KnownPlan{message.regions, message.points, message.tables});
    const auto &maps = *stream->second.maps;
    // Who declares the stream otherwise has other fields and boxes: only his votes count.
    if (message.declaration != stream->second.declaration) known->plan.regions.clear();
    for (auto &region : known->plan.regions)
        if (region.fields.empty()) region.fields = maps.fields_of(region.map, message.per_frame);
    find_parts(known->plan, maps, consensus_.me());
    auto &plans = stream->second.plans[index_of(from)];
    plans[message.plan] = std::move(known);
    if (plans.size() > plans_kept) plans.erase(plans.begin());
}

void ServerQueue::hear(const FrameMessage &message, int from, double now) {
    Arrival arrival{index_of(from), nullptr, message, now};
    const auto client = arrival.client;
    const auto stream = streams_.find(message.topic.stream);
    if (stream == streams_.end()) { // the others have closed it
        Outcome gone;
        gone.number = message.topic.number;
        gone.time = message.time;
        gone.fault = "the other computing ranks closed the stream before this frame arrived";
        answer(client, message.topic, gone, 0);
        return late_.push_back(std::move(arrival));
    }
    if (message.plan > 0) arrival.known = stream->second.plans[client][message.plan];
    if (message.to_home) consensus_.speak(client, message.topic, message.vote, now);
    const auto &failed = stream->second.lost;
    const auto lost = failed.find(message.topic.number);
    if (lost != failed.end() && !gatherings_.contains(message.topic)) {
        answer(client, message.topic, lost->second, 0);
        return late_.push_back(std::move(arrival));
    }
    auto &gathering = gatherings_[message.topic];
    gathering.waiting.push_back(client);
    gathering.since.push_back(now);
    if (gathering.passed) return late_.push_back(std::move(arrival));
    gathering.with_points += message.plan > 0;
    gathering.arrivals.push_back(std::move(arrival));
}

void ServerQueue::hear(const CloseMessage &message, int from, double now) {
    const Topic topic{message.stream, close_number};
    if (message.stream != session_stream) { // whoever says goodbye listens no more
        gatherings_[topic].waiting.push_back(index_of(from));
        gatherings_[topic].since.push_back(now);
    }
    Vote vote;
    vote.speaker = index_of(from);
    consensus_.speak(vote.speaker, topic, vote, now);
}

std::optional<Heard> ServerQueue::next() {
    while (auto verdict = consensus_.next())
        verdicts_.push_back({verdict->first, std::move(verdict->second), 0, ""});
    if (verdicts_.empty()) return std::nullopt;
    auto &[topic, vote, first, missing] = verdicts_.front();
    if (!knows(topic.stream)) return std::nullopt; // others were declared to, here it is still under way
    auto &gathering = gatherings_[topic];
    if (vote.fault.empty() && missing.empty() && gathering.with_points < messages_by(vote))
        return std::nullopt;
    Heard heard{topic, std::move(vote), std::move(gathering.arrivals), std::move(missing)};
    verdicts_.pop_front();
    std::ranges::sort(heard.arrivals, {}, &Arrival::client);
    gathering.passed = true;
    over_ |= heard.topic.stream == session_stream; // `topic` is gone with the verdict
    return heard;
}

std::optional<Arrival> ServerQueue::late() {
    if (late_.empty()) return std::nullopt;
    auto first = std::move(late_.front());
    late_.pop_front();
    return first;
}

void ServerQueue::answer(int client, const Topic &topic, const Outcome &outcome, std::uint64_t stored_bytes) {
    Acknowledgement message{topic.stream, topic.number, at_home(client), {}, 0};
    if (message.from_home) {
        message.outcome = outcome;
        message.stored_bytes = stored_bytes;
    }
    messages_.send(message, clients_[static_cast<std::size_t>(client)]);
}

void ServerQueue::done(const Topic &topic, const Outcome &outcome, std::uint64_t stored_bytes) {
    const auto found = gatherings_.find(topic);
    if (found == gatherings_.end()) return;
    for (const auto client : found->second.waiting) answer(client, topic, outcome, stored_bytes);
    gatherings_.erase(found);
    if (topic.number == close_number) {
        streams_.erase(topic.stream);
        return;
    }
    if (outcome.fault.empty()) return;
    auto &lost = streams_.at(topic.stream).lost;
    lost[topic.number] = outcome;
    if (lost.size() > failures_kept) lost.erase(lost.begin());
}

void ServerQueue::tick(double now) {
    consensus_.tick(now);
    if (deadline_ <= 0 || now - looked_ < deadline_ / 16) return;
    looked_ = now;
    look_for_missing(now);
    std::set<int> uneasy;
    for (const auto &[topic, gathering] : gatherings_)
        for (std::size_t w = 0; w < gathering.waiting.size(); ++w)
            if (now - std::max(gathering.since[w], told_[gathering.waiting[w]]) > deadline_ / 4)
                uneasy.insert(gathering.waiting[w]);
    for (const int client : uneasy) {
        messages_.send(Heartbeat{}, clients_[static_cast<std::size_t>(client)]);
        told_[client] = now;
    }
}

/// Messages that all have spoken of, and that do not come.
void ServerQueue::look_for_missing(double now) {
    if (verdicts_.empty() || !knows(verdicts_.front().topic.stream)) return;
    auto &ruled = verdicts_.front();
    if (ruled.first == 0) ruled.first = now;
    const auto &gathering = gatherings_[ruled.topic];
    const auto expected = messages_by(ruled.verdict);
    if (now - ruled.first <= deadline_ || gathering.with_points >= expected) return;
    ruled.missing = fmt::format("no message about it has arrived from {} for {:.0f} s, longer than timeout",
                                without_message(ruled.topic, gathering, expected), now - ruled.first);
}

/// Who has not written, if it is known: whose plan is here has points of most frames.
std::string ServerQueue::without_message(const Topic &topic, const Gathering &gathering,
                                         std::size_t expected) const {
    std::vector<int> silent;
    const auto stream = streams_.find(topic.stream);
    if (stream == streams_.end()) return "ranks that closed the stream";
    for (const auto &[client, plans] : stream->second.plans)
        if (std::ranges::find(gathering.arrivals, client, &Arrival::client) == gathering.arrivals.end())
            silent.push_back(client);
    const auto absent = expected - gathering.with_points;
    if (silent.size() == absent) return fmt::format("computing rank {}", fmt::join(silent, ", "));
    return fmt::format("{} of {} computing ranks that have points of it", absent, expected);
}

void ServerQueue::lost(int group, const std::string &reason) {
    std::set<int> those;
    for (int c = consensus_.first(); c < consensus_.first() + consensus_.count(); ++c) those.insert(c);
    for (const auto &[topic, gathering] : gatherings_)
        those.insert(gathering.waiting.begin(), gathering.waiting.end());
    for (const int client : those)
        messages_.send(LossMessage{group, reason}, clients_[static_cast<std::size_t>(client)]);
}

} // namespace squall::io::servers
