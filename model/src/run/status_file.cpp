#include "run/status_file.hpp"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <thread>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "settings/nests.hpp"
#include "settings/network.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr std::chrono::seconds beat_interval{1};

double now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string first_line(const char *file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

/// What tells the machine, and on it the processes that see each other, from all others.
std::string machine() {
    std::error_code ignored;
    return first_line("/proc/sys/kernel/random/boot_id") + " " +
           fs::read_symlink("/proc/self/ns/pid", ignored).string();
}

/// When this process began, in the kernel's ticks: with its number it is like no other of the machine.
std::string process() {
    const auto stat = first_line("/proc/self/stat");
    std::istringstream after_name(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    const std::istream_iterator<std::string> word(after_name);
    std::vector<std::string> words(word, {});
    return words.size() > 19 ? words[19] : "";
}

std::string host() {
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    return name;
}

/// Of a domain, for who draws it: how large it is and where it lies in its parent.
Json about(const Config &domain) {
    const DomainIdentity &id = domain.identity;
    Json json{{"domain", id.id},
              {"nx", domain.domain.nx},
              {"ny", domain.domain.ny},
              {"nz", domain.domain.nz},
              {"dx", domain.domain.dx},
              {"dy", domain.domain.dy},
              {"time_step", domain.run.time_step}};
    if (id.id > 1)
        json.update({{"name", id.name},
                     {"parent", id.parent_id},
                     {"i_parent_start", id.i_parent_start},
                     {"j_parent_start", id.j_parent_start},
                     {"parent_grid_ratio", id.parent_grid_ratio}});
    return json;
}

/// Where the manifest of a stream lies, below the run's directory.
std::string manifest_of(const StreamConfig &stream) {
    const auto fixed = stream.path.substr(0, stream.path.find('%'));
    return (fs::path(fixed).parent_path() / (stream.name + ".manifest.jsonl")).string();
}

Json about(const MassBudget &m) {
    return {{"mass", m.mass}, {"change", m.change}, {"in", m.in},    {"out", m.out},
            {"rim", m.rim},   {"nests", m.nests},   {"rest", m.rest}};
}

Json about(const Budget &b) {
    return {{"domain", b.domain}, {"from", b.from},          {"to", b.to},
            {"area", b.area},     {"dry_air", about(b.dry)}, {"water", about(b.water)}};
}

Json about(const io::StreamReport &r) {
    return {{"frames", r.frames},
            {"failed", r.failed},
            {"skipped", r.skipped},
            {"bytes", r.bytes},
            {"stored_bytes", r.stored_bytes},
            {"waits", r.waits},
            {"waited", r.waited},
            {"perceived_median", r.perceived_median},
            {"perceived_largest", r.perceived_largest},
            {"perceived_total", r.perceived_total},
            {"drain_median", r.drain_median},
            {"drain_largest", r.drain_largest},
            {"staging_peak", r.staging_peak}};
}

} // namespace

struct StatusFile::Impl {
    Impl(const Config &c, int ranks, int threads)
        : config(c), domains(with_nests(c)), file(fs::path(c.run.directory) / "status.json") {
        fixed = {{"name", c.run.name},          {"host", host()},
                 {"pid", ::getpid()},           {"process", process()},
                 {"machine", machine()},        {"ranks", ranks},
                 {"threads", threads},          {"started", now()},
                 {"start", c.run.start},        {"duration", c.run.duration},
                 {"time_step", c.run.time_step}};
        for (const Config &domain : domains) {
            fixed["domains"].push_back(about(domain));
            for (const StreamConfig &stream : domain.streams)
                streams.push_back({domain.identity.id, &stream});
        }
        costs.resize(streams.size());
        write();
        thread = std::jthread([this](const std::stop_token &stop) { beat(stop); });
    }

    void beat(const std::stop_token &stop) {
        std::unique_lock lock(mutex);
        while (!changed.wait_for(lock, stop, beat_interval, [] { return false; }) && !stop.stop_requested()) {
            ++beats;
            const auto text = content().dump(1);
            lock.unlock(); // a slow disk holds up nobody
            put(text);
            lock.lock();
        }
    }

    /// How far, how fast.
    void add_progress(Json &json) const {
        const double wall = began > 0 ? std::max(stepped - began, 1e-6) : 0, made = seconds - from;
        const bool moves = made > 0 && wall > 0;
        json["from"] = from;
        json["seconds"] = seconds;
        json["time"] = io::format_time({seconds, config.run.start}, "%Y-%m-%dT%H:%M:%S");
        json["steps"] = steps;
        json["stepped_at"] = stepped;
        json["speed"] = moves ? made / wall : 0;
        json["steps_per_second"] = moves ? made / config.run.time_step / wall : 0;
        json["seconds_left"] = moves ? Json(wall * (config.run.duration - seconds) / made) : Json();
        json["courant"] = health.courant();
        if (!std::isnan(health.w.value)) json["max_w"] = health.w.value; // transport has none of its own
    }

    void add_ranks(Json &json) const {
        if (states.empty()) return;
        for (const char *name : {"load", "staging", "staging_peak"}) json[name] = Json::array();
        for (const RankState &rank : states) {
            json["load"].push_back(std::round(1e3 * rank.load) / 1e3);
            json["staging"].push_back(rank.staging.used);
            json["staging_peak"].push_back(rank.staging.peak);
        }
        json["staging_limit"] = states.front().staging.limit;
    }

    void add_budgets(Json &json) const {
        json["budgets"] = Json::array();
        for (const Budget &b : closed) json["budgets"].push_back(about(b));
    }

    Json content() const {
        Json json{{"squall_status", 1}, {"state", state}, {"why", why}, {"beat", beats}, {"at", now()}};
        json.update(fixed);
        add_progress(json);
        if (!restart.empty()) json["restart"] = restart;
        add_ranks(json);
        add_budgets(json);
        json["streams"] = Json::array();
        for (std::size_t n = 0; n < streams.size(); ++n) {
            const StreamConfig &stream = *streams[n].config;
            if (stream.interval <= 0) continue;
            Json one{{"name", stream.name},
                     {"domain", streams[n].domain},
                     {"engine", stream.engine},
                     {"interval", stream.interval},
                     {"manifest", manifest_of(stream)},
                     {"frames", costs[n].frames},
                     {"perceived_last", costs[n].last},
                     {"perceived_total", costs[n].total}};
            if (goes_over_network(stream.engine)) one["contact"] = stream.path;
            for (const auto &report : reports)
                if (report.name == stream.name) one.update(about(report));
            json["streams"].push_back(one);
        }
        return json;
    }

    /// All at once: whoever reads it finds a whole one.
    void put(const std::string &text) const {
        const auto part = file.string() + ".part";
        std::ofstream out(part);
        out << text << '\n';
        out.close();
        std::error_code ignored;
        if (out) fs::rename(part, file, ignored);
    }

    void write() { put(content().dump(1)); }

    void say_last(const std::string &word, const std::string &reason) {
        thread.request_stop();
        thread.join();
        state = word;
        why = reason;
        ++beats;
        write();
    }

    struct OneStream {
        int domain;
        const StreamConfig *config;
    };

    const Config &config;
    std::vector<Config> domains; ///< the outermost first
    std::vector<OneStream> streams;
    fs::path file;
    Json fixed;
    std::string state = "running", why, restart;
    std::int64_t beats = 0, steps = 0;
    double from = 0, seconds = 0;
    double began = 0, stepped = now(); ///< [s since 1970]
    Health health;
    std::vector<StreamCost> costs; ///< as streams
    std::vector<RankState> states; ///< when they were asked last
    std::vector<Budget> closed;    ///< last
    std::vector<io::StreamReport> reports;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::jthread thread;
};

StatusFile::StatusFile(const Config &config, int ranks, int threads)
    : impl_(new Impl(config, ranks, threads)) {}
StatusFile::~StatusFile() = default;

void StatusFile::begin(double seconds) {
    const std::lock_guard lock(impl_->mutex);
    impl_->from = impl_->seconds = seconds;
    impl_->began = impl_->stepped = now();
}

void StatusFile::step(double seconds, std::int64_t steps, const Health &health,
                      const std::vector<StreamCost> &streams) {
    const std::lock_guard lock(impl_->mutex);
    impl_->seconds = seconds;
    impl_->steps = steps;
    impl_->health = health;
    impl_->costs = streams;
    impl_->stepped = now();
}

void StatusFile::ranks(const std::vector<RankState> &states) {
    const std::lock_guard lock(impl_->mutex);
    impl_->states = states;
}

void StatusFile::budgets(const std::vector<Budget> &closed) {
    const std::lock_guard lock(impl_->mutex);
    impl_->closed = closed;
}

void StatusFile::done(const std::vector<io::StreamReport> &reports) {
    impl_->reports = reports;
    impl_->say_last("done", "");
}

void StatusFile::stopped(const std::string &why, const std::string &restart,
                         const std::vector<io::StreamReport> &reports) {
    impl_->reports = reports;
    impl_->restart = restart;
    impl_->say_last("stopped", why);
}

void StatusFile::died(const std::string &why) { impl_->say_last("died", why); }

} // namespace squall
