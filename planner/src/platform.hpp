/// The machine in SimGrid: a host for each node that the run uses and each storage server, and links.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "lumps.hpp"
#include "machine.hpp"

namespace squall::planner {

struct Platform {
    std::vector<simgrid::s4u::Host *> nodes, storage; ///< storage: one host per server
    std::vector<simgrid::s4u::Link *> out, in;        ///< of the nodes of a star
    double sent = 0, received = 0;                    ///< of them, of one node [B/s]

    /// Of one process: SimGrid knows no second platform. `nodes`: hosts, which stand for `all_nodes`.
    Platform(const Machine &machine, int nodes, int all_nodes);
    /// Lets the links of lumps be as wide as they are in what follows. Called by an actor.
    void widen(const Widths &widths) const;
};

/// The mailbox of messages of a kind from one to another, both by number.
simgrid::s4u::Mailbox *mailbox(const std::string &kind, int from, int to);

/// Runs an actor on each node and returns when all have ended. Called by an actor.
void on_all_nodes(const Platform &platform, const std::function<void(int node)> &run);

/// What travels where only time counts.
void *nothing();

} // namespace squall::planner
