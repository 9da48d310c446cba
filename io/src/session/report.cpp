/// The report of a session.

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "publish/kept_open.hpp"
#include "publish/publish.hpp"
#include "session/session.hpp"

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

/// Adds what takes all computing ranks. Collective.
StreamReport over_all(const StreamRecord &record, const std::vector<double> &perceived, MPI_Comm comm) {
    auto r = record.report;
    r.perceived_median = median(perceived);
    r.perceived_largest = largest(perceived);
    r.perceived_total = std::accumulate(perceived.begin(), perceived.end(), 0.0);
    const auto whole = [](double x) { return static_cast<std::uint64_t>(x); };
    r.waits = static_cast<std::int64_t>(over_ranks(static_cast<double>(r.waits), MPI_SUM, comm));
    r.waited = over_ranks(r.waited, MPI_MAX, comm);
    r.spilled = whole(over_ranks(static_cast<double>(r.spilled), MPI_SUM, comm));
    r.staging_peak = whole(over_ranks(static_cast<double>(r.staging_peak), MPI_MAX, comm));
    return r;
}

template <class Report, class F> void for_members(Report &r, F f) {
    f("name", r.name);
    f("engine", r.engine);
    f("placement", r.placement);
    f("codec", r.codec);
    f("frames", r.frames);
    f("failed", r.failed);
    f("skipped", r.skipped);
    f("bytes", r.bytes);
    f("stored_bytes", r.stored_bytes);
    f("perceived_median", r.perceived_median);
    f("perceived_largest", r.perceived_largest);
    f("perceived_total", r.perceived_total);
    f("drain_median", r.drain_median);
    f("drain_largest", r.drain_largest);
    f("waits", r.waits);
    f("waited", r.waited);
    f("spilled", r.spilled);
    f("staging_peak", r.staging_peak);
}

Json to_json(const StreamReport &r) {
    Json j = Json::object();
    for_members(r, [&](const char *name, const auto &member) { j[name] = member; });
    return j;
}

/// Place of a frame among those that were committed, by its number; -1: it is none of them.
std::int64_t place_of(std::int64_t number, const std::vector<Perceived> &frames) {
    const auto found = std::ranges::lower_bound(frames, number, {}, &Perceived::number);
    return found == frames.end() || found->number != number ? -1 : found - frames.begin();
}

/// The frames one by one, in seconds since the session began.
Json timeline(const StreamRecord &record, const std::vector<double> &perceived, double started) {
    Json frames = Json::array();
    const auto &here = record.perceived;
    for (std::size_t n = 0; n < perceived.size() && n < here.size(); ++n)
        frames.push_back({{"number", n}, {"begun", here[n].begun - started}, {"perceived", perceived[n]}});
    for (const auto &o : record.outcomes) {
        const auto place = place_of(o.number, here);
        if (place < 0 || place >= static_cast<std::int64_t>(frames.size())) continue;
        auto &frame = frames[static_cast<std::size_t>(place)];
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

/// Adds a stream. Collective over its members.
void add(Json &report, const StreamRecord &record, std::vector<StreamReport> &streams, double started) {
    const auto comm = record.members->comm();
    const auto perceived = slowest(record.perceived, comm);
    streams.push_back(over_all(record, perceived, comm));
    auto json = to_json(streams.back());
    json["encoded_bytes"] =
        static_cast<std::uint64_t>(over_ranks(static_cast<double>(record.encoded), MPI_SUM, comm));
    json["timeline"] = timeline(record, perceived, started);
    report["streams"].push_back(std::move(json));
}

StreamReport from_json(const Json &j) {
    StreamReport r;
    for_members(r, [&](const char *name, auto &member) { j.at(name).get_to(member); });
    return r;
}

/// Adds the streams that part of the ranks have opened: the first of these tells the first of all.
/// Collective over all computing ranks.
void add_of_parts(Json &report, const std::vector<StreamRecord> &records, std::vector<StreamReport> &streams,
                  const SessionCore &core) {
    Json mine{{"streams", Json::array()}};
    for (const auto &record : records) {
        if (record.members == core.everybody.get()) continue;
        std::vector<StreamReport> unused;
        Json one{{"streams", Json::array()}};
        add(one, record, unused, core.started);
        if (record.members->leads()) mine["streams"].push_back(one["streams"][0]);
    }
    const auto text = mine["streams"].dump();
    const int size = static_cast<int>(text.size());
    std::vector<int> sizes(static_cast<std::size_t>(core.everybody->size())), offsets(sizes.size() + 1, 0);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, core.comm);
    std::partial_sum(sizes.begin(), sizes.end(), offsets.begin() + 1);
    std::string all(static_cast<std::size_t>(offsets.back()), ' ');
    MPI_Gatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), offsets.data(), MPI_CHAR, 0,
                core.comm);
    if (!core.everybody->leads()) return;
    for (std::size_t r = 0; r < sizes.size(); ++r)
        for (auto &json : Json::parse(
                 all.substr(static_cast<std::size_t>(offsets[r]), static_cast<std::size_t>(sizes[r])))) {
            streams.push_back(from_json(json));
            report["streams"].push_back(std::move(json));
        }
}

void write(const std::string &file, const Json &report) {
    make_directory_of(file);
    try {
        static_cast<void>(write_new(part_name(file), report.dump(1) + "\n"));
        publish(file);
    } catch (const Error &e) {
        throw Error(fmt::format("cannot write the report {}: {}", file, e.what()));
    }
}

} // namespace

StreamRecord record_of(const OpenStream &stream) {
    const auto &spec = stream.layout->spec;
    StreamRecord record;
    record.number = stream.number;
    record.perceived = stream.tally->perceived();
    auto outcomes = stream.tally->outcomes();
    auto &r = record.report;
    r.name = spec.name;
    r.engine = spec.engine;
    r.placement = spec.placement;
    r.codec = stream.layout->codec.name;
    std::vector<double> drain;
    for (const auto &o : outcomes) {
        const auto place = place_of(o.number, record.perceived);
        if (place < 0) continue;
        r.skipped += o.skipped;
        r.failed += !o.fault.empty();
        if (o.skipped || !o.fault.empty()) continue;
        ++r.frames;
        r.bytes += o.bytes;
        drain.push_back(o.ended - record.perceived[static_cast<std::size_t>(place)].begun);
    }
    r.stored_bytes = stream.placement->stored_bytes();
    r.drain_median = median(drain);
    r.drain_largest = largest(drain);
    r.waits = static_cast<std::int64_t>(stream.room.waits);
    r.waited = stream.room.waited;
    r.spilled = stream.room.spilled;
    r.staging_peak = stream.room.pool->most_used();
    record.encoded = stream.tally->encoded();
    record.members = &stream.members;
    if (stream.members.leads()) record.outcomes = std::move(outcomes);
    for (auto &o : record.outcomes) o.time.calendar = spec.calendar; // servers do not repeat it
    return record;
}

std::vector<StreamReport> make_report(SessionCore &core) {
    std::vector<StreamReport> streams;
    int ranks = 1;
    MPI_Comm_size(core.comm, &ranks);
    Json report{{"squall_io_report", 1},
                {"computing_ranks", ranks},
                {"servers", std::accumulate(core.groups.begin(), core.groups.end(), 0,
                                            [](int n, const ServerGroup &g) {
                                                return n + static_cast<int>(g.ranks.size());
                                            })},
                {"groups", core.groups.size()},
                {"started", core.started},
                {"seconds", now() - core.started},
                {"streams", Json::array()}};
    auto records = core.records;
    for (const auto &stream : core.streams) records.push_back(record_of(*stream));
    std::ranges::sort(records, {}, &StreamRecord::number);
    for (const auto &record : records)
        if (record.members == core.everybody.get()) add(report, record, streams, core.started);
    add_of_parts(report, records, streams, core);
    const bool first = core.rank == core.clients.front();
    if (first && !core.spec.report.empty()) write(core.spec.report, report);
    return first ? streams : std::vector<StreamReport>{};
}

} // namespace squall::io
