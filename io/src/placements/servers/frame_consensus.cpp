#include "placements/servers/frame_consensus.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace squall::io::servers {
namespace {

constexpr int fan_out = 8;            ///< servers below a server
constexpr std::size_t most_lines = 8; ///< of faults

void add_line(std::string &text, const std::string &line) {
    if (line.empty() || text.ends_with("\n...")) return;
    if (text.empty())
        text = line;
    else
        text +=
            static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1 < most_lines ? "\n" + line : "\n...";
}

std::string at(const Time &t) { return format_time(t, "%Y-%m-%d_%H:%M:%S"); }

bool same_file(const Vote &a, const Vote &b) {
    const auto bytes = [](const Vote &w) { return w.file ? pack(*w.file) : Bytes(); };
    return a.ends_file == b.ends_file && bytes(a) == bytes(b);
}

std::string deed(const Vote &w) {
    if (!w.file) return "names no file";
    return fmt::format("{} file {}", w.ends_file ? "closes" : "writes", w.file->path);
}

/// How a vote differs from the first rank's, or "".
std::string difference(const Vote &vote, const Vote &first) {
    if (vote.speaker < 0 || first.speaker < 0) return "";
    if (vote.declaration != first.declaration)
        return fmt::format("computing rank {} declares the stream differently from computing rank {}; every "
                           "rank must open it with equal arguments",
                           vote.speaker, first.speaker);
    if (!same(vote.time, first.time))
        return fmt::format(
            "computing rank {} commits the frame {}, but computing rank {} commits {}; every rank must "
            "commit the same frames in the same order: did one abandon a frame that others committed?",
            vote.speaker, at(vote.time), first.speaker, at(first.time));
    if (!same_file(vote, first))
        return fmt::format(
            "computing rank {} {}, but computing rank {} {}; every rank must open and close the "
            "same files, with equal attributes",
            vote.speaker, deed(vote), first.speaker, deed(first));
    return "";
}

} // namespace

Vote merge(std::vector<Vote> votes) {
    // Who does not speak for himself comes last.
    std::ranges::stable_sort(votes, {}, [](const Vote &w) { return static_cast<unsigned>(w.speaker); });
    Vote one = votes.front();
    std::map<int, int> messages(one.messages.begin(), one.messages.end());
    for (std::size_t w = 1; w < votes.size(); ++w) {
        add_line(one.fault, votes[w].fault);
        add_line(one.fault, difference(votes[w], one));
        one.skipped |= votes[w].skipped;
        for (const auto &[server, n] : votes[w].messages) messages[server] += n;
    }
    one.messages.assign(messages.begin(), messages.end());
    return one;
}

FrameConsensus::FrameConsensus(MessageSender &messages, std::vector<int> servers, int me, int clients,
                               double deadline)
    : messages_(messages), servers_(std::move(servers)), me_(me), clients_(clients), deadline_(deadline) {
    const int size = static_cast<int>(servers_.size());
    first_ = first_at_home(me, clients, size);
    children_ = std::clamp(size - child(0), 0, fan_out);
    voices_ = static_cast<std::size_t>(first_at_home(me + 1, clients, size) - first_ + children_);
    for (int c = 0; c < children_; ++c)
        if (!has_clients(child(c))) silent_.push_back(static_cast<std::size_t>(count() + c));
}

/// Whether any computing rank is at home at a server or below it: there may be more servers than ranks.
bool FrameConsensus::has_clients(int member) const {
    const int size = static_cast<int>(servers_.size());
    if (member >= size) return false;
    if (first_at_home(member + 1, clients_, size) > first_at_home(member, clients_, size)) return true;
    for (int c = 0; c < fan_out; ++c)
        if (has_clients(member * fan_out + 1 + c)) return true;
    return false;
}

int FrameConsensus::child(int n) const { return me_ * fan_out + 1 + n; }

/// Which of the servers right below this one another is, or is below of; -1: neither.
int FrameConsensus::member_under(int member) const {
    while (member > 0) {
        const int above = (member - 1) / fan_out;
        if (above == me_) return member;
        member = above;
    }
    return -1;
}

std::string FrameConsensus::name(std::size_t voice) const {
    if (static_cast<int>(voice) < count())
        return fmt::format("computing rank {}", first_ + static_cast<int>(voice));
    return fmt::format("the computing ranks of I/O server rank {}",
                       servers_[static_cast<std::size_t>(child(static_cast<int>(voice) - count()))]);
}

bool FrameConsensus::is_late(const Topic &topic) const {
    const auto last = passed_.find(topic.stream);
    return last != passed_.end() && topic.number <= last->second;
}

FrameConsensus::Poll &FrameConsensus::poll_of(const Topic &topic, double now) {
    const auto [at, fresh] = polls_.try_emplace(topic);
    auto &poll = at->second;
    if (!fresh) return poll;
    poll.votes.resize(voices_);
    poll.begun = now;
    for (const auto v : silent_) poll.votes[v].emplace();
    poll.heard = silent_.size();
    const auto closed = closed_.find(topic.stream);
    if (closed != closed_.end() && topic.number != close_number)
        for (std::size_t v = 0; v < voices_; ++v)
            if (closed->second[v]) close(v, topic);
    for (std::size_t v = 0; v < voices_; ++v)
        if (last_vote(v, topic.stream) > topic.number) fall_silent(v, topic);
    return poll;
}

/// Speaks for a voice that has closed the stream without this topic.
void FrameConsensus::close(std::size_t voice, const Topic &topic) {
    auto &poll = polls_.at(topic);
    if (poll.votes[voice]) return;
    Vote vote;
    vote.fault = fmt::format("{} closed the stream without this frame", name(voice));
    poll.votes[voice] = std::move(vote);
    ++poll.heard;
}

/// The last topic of a stream that a voice has spoken of.
std::int64_t FrameConsensus::last_vote(std::size_t voice, std::int64_t stream) const {
    const auto found = spoken_.find(stream);
    return found == spoken_.end() || found->second.empty() ? fixed_number - 1 : found->second[voice];
}

/// A voice speaks of all topics of a stream in their order: what it left out for a later one does not come.
void FrameConsensus::fall_silent(std::size_t voice, const Topic &topic) {
    auto &poll = polls_.at(topic);
    if (poll.votes[voice]) return;
    Vote vote;
    vote.fault =
        fmt::format("{} sent nothing about it, but did about later frames: a message was lost", name(voice));
    poll.votes[voice] = std::move(vote);
    ++poll.heard;
}

void FrameConsensus::speak(int client, const Topic &topic, Vote vote, double now) {
    take(static_cast<std::size_t>(client - first_), topic, std::move(vote), now);
    finish_complete();
}

void FrameConsensus::hear(int from, const ConsensusMessage &message, double now) {
    switch (message.kind) {
    case ConsensusMessage::Kind::up:
        take(static_cast<std::size_t>(count() + from - child(0)), message.topic, message.vote, now);
        break;
    case ConsensusMessage::Kind::down:
        require_in_order(from, message);
        return rule(message.topic, message.vote);
    case ConsensusMessage::Kind::nudge:
        if (!is_late(message.topic)) poll_of(message.topic, now);
        break;
    }
    finish_complete();
}

void FrameConsensus::take(std::size_t voice, const Topic &topic, Vote vote, double now) {
    if (is_late(topic)) return; // the verdict has been without it
    auto &poll = poll_of(topic, now);
    if (poll.votes[voice]) return;
    poll.votes[voice] = std::move(vote);
    ++poll.heard;
    if (topic.number != close_number) {
        auto &spoken = spoken_[topic.stream];
        spoken.resize(voices_, fixed_number - 1);
        spoken[voice] = std::max(spoken[voice], topic.number);
        for (auto at = polls_.lower_bound({topic.stream, fixed_number});
             at != polls_.end() && at->first < topic; ++at)
            fall_silent(voice, at->first);
        return;
    }
    auto &closed = closed_[topic.stream];
    closed.resize(voices_);
    closed[voice] = 1;
    for (auto at = polls_.lower_bound({topic.stream, fixed_number}); at != polls_.end() && at->first < topic;
         ++at)
        close(voice, at->first);
}

/// Passes on the topics of which all have spoken.
void FrameConsensus::finish_complete() {
    for (auto at = polls_.begin(); at != polls_.end();) {
        if (at->second.heard < voices_) {
            ++at;
            continue;
        }
        const auto topic = at->first;
        std::vector<Vote> votes;
        for (auto &vote : at->second.votes) votes.push_back(std::move(*vote));
        at = polls_.erase(at);
        passed_[topic.stream] = topic.number;
        auto one = merge(std::move(votes));
        if (me_ == 0)
            rule(topic, std::move(one));
        else
            messages_.send(ConsensusMessage{ConsensusMessage::Kind::up, topic, std::move(one), 0},
                           servers_[static_cast<std::size_t>((me_ - 1) / fan_out)]);
    }
}

void FrameConsensus::require_in_order(int from, const ConsensusMessage &verdict) const {
    if (verdict.place == ruled_ + 1) return;
    const auto rank = [this](int server) { return servers_[static_cast<std::size_t>(server)]; };
    throw Error(fmt::format("a message from I/O server rank {} to rank {} about a frame is lost, and the two "
                            "can no longer write together; check the network between their nodes",
                            rank(from), rank(me_)));
}

/// The verdict is known: servers below hear it, with what concerns them.
void FrameConsensus::rule(const Topic &topic, Vote verdict) {
    std::vector<std::vector<std::pair<int, int>>> messages(static_cast<std::size_t>(children_));
    std::vector<std::pair<int, int>> mine;
    for (const auto &entry : verdict.messages) {
        if (entry.first == me_) mine.push_back(entry);
        const int under = member_under(entry.first);
        if (under >= 0) messages[static_cast<std::size_t>(under - child(0))].push_back(entry);
    }
    for (int c = 0; c < children_; ++c) {
        verdict.messages = std::move(messages[static_cast<std::size_t>(c)]);
        messages_.send(ConsensusMessage{ConsensusMessage::Kind::down, topic, verdict, ruled_ + 1},
                       servers_[static_cast<std::size_t>(child(c))]);
    }
    verdict.messages = std::move(mine);
    ++ruled_;
    passed_[topic.stream] = topic.number;
    if (topic.number == close_number) {
        closed_.erase(topic.stream);
        spoken_.erase(topic.stream);
        passed_.erase(topic.stream);
    }
    verdicts_.emplace_back(topic, std::move(verdict));
}

void FrameConsensus::tick(double now) {
    if (deadline_ <= 0 || now - looked_ < deadline_ / 16) return;
    looked_ = now;
    for (auto &[topic, poll] : polls_) {
        const double age = now - poll.begun;
        if (topic.number == close_number) continue; // a rank may close as late as it likes
        if (age > deadline_ / 4 && !poll.nudged) {
            poll.nudged = true; // servers below, whom nobody may have spoken to of it, count from now
            for (int c = 0; c < children_; ++c)
                if (!poll.votes[static_cast<std::size_t>(count() + c)])
                    messages_.send(ConsensusMessage{ConsensusMessage::Kind::nudge, topic, {}, 0},
                                   servers_[static_cast<std::size_t>(child(c))]);
        }
        for (std::size_t v = 0; v < voices_; ++v) {
            const bool below = static_cast<int>(v) >= count();
            if (poll.votes[v] || age <= (below ? 2 : 1) * deadline_) continue;
            Vote vote;
            vote.fault =
                fmt::format("{} has sent nothing about it for {:.0f} s, longer than timeout", name(v), age);
            poll.votes[v] = std::move(vote);
            ++poll.heard;
        }
    }
    finish_complete();
}

std::optional<std::pair<Topic, Vote>> FrameConsensus::next() {
    if (verdicts_.empty()) return std::nullopt;
    auto first = std::move(verdicts_.front());
    verdicts_.pop_front();
    return first;
}

} // namespace squall::io::servers
