#include "placements/servers/losses.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace squall::io::servers {
namespace {

constexpr double look_every = 0.05; ///< seconds

} // namespace

std::optional<std::pair<int, std::string>> Watch::look(const std::function<std::set<int>()> &awaited,
                                                       double now) {
    const double passed = now - looked_;
    if (passed < look_every) return std::nullopt;
    looked_ = now;
    const auto servers = awaited();
    std::erase_if(silence_, [&](const auto &s) { return !servers.contains(s.first); });
    for (const int server : servers) {
        const auto neighbour = neighbours_.find(server);
        if (neighbour != neighbours_.end() && neighbour->second.ended())
            return std::pair(server, fmt::format("I/O server rank {} has ended", server));
        if (deadline_ <= 0) continue;
        // A rank that computes does not listen: what has come meanwhile it reads before it looks.
        auto &silence = silence_[server];
        silence += std::min(passed, deadline_ / 8);
        if (silence > deadline_)
            return std::pair(
                server, fmt::format("I/O server rank {} has not responded for {:.1f} s, longer than timeout",
                                    server, silence));
    }
    return std::nullopt;
}

int Losses::group_of(int server) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
        if (std::ranges::find(groups_[g], server) != groups_[g].end()) return static_cast<int>(g);
    return -1;
}

std::string Losses::what() const {
    std::string all;
    for (const auto &[group, reason] : reasons_) all += (all.empty() ? "" : "; ") + reason;
    return all;
}

/// The group that takes the place of another; -1: there is none.
int Losses::next_living(int group) const {
    const int n = static_cast<int>(groups_.size());
    for (int next = group + 1; next < group + n; ++next)
        if (!lost(next % n)) return next % n;
    return -1;
}

void Losses::lose(int group, const std::string &reason, int told_by) {
    if (!reasons_.try_emplace(group, reason).second) return;
    const LossMessage message{group, reason};
    if (me_ != 0) {
        messages_.send(message, clients_.front());
    } else {
        for (const int client : clients_)
            if (client != clients_.front()) messages_.send(message, client);
    }
    if (told_by != clients_.front()) // which tells them itself
        for (const int server : groups_[static_cast<std::size_t>(group)]) messages_.send(message, server);
    const HoldMessage hold{group, done_by(group)};
    if (me_ == 0)
        hear(hold);
    else
        messages_.send(hold, clients_.front());
}

void Losses::hear(const HoldMessage &message) {
    auto &tally = tallies_[message.group];
    for (const auto &[stream, number] : message.done) {
        auto &last = tally.done.try_emplace(stream, number).first->second;
        last = std::max(last, number);
    }
    if (++tally.heard < clients_.size()) return;
    if (look) look(message.group, tally.done);
    const RedoMessage decision{
        message.group, next_living(message.group), ++generation_, {tally.done.begin(), tally.done.end()}};
    tallies_.erase(message.group);
    for (const int client : clients_)
        if (client != clients_.front()) messages_.send(decision, client);
    redo(decision);
}

} // namespace squall::io::servers
