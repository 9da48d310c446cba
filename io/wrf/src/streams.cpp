#include "streams.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include <fmt/format.h>

#include "model.hpp"
#include "world.hpp"

namespace squall::wrf {
namespace {

constexpr Layer layers[] = {{"pnc", "pnetcdf", false}, {"adios2", "adios", false}, {"ncd", "netcdf", true}};

bool same_ranks(MPI_Comm a, MPI_Comm b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a, b, &result);
    return result == MPI_IDENT || result == MPI_CONGRUENT;
}

} // namespace

const Layer &layer_named(const std::string &name) {
    for (const auto &layer : layers)
        if (name == layer.name) return layer;
    throw io::Error(fmt::format("there is no I/O layer {}", name));
}

std::string without_time(const std::string &file) {
    static const std::regex time(R"([._]?\d{4,}-\d\d-\d\d[_T]\d\d[:_]\d\d[:_]\d\d)");
    const auto name = std::regex_replace(file, time, "");
    return name.empty() ? file : name;
}

Streams::Group &Streams::group(const Layer &layer, MPI_Comm comm) {
    const auto found = std::ranges::find_if(
        groups_, [&](const Group &g) { return g.layer == &layer && same_ranks(g.comm, comm); });
    if (found != groups_.end()) return *found;
    auto session = served_session(); // which has all computing ranks
    if (!session || !same_ranks(session->comm(), comm)) {
        auto spec = settings(comm).session();
        spec.servers = spec.servers_per_node = 0;
        spec.report = free_report(spec.report, layer);
        session = std::make_shared<io::Session>(comm, spec);
    }
    return groups_.emplace_back(Group{&layer, session->comm(), session});
}

/// Where the report of one more session goes: as the user says, if it is the first of the first rank, which
/// writes it for all of them; else beside it. (Each rank that writes files of its own has a session.)
std::string Streams::free_report(const std::string &given, const Layer &layer) const {
    if (given.empty()) return given;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && groups_.empty() && !served_session()) return given;
    const std::filesystem::path path(given);
    const auto which = rank == 0 ? std::string(layer.name) : fmt::format("{}_{:04}", layer.name, rank);
    const auto more = groups_.empty() ? "" : fmt::format("_{}", groups_.size());
    return path.parent_path() /
           fmt::format("{}_{}{}{}", path.stem().string(), which, more, path.extension().string());
}

/// What no other stream of the session is called.
std::string Streams::free_name(const Group &group, const std::string &file) const {
    const auto base = without_time(file);
    for (int n = 1;; ++n) {
        const auto name = n == 1 ? base : fmt::format("{}.{}", base, n);
        if (std::ranges::none_of(group.members, [&](const Member &m) { return m.open.name == name; }))
            return name;
    }
}

std::pair<std::string, std::string> Streams::place(MPI_Comm comm, const std::string &kind,
                                                   const std::string &file) {
    const std::filesystem::path path(file);
    auto directory = settings(comm).directory(kind);
    if (directory.empty()) directory = path.parent_path().empty() ? "." : path.parent_path().string();
    if (!directory.ends_with('/')) directory += '/';
    return {directory, path.filename().string()};
}

OpenStream &Streams::with(const Layer &layer, MPI_Comm comm, const std::string &kind,
                          const std::string &directory, const std::string &file,
                          const Description &description) {
    auto &among = group(layer, layer.serial ? MPI_COMM_SELF : comm);
    const auto key = fmt::format("{}\n{}\n{}\n{}", kind, directory, without_time(file), description.key());
    for (auto &member : among.members)
        if (member.key == key && !member.open.busy) {
            member.open.busy = true;
            return member.open;
        }
    auto spec = description.stream();
    spec.name = free_name(among, file);
    spec.path = directory;
    spec.engine = layer.engine;
    spec.placement = among.session == served_session() ? "servers" : "thread";
    spec.replace = true; // as WRF does
    settings(among.comm).apply(kind, spec);
    const bool may_choose = spec.codec.empty() && !spec.options.contains("format");
    if (layer.serial && spec.engine == layer.engine && may_choose && !classic_netcdf())
        spec.codec = "deflate:2"; // WRF's own level
    const auto name = spec.name;
    return among.members
        .emplace_back(Member{key, {name, among.session->open(std::move(spec)), among.comm, true}})
        .open;
}

void Streams::settle(const OpenStream &own, const std::string &name) {
    for (auto &group : groups_) {
        if (group.comm != own.comm) continue;
        for (auto &member : group.members)
            if (&member.open != &own && !member.open.busy && member.open.files.contains(name))
                member.open.stream.flush();
    }
}

void Streams::close(const Layer &layer) {
    std::string problem;
    const auto attempt = [&](auto f) {
        try {
            f();
        } catch (const io::Error &e) {
            if (problem.empty()) problem = e.what();
        }
    };
    for (auto group = groups_.begin(); group != groups_.end();) {
        if (group->layer != &layer) {
            ++group;
            continue;
        }
        for (auto &member : group->members) attempt([&] { member.open.stream.close(); });
        if (group->session != served_session()) attempt([&] { group->session->close(); });
        group = groups_.erase(group);
    }
    if (!problem.empty()) throw io::Error(problem);
}

void Streams::close() {
    for (const auto &layer : layers) close(layer);
}

} // namespace squall::wrf
