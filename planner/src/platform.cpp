#include "platform.hpp"

#include <cmath>

#include <fmt/format.h>

namespace squall::planner {

namespace sg = simgrid::s4u;

namespace {

constexpr double any_speed = 1; ///< of hosts: times of computing are slept

/// That a node sends while all do: its link, or its share of what all may send together. A link that every
/// message takes would be one more for SimGrid, but then whatever begins or ends anywhere changes the rates
/// of all.
double sending(const Network &network, int all_nodes) {
    if (network.backbone <= 0) return network.bandwidth;
    return std::min(network.bandwidth, network.backbone / all_nodes);
}

/// Everybody on one switch; a node's link has its bandwidth in each direction.
void build_star(const Machine &machine, Platform &platform, int nodes, int all_nodes) {
    auto *zone = sg::create_star_zone("machine");
    const auto host = [&](const std::string &name, double bandwidth, double most_sent) {
        auto *made = zone->create_host(name, any_speed)->seal();
        auto *out = zone->create_link(name + " out", most_sent)->set_latency(machine.network.latency)->seal();
        auto *in = zone->create_link(name + " in", bandwidth)->set_latency(0)->seal();
        std::vector<sg::LinkInRoute> up{sg::LinkInRoute(out)};
        zone->add_route(made->get_netpoint(), nullptr, nullptr, nullptr, up, false);
        zone->add_route(nullptr, made->get_netpoint(), nullptr, nullptr, {sg::LinkInRoute(in)}, false);
        up.emplace_back(in); // of a lump of nodes to itself
        zone->add_route(made->get_netpoint(), made->get_netpoint(), nullptr, nullptr, up, false);
        platform.out.push_back(out), platform.in.push_back(in);
        return made;
    };
    for (int n = 0; n < nodes; ++n)
        platform.nodes.push_back(
            host(fmt::format("node {}", n), machine.network.bandwidth, sending(machine.network, all_nodes)));
    for (int s = 0; s < machine.storage.servers; ++s)
        platform.storage.push_back(host(fmt::format("storage {}", s), machine.storage.server_bandwidth,
                                        machine.storage.server_bandwidth));
    zone->seal();
    platform.out.resize(static_cast<std::size_t>(nodes)), platform.in.resize(static_cast<std::size_t>(nodes));
    platform.sent = sending(machine.network, all_nodes), platform.received = machine.network.bandwidth;
}

/// Nodes and storage servers side by side in a torus of three dimensions, as near to a cube as can be.
void build_torus(const Machine &machine, Platform &platform, int nodes) {
    const int all = nodes + machine.storage.servers;
    const auto side = static_cast<unsigned long>(std::ceil(std::cbrt(all)));
    const unsigned long z = (static_cast<unsigned long>(all) + side * side - 1) / (side * side);
    std::vector<sg::Host *> hosts;
    const sg::ClusterCallbacks make(
        [&](sg::NetZone *zone, const std::vector<unsigned long> &, unsigned long id) {
            auto *host = zone->create_host(fmt::format("element {}", id), any_speed)->seal();
            hosts.push_back(host);
            return std::pair<simgrid::kernel::routing::NetPoint *, simgrid::kernel::routing::NetPoint *>(
                host->get_netpoint(), nullptr);
        });
    const double hops = 3.0 * static_cast<double>(side) / 4; // on average
    sg::create_torus_zone("machine", nullptr, {side, side, z}, make, machine.network.bandwidth,
                          machine.network.latency / hops, sg::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
    const std::size_t apart = hosts.size() / static_cast<std::size_t>(machine.storage.servers);
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        const bool serves = h % apart == apart / 2 &&
                            platform.storage.size() < static_cast<std::size_t>(machine.storage.servers);
        if (serves)
            platform.storage.push_back(hosts[h]);
        else if (platform.nodes.size() < static_cast<std::size_t>(nodes))
            platform.nodes.push_back(hosts[h]);
    }
}

} // namespace

Platform::Platform(const Machine &machine, int count, int all_nodes) {
    if (machine.network.topology == "torus")
        build_torus(machine, *this, count);
    else
        build_star(machine, *this, count, all_nodes);
}

void Platform::widen(const Widths &widths) const {
    for (std::size_t l = 0; l < widths.out.size(); ++l)
        out[l]->set_bandwidth(sent * widths.out[l]), in[l]->set_bandwidth(received * widths.in[l]);
}

sg::Mailbox *mailbox(const std::string &kind, int from, int to) {
    return sg::Mailbox::by_name(fmt::format("{} {} {}", kind, from, to));
}

void on_all_nodes(const Platform &platform, const std::function<void(int)> &run) {
    std::vector<sg::ActorPtr> actors;
    for (std::size_t n = 0; n < platform.nodes.size(); ++n)
        actors.push_back(
            sg::Actor::create("node", platform.nodes[n], [&run, n] { run(static_cast<int>(n)); }));
    for (const auto &actor : actors) actor->join();
}

void *nothing() {
    static char payload = 0;
    return &payload;
}

} // namespace squall::planner
