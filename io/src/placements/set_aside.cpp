/// Which ranks are set aside as servers, and with whom they share memory.

#include <algorithm>
#include <array>
#include <map>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "placements/session_ranks.hpp"

namespace squall::io {
namespace {

/// Ranks of each node, nodes in the order of their lowest rank.
std::vector<std::vector<int>> nodes_of(MPI_Comm all) {
    int rank = 0, size = 1, lowest = 0;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Comm node;
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, node);
    MPI_Comm_free(&node);
    std::vector<int> lowest_of(size);
    MPI_Allgather(&lowest, 1, MPI_INT, lowest_of.data(), 1, MPI_INT, all);
    std::map<int, std::vector<int>> nodes;
    for (int r = 0; r < size; ++r) nodes[lowest_of[r]].push_back(r);
    std::vector<std::vector<int>> list;
    for (auto &[first, ranks] : nodes) list.push_back(std::move(ranks));
    return list;
}

void check(const SessionSpec &spec) {
    if (spec.servers < 0 || spec.servers_per_node < 0 || (spec.servers > 0 && spec.servers_per_node > 0))
        throw Error("set either servers or servers_per_node, to 0 or more");
    if (spec.groups < 1) throw Error(fmt::format("groups is {}; it must be at least 1", spec.groups));
    if (spec.assignment != "consecutive" && spec.assignment != "round-robin")
        throw Error(
            fmt::format("there is no assignment \"{}\"; choose consecutive or round-robin", spec.assignment));
}

/// Reads a number in another process's memory; false if that cannot be.
bool can_read(const std::array<std::int64_t, 3> &offer) {
    const int fd = ::open(fmt::format("/proc/{}/fd/{}", offer[0], offer[1]).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    std::int64_t token = 0;
    const bool same = ::pread(fd, &token, sizeof token, 0) == sizeof token && token == offer[2];
    ::close(fd);
    return same;
}

} // namespace

std::vector<int> choose_servers(const SessionSpec &spec, const std::vector<std::vector<int>> &nodes) {
    std::vector<int> chosen;
    const auto n = static_cast<int>(nodes.size());
    for (int i = 0; i < n; ++i) {
        const int here = spec.servers_per_node > 0 ? spec.servers_per_node
                                                   : spec.servers * (i + 1) / n - spec.servers * i / n;
        if (here >= static_cast<int>(nodes[i].size()))
            throw Error(fmt::format("{} I/O servers on a node with {} ranks leave no rank to compute; start "
                                    "more ranks, or set fewer aside",
                                    here, nodes[i].size()));
        chosen.insert(chosen.end(), nodes[i].end() - here, nodes[i].end());
    }
    return chosen;
}

std::shared_ptr<Arena> SessionRanks::staging_memory() {
    if (!arena)
        arena = std::make_shared<Arena>(spec.staging_limit, !groups.empty() && spec.shared_memory && !server);
    return arena;
}

void set_servers_aside(SessionRanks &session_ranks) {
    check(session_ranks.spec);
    const auto servers = choose_servers(session_ranks.spec, nodes_of(session_ranks.all));
    const int count = static_cast<int>(servers.size()), groups = session_ranks.spec.groups;
    if (count > 0 && groups > count)
        throw Error(
            fmt::format("{} groups of {} servers; every group needs a server: set groups to at most {}",
                        groups, count, count));
    int size = 1;
    MPI_Comm_size(session_ranks.all, &size);
    for (int r = 0; r < size; ++r)
        if (std::ranges::find(servers, r) == servers.end()) session_ranks.clients.push_back(r);
    if (count > 0) session_ranks.groups.resize(groups);
    int color = groups; // of the computing ranks
    for (int i = 0; i < count; ++i) {
        session_ranks.groups[i % groups].ranks.push_back(servers[i]);
        if (servers[i] != session_ranks.rank) continue;
        session_ranks.server = true;
        session_ranks.group = color = i % groups;
    }
    const auto mine = std::ranges::find(servers, session_ranks.rank) - servers.begin();
    MPI_Comm_split(session_ranks.all, color,
                   session_ranks.server ? static_cast<int>(mine) : session_ranks.rank, &session_ranks.comm);
}

void meet_neighbours(SessionRanks &session_ranks) {
    int size = 1;
    MPI_Comm_size(session_ranks.all, &size);
    session_ranks.shared.assign(static_cast<std::size_t>(size), 0);
    if (session_ranks.groups.empty()) return;
    MPI_Comm node;
    MPI_Comm_split_type(session_ranks.all, MPI_COMM_TYPE_SHARED, session_ranks.rank, MPI_INFO_NULL, &node);
    int here = 1;
    MPI_Comm_size(node, &here);
    const int fd = memfd_create("squall_io_probe", MFD_CLOEXEC);
    std::array<std::int64_t, 4> offer{getpid(), fd, session_ranks.rank * 7919LL + 1, session_ranks.rank};
    const bool offered = fd >= 0 && ::write(fd, &offer[2], sizeof offer[2]) == sizeof offer[2];
    if (!offered) offer[1] = -1;
    std::vector<std::array<std::int64_t, 4>> offers(static_cast<std::size_t>(here));
    MPI_Allgather(offer.data(), 4, MPI_INT64_T, offers.data(), 4, MPI_INT64_T, node);
    // Who can be read has the process number that it has here, too.
    std::vector<char> readable(offers.size(), 0), reads_me(offers.size(), 0);
    for (std::size_t r = 0; r < offers.size(); ++r) {
        const int rank = static_cast<int>(offers[r][3]);
        readable[r] = rank != session_ranks.rank && can_read({offers[r][0], offers[r][1], offers[r][2]});
        const bool serves = std::ranges::any_of(session_ranks.groups, [rank](const ServerGroup &g) {
            return std::ranges::find(g.ranks, rank) != g.ranks.end();
        });
        if (readable[r] && (serves || session_ranks.server))
            session_ranks.neighbours.try_emplace(rank, offers[r][0]);
    }
    MPI_Alltoall(readable.data(), 1, MPI_CHAR, reads_me.data(), 1, MPI_CHAR, node);
    for (std::size_t r = 0; r < offers.size() && session_ranks.spec.shared_memory; ++r)
        session_ranks.shared[static_cast<std::size_t>(offers[r][3])] =
            session_ranks.server ? readable[r] : reads_me[r];
    if (fd >= 0) ::close(fd); // the alltoall has seen to it that nobody reads any more
    MPI_Comm_free(&node);
}

} // namespace squall::io
