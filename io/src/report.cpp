/// The report of a session.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "publish.hpp"
#include "session.hpp"

namespace squall::io {
namespace {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

double largest(const std::vector<double> &values) { return values.empty() ? 0 : std::ranges::max(values); }

/// Reduces over the computing ranks, to all.
double over_ranks(double value, MPI_Op op, MPI_Comm comm) {
    double all = value;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, op, comm);
    return all;
}

/// Per frame the seconds of the slowest rank. Collective.
std::vector<double> slowest(const std::vector<Perceived> &perceived, MPI_Comm comm) {
    std::vector<double> seconds;
    for (const auto &p : perceived) seconds.push_back(p.seconds);
    int n = static_cast<int>(seconds.size());
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MIN, comm); // all ranks have as many, if all went well
    seconds.resize(static_cast<std::size_t>(n));
    MPI_Allreduce(MPI_IN_PLACE, seconds.data(), n, MPI_DOUBLE, MPI_MAX, comm);
    return seconds;
}

StreamReport summarise(const StreamEntry &entry, const std::vector<double> &perceived, MPI_Comm comm) {
    const auto &spec = entry.layout->spec;
    StreamReport r;
    r.name = spec.name;
    r.engine = spec.engine;
    r.placement = spec.placement;
    r.codec = entry.layout->codec.name;
    std::vector<double> drain;
    const auto here = entry.log->perceived();
    for (const auto &o : entry.log->outcomes()) {
        if (o.number < 0 || o.number >= std::ssize(here)) continue;
        r.skipped += o.skipped;
        r.failed += !o.fault.empty();
        if (o.skipped || !o.fault.empty()) continue;
        ++r.frames;
        r.bytes += o.bytes;
        drain.push_back(o.ended - here[static_cast<std::size_t>(o.number)].begun);
    }
    r.stored_bytes = entry.placement->stored_bytes();
    r.perceived_median = median(perceived);
    r.perceived_largest = largest(perceived);
    r.perceived_total = std::accumulate(perceived.begin(), perceived.end(), 0.0);
    r.drain_median = median(drain);
    r.drain_largest = largest(drain);
    const auto &room = *entry.room;
    r.waits = static_cast<std::int64_t>(over_ranks(static_cast<double>(room.waits), MPI_SUM, comm));
    r.waited = over_ranks(room.waited, MPI_MAX, comm);
    r.spilled = static_cast<std::uint64_t>(over_ranks(static_cast<double>(room.spilled), MPI_SUM, comm));
    r.staging_peak =
        static_cast<std::uint64_t>(over_ranks(static_cast<double>(room.pool->most_used()), MPI_MAX, comm));
    return r;
}

Json to_json(const StreamReport &r) {
    return {{"name", r.name},
            {"engine", r.engine},
            {"placement", r.placement},
            {"codec", r.codec},
            {"frames", r.frames},
            {"failed", r.failed},
            {"skipped", r.skipped},
            {"bytes", r.bytes},
            {"stored_bytes", r.stored_bytes},
            {"perceived_median", r.perceived_median},
            {"perceived_largest", r.perceived_largest},
            {"perceived_total", r.perceived_total},
            {"drain_median", r.drain_median},
            {"drain_largest", r.drain_largest},
            {"waits", r.waits},
            {"waited", r.waited},
            {"spilled", r.spilled},
            {"staging_peak", r.staging_peak}};
}

/// The frames one by one, in seconds since the session began.
Json timeline(const StreamEntry &entry, const std::vector<double> &perceived, double started) {
    Json frames = Json::array();
    const auto here = entry.log->perceived();
    for (std::size_t n = 0; n < perceived.size() && n < here.size(); ++n)
        frames.push_back({{"number", n}, {"begun", here[n].begun - started}, {"perceived", perceived[n]}});
    for (const auto &o : entry.log->outcomes()) {
        if (o.number < 0 || o.number >= static_cast<std::int64_t>(frames.size())) continue;
        auto &frame = frames[static_cast<std::size_t>(o.number)];
        frame["time"] = format_time(o.time, "%Y-%m-%dT%H:%M:%S");
        frame["committed"] = o.committed - started;
        frame["drain_begun"] = o.begun - started;
        frame["drain_ended"] = o.ended - started;
        frame["bytes"] = o.bytes;
        if (o.skipped) frame["skipped"] = true;
        if (!o.fault.empty()) frame["fault"] = o.fault;
    }
    return frames;
}

void write(const std::string &file, const Json &report) {
    make_directory_of(file);
    std::ofstream out(part_name(file));
    out << report.dump(1) << "\n";
    out.close();
    if (!out) throw Error(fmt::format("cannot write the report {}", file));
    publish(file);
}

} // namespace

std::vector<StreamReport> make_report(const SessionCore &core) {
    std::vector<StreamReport> streams;
    int ranks = 1;
    MPI_Comm_size(core.comm, &ranks);
    Json report{{"squall_io_report", 1},
                {"computing_ranks", ranks},
                {"servers",
                 std::accumulate(core.groups.begin(), core.groups.end(), 0,
                                 [](int n, const Group &g) { return n + static_cast<int>(g.ranks.size()); })},
                {"groups", core.groups.size()},
                {"seconds", now() - core.started},
                {"streams", Json::array()}};
    for (const auto &entry : core.streams) {
        const auto perceived = slowest(entry.log->perceived(), core.comm);
        streams.push_back(summarise(entry, perceived, core.comm));
        auto json = to_json(streams.back());
        json["timeline"] = timeline(entry, perceived, core.started);
        report["streams"].push_back(std::move(json));
    }
    const bool first = core.rank == core.clients.front();
    if (first && !core.spec.report.empty()) write(core.spec.report, report);
    return first ? streams : std::vector<StreamReport>{};
}

} // namespace squall::io
