/// Simulated storage: a metadata server and targets, each a queue.
#pragma once

#include <cstdint>
#include <vector>

#include "platform.hpp"

namespace squall::planner {

/// What was busy how long, at the busiest of its kind [s].
struct Busy {
    std::vector<double> targets;
    double metadata = 0;
};

/// What a node wants written.
struct Writing {
    double bytes = 0;
    int streams = 1; ///< files of it
    int locks = 0;   ///< parts that other writers had
    bool shared = false;
    double nodes = 1; ///< that write it, each its part
};

class FileSystem {
  public:
    /// Its actors live as long as it does. Called by an actor. `streams`: files, or parts of a shared one,
    /// that are written at a time on all nodes. `directories`: that files are created in.
    FileSystem(const Platform &platform, const Storage &storage, int streams, int directories = 1);
    ~FileSystem();

    /// Creates files; returns when they are there. Called by an actor on a node.
    void create(int files);
    /// Sends a slice of what a node writes to its targets; `done` is released once for each target. Returns
    /// the number of times.
    int send(int node, const Writing &writing, const simgrid::s4u::SemaphorePtr &done);

    const Busy &busy() const { return busy_; }

  private:
    struct Request;
    struct Bundle;
    struct Target;
    void start(simgrid::s4u::Host *host, const std::function<void()> &serve);
    void serve(int server);
    void serve_target(int target);
    void serve_metadata();
    int locks_on(int target, int locks, int targets) const;

    const Storage &storage_;
    int streams_;
    int metadata_servers_; ///< that create files at a time
    int odd_locks_ = 0;    ///< those of all writers so far, by the turn of targets
    Busy busy_;
    std::vector<simgrid::s4u::Mailbox *> boxes_; ///< by server
    simgrid::s4u::Mailbox *metadata_;
    std::vector<Target> targets_;
    std::vector<simgrid::s4u::ActorPtr> actors_;
};

} // namespace squall::planner
