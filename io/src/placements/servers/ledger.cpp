#include "placements/servers/ledger.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace squall::io::servers {
namespace {

constexpr std::size_t plans_kept = 4;     ///< of a rank and stream; sender.cpp keeps as many
constexpr std::size_t failures_kept = 64; ///< of a stream, for letters that come late

/// How many letters of a frame a server gets, by the verdict that it has heard.
std::size_t letters_by(const Word &verdict) {
    return verdict.letters.empty() ? 0 : static_cast<std::size_t>(verdict.letters.front().second);
}

} // namespace

Ledger::Ledger(Post &post, std::vector<int> servers, int me, std::vector<int> clients, double deadline)
    : post_(post), clients_(std::move(clients)),
      roll_call_(post, std::move(servers), me, static_cast<int>(clients_.size()), deadline),
      deadline_(deadline) {}

int Ledger::index_of(int rank) const {
    return static_cast<int>(std::ranges::lower_bound(clients_, rank) - clients_.begin());
}

void Ledger::add(std::int64_t stream, std::uint64_t declaration, std::shared_ptr<const ShareMaps> maps) {
    streams_[stream].declaration = declaration;
    streams_[stream].maps = std::move(maps);
    last_declared_[stream / generation_step] = stream;
}

bool Ledger::knows(std::int64_t stream) const {
    const auto last = last_declared_.find(stream / generation_step);
    return stream == session_stream || (last != last_declared_.end() && stream <= last->second);
}

void Ledger::hear(const PlanLetter &letter, int from) {
    const auto stream = streams_.find(letter.stream);
    if (stream == streams_.end()) return;
    auto known = std::make_shared<KnownPlan>(KnownPlan{letter.regions, letter.points, letter.tables});
    const auto &maps = *stream->second.maps;
    // Who declares the stream otherwise has other fields and boxes: of his letters only the words count.
    if (letter.declaration != stream->second.declaration) known->plan.regions.clear();
    for (auto &region : known->plan.regions)
        if (region.fields.empty()) region.fields = maps.fields_of(region.map, letter.per_frame);
    find_parts(known->plan, maps, roll_call_.me());
    auto &plans = stream->second.plans[index_of(from)];
    plans[letter.plan] = std::move(known);
    if (plans.size() > plans_kept) plans.erase(plans.begin());
}

void Ledger::hear(const FrameLetter &letter, int from, double now) {
    Arrival arrival{index_of(from), nullptr, letter, now};
    const auto client = arrival.client;
    const auto stream = streams_.find(letter.topic.stream);
    if (stream == streams_.end()) { // the others have closed it
        Outcome gone;
        gone.number = letter.topic.number;
        gone.time = letter.time;
        gone.fault = "the other computing ranks closed the stream before this frame arrived";
        answer(client, letter.topic, gone, 0);
        return late_.push_back(std::move(arrival));
    }
    if (letter.plan > 0) arrival.known = stream->second.plans[client][letter.plan];
    if (letter.to_home) roll_call_.speak(client, letter.topic, letter.word, now);
    const auto &failed = stream->second.lost;
    const auto lost = failed.find(letter.topic.number);
    if (lost != failed.end() && !gatherings_.contains(letter.topic)) {
        answer(client, letter.topic, lost->second, 0);
        return late_.push_back(std::move(arrival));
    }
    auto &gathering = gatherings_[letter.topic];
    gathering.waiting.push_back(client);
    gathering.since.push_back(now);
    if (gathering.passed) return late_.push_back(std::move(arrival));
    gathering.with_points += letter.plan > 0;
    gathering.arrivals.push_back(std::move(arrival));
}

void Ledger::hear(const CloseLetter &letter, int from, double now) {
    const Topic topic{letter.stream, close_number};
    if (letter.stream != session_stream) { // whoever says goodbye listens no more
        gatherings_[topic].waiting.push_back(index_of(from));
        gatherings_[topic].since.push_back(now);
    }
    Word word;
    word.speaker = index_of(from);
    roll_call_.speak(word.speaker, topic, word, now);
}

std::optional<Heard> Ledger::next() {
    while (auto verdict = roll_call_.next())
        verdicts_.push_back({verdict->first, std::move(verdict->second), 0, ""});
    if (verdicts_.empty()) return std::nullopt;
    auto &[topic, word, first, missing] = verdicts_.front();
    if (!knows(topic.stream)) return std::nullopt; // others were declared to, here it is still under way
    auto &gathering = gatherings_[topic];
    if (word.fault.empty() && missing.empty() && gathering.with_points < letters_by(word))
        return std::nullopt;
    Heard heard{topic, std::move(word), std::move(gathering.arrivals), std::move(missing)};
    verdicts_.pop_front();
    std::ranges::sort(heard.arrivals, {}, &Arrival::client);
    gathering.passed = true;
    over_ |= heard.topic.stream == session_stream; // `topic` is gone with the verdict
    return heard;
}

std::optional<Arrival> Ledger::late() {
    if (late_.empty()) return std::nullopt;
    auto first = std::move(late_.front());
    late_.pop_front();
    return first;
}

void Ledger::answer(int client, const Topic &topic, const Outcome &outcome, std::uint64_t stored_bytes) {
    DoneLetter letter{topic.stream, topic.number, at_home(client), {}, 0};
    if (letter.from_home) {
        letter.outcome = outcome;
        letter.stored_bytes = stored_bytes;
    }
    post_.send(letter, clients_[static_cast<std::size_t>(client)]);
}

void Ledger::done(const Topic &topic, const Outcome &outcome, std::uint64_t stored_bytes) {
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

void Ledger::tick(double now) {
    roll_call_.tick(now);
    if (deadline_ <= 0 || now - looked_ < deadline_ / 16) return;
    looked_ = now;
    look_for_missing(now);
    std::set<int> uneasy;
    for (const auto &[topic, gathering] : gatherings_)
        for (std::size_t w = 0; w < gathering.waiting.size(); ++w)
            if (now - std::max(gathering.since[w], told_[gathering.waiting[w]]) > deadline_ / 4)
                uneasy.insert(gathering.waiting[w]);
    for (const int client : uneasy) {
        post_.send(AliveLetter{}, clients_[static_cast<std::size_t>(client)]);
        told_[client] = now;
    }
}

/// Letters that all have spoken of, and that do not come.
void Ledger::look_for_missing(double now) {
    if (verdicts_.empty() || !knows(verdicts_.front().topic.stream)) return;
    auto &ruled = verdicts_.front();
    if (ruled.first == 0) ruled.first = now;
    const auto &gathering = gatherings_[ruled.topic];
    const auto expected = letters_by(ruled.verdict);
    if (now - ruled.first <= deadline_ || gathering.with_points >= expected) return;
    ruled.missing = fmt::format("no message about it has arrived from {} for {:.0f} s, longer than timeout",
                                without_letter(ruled.topic, gathering, expected), now - ruled.first);
}

/// Who has not written, if it is known: whose plan is here has points of most frames.
std::string Ledger::without_letter(const Topic &topic, const Gathering &gathering,
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

void Ledger::lost(int group, const std::string &reason) {
    std::set<int> those;
    for (int c = roll_call_.first(); c < roll_call_.first() + roll_call_.count(); ++c) those.insert(c);
    for (const auto &[topic, gathering] : gatherings_)
        those.insert(gathering.waiting.begin(), gathering.waiting.end());
    for (const int client : those)
        post_.send(LostLetter{group, reason}, clients_[static_cast<std::size_t>(client)]);
}

} // namespace squall::io::servers
