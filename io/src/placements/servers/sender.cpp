#include "placements/servers/sender.hpp"

#include <algorithm>

namespace squall::io::servers {

constexpr std::size_t plans_kept = 4; ///< server_queue.cpp keeps as many

Sender::Sender(MessageSender &messages, const ServerRanks &server_ranks, std::int64_t stream,
               std::uint64_t declaration, int group, std::shared_ptr<const ShareMaps> maps)
    : messages_(messages), server_ranks_(server_ranks), stream_(stream), declaration_(declaration),
      group_(group), maps_(std::move(maps)) {}

void Sender::declare(const Bytes &declaration) {
    for (const int server : servers()) messages_.send(DeclareMessage{stream_, declaration}, server);
}

const FramePlan &Sender::plan(bool per_frame, const std::vector<std::pair<int, Box>> &boxes,
                              const Memory &memory) {
    for (const auto &route : routes_)
        if (route.per_frame == per_frame && route.boxes == boxes) return route.plan;
    routes_.push_back({++plans_, per_frame, boxes, make_plan(boxes, *maps_)});
    if (routes_.size() > plans_kept) routes_.pop_front();
    for (const auto &[server, plan] : routes_.back().plan.for_servers) {
        const int rank = servers()[static_cast<std::size_t>(server)];
        const auto [points, tables] = memory(rank);
        PlanMessage message{stream_, declaration_, plans_, per_frame, points, tables, plan};
        for (auto &region : message.regions.regions)
            if (region.fields == maps_->fields_of(region.map, per_frame)) region.fields.clear();
        messages_.send(message, rank);
    }
    return routes_.back().plan;
}

std::vector<int> Sender::announce(const FramePlan *plan, std::int64_t number, Vote vote, int tag,
                                  const std::function<Passage(int server, const ServerPlan &plan)> &passage) {
    const auto &ranks = servers();
    int plan_number = 0;
    for (const auto &route : routes_)
        if (&route.plan == plan) plan_number = route.number;
    vote.declaration = declaration_;
    vote.speaker = server_ranks_.client;
    if (plan)
        for (const auto &[server, part] : plan->for_servers) vote.messages.emplace_back(server, 1);
    FrameMessage message{{stream_, number}, vote.time, declaration_, 0, 0, tag, 0, 0, false, {}};
    const int home = server_ranks_.home(group_);
    std::vector<int> told;
    const auto send = [&](int server, const ServerPlan *part) {
        const int rank = ranks[static_cast<std::size_t>(server)];
        auto mine = message;
        if (part) {
            const auto way = passage(rank, *part);
            mine.plan = plan_number;
            mine.messages = way.messages;
            mine.table = way.table;
            mine.encoded = way.encoded;
        }
        mine.to_home = server == home;
        if (mine.to_home) mine.vote = vote;
        messages_.send(mine, rank);
        told.push_back(rank);
    };
    if (plan)
        for (const auto &[server, part] : plan->for_servers) send(server, &part);
    if (!plan || !plan->for_servers.contains(home)) send(home, nullptr);
    return told;
}

void Sender::close() {
    messages_.send(CloseMessage{stream_}, servers()[static_cast<std::size_t>(server_ranks_.home(group_))]);
}

} // namespace squall::io::servers
