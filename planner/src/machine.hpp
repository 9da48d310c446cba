/// A machine that is simulated: nodes, network and storage, as a file of machines/ tells them.
#pragma once

#include <string>

namespace squall::planner {

/// Bandwidths in B/s, times in s, sizes in B.
struct Nodes {
    int count = 1, cores = 1;
    double memory = 0;         ///< of a node
    double bandwidth = 0;      ///< of memory, all cores of a node together (STREAM triad)
    double core_bandwidth = 0; ///< of memory, one core alone
    double core_speed = 1;     ///< of a core in what is not bound by memory, of the calibration's core
};

struct Network {
    std::string topology = "star"; ///< or torus
    double bandwidth = 0;          ///< of a node, in and out each; of each link of a torus
    double latency = 0;            ///< between two nodes
    double overhead = 0;           ///< that a message takes of the sender's core, and of the receiver's
    double backbone = 0;           ///< that all nodes send together; 0: no limit
};

struct Storage {
    std::string kind = "lustre";  ///< lustre, gpfs, beegfs
    int servers = 1, targets = 1; ///< targets (OST, NSD) are shared out among the servers
    double server_bandwidth = 0, target_bandwidth = 0;
    double client_bandwidth = 0; ///< that one process writes
    double create = 0;           ///< that the metadata server takes for a file
    double request = 0;          ///< that a target takes for a request
    double seek = 0;             ///< that it loses between requests of different files
    double lock = 0;             ///< until a part of a file has another writer (lock, token)
    double stripe_size = 1 << 20;
    int stripe_count = 1;     ///< targets that a file is on
    double handover = 0;      ///< what a part with another writer costs its target where no locks are granted
    int metadata_servers = 1; ///< each has directories of its own, with all files in them

    /// GPFS's token manager knows all tokens of a file, so that they change hands one after the other
    /// (Schmuck and Haskin 2002, GPFS: A Shared-Disk File System for Large Computing Clusters, section 3);
    /// elsewhere each target grants the locks of what it holds.
    bool one_lock_manager() const { return kind == "gpfs"; }
    double per_part() const { return lock + handover; }
};

struct Machine {
    std::string name;
    Nodes nodes;
    Network network;
    Storage storage;
    double local_bandwidth = 0; ///< of a disk in each node; 0: there is none

    int ranks_per_node(int threads) const;
};

/// Reads a machine file (TOML). Throws std::runtime_error: the file, the line, the key, and what was
/// expected.
Machine read_machine(const std::string &file);

} // namespace squall::planner
