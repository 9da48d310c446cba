#include "streams.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <fmt/format.h>

namespace squall::wrf {
namespace {

constexpr Layer layers[] = {{"pnc", "pnetcdf", false}, {"adios2", "adios", false}, {"ncd", "netcdf", true}};

bool same_ranks(MPI_Comm a, MPI_Comm b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a, b, &result);
    return result == MPI_IDENT || result == MPI_CONGRUENT;
}

/// Of a small file, read by the first rank for all.
std::string text_of_file(const std::string &path, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string text;
    if (rank == 0)
        if (std::ifstream file(path); file) text.assign(std::istreambuf_iterator<char>(file), {});
    auto size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(size));
    MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm);
    return text;
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

const Settings &Streams::settings(MPI_Comm comm) {
    if (!settings_) settings_ = std::make_unique<Settings>(text_of_file(settings_file, comm));
    return *settings_;
}

Streams::Group &Streams::group(const Layer &layer, MPI_Comm comm) {
    const auto found = std::ranges::find_if(
        groups_, [&](const Group &g) { return g.layer == &layer && same_ranks(g.comm, comm); });
    if (found != groups_.end()) return *found;
    io::Session session(comm, settings(comm).session());
    const MPI_Comm own = session.comm();
    return groups_.emplace_back(Group{&layer, own, std::move(session)});
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
    spec.placement = "thread";
    spec.replace = true; // as WRF does
    settings(among.comm).apply(kind, spec);
    const auto name = spec.name;
    return among.members
        .emplace_back(Member{key, {name, among.session.open(std::move(spec)), among.comm, true}})
        .open;
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
        attempt([&] { group->session.close(); });
        group = groups_.erase(group);
    }
    if (!problem.empty()) throw io::Error(problem);
}

} // namespace squall::wrf
