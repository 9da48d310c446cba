/// Writes frames while things go wrong, and keeps a log of what it was told; or looks at what is there.
///
///     io_faults_writer write directory=DIR log=DIR [KEY=VALUE ...]
///     io_faults_writer check directory=DIR
///
/// write: frame n is at n seconds. Rank r adds lines of JSON to LOG/rank.r as things happen: {"event":
/// "process", "pid"}, "started" with "serves", "begin", "committed" and "lost" with "frame" (and "text"),
/// "error" with "text" (not about a frame), "closed", "report" with "failed" and "skipped", "done". Exit
/// codes: 0, all went well or was survived by on_error = "continue"; 3, frames were lost; 4, the run was
/// given up. With finalize=1 it ends as programs do that know nothing of lost ranks. check: prints a line of
/// JSON for each frame that readers see, {"file", "frame", "number", "wrong"}, or {"file", "fault"} for what
/// they cannot read.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <mpi.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "weather_of_fire.hpp"

namespace squall::faults {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int lost_frames = 3, given_up = 4;
constexpr int most_in_a_row = 3; ///< errors after which a run makes no sense any more

class Settings {
  public:
    Settings(int argc, char **argv) {
        for (int n = 2; n < argc; ++n) {
            const std::string word = argv[n];
            const auto equals = word.find('=');
            if (equals == std::string::npos) throw io::Error(word + " is not key=value");
            values_[word.substr(0, equals)] = word.substr(equals + 1);
        }
    }
    std::string text(const std::string &key, const std::string &otherwise = "") const {
        const auto found = values_.find(key);
        return found == values_.end() ? otherwise : found->second;
    }
    int number(const std::string &key, int otherwise) const {
        return std::stoi(text(key, std::to_string(otherwise)));
    }
    double seconds(const std::string &key, double otherwise) const {
        return std::stod(text(key, std::to_string(otherwise)));
    }

  private:
    std::map<std::string, std::string> values_;
};

class Log {
  public:
    Log(const Settings &settings, int rank)
        : out_(fmt::format("{}/rank.{}", settings.text("log", "."), rank), std::ios::app) {}
    void add(const std::string &event, Json more = Json::object()) {
        Json line{{"event", event}};
        line.update(more);
        out_ << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }

  private:
    std::ofstream out_;
};

/// The frame that the words of an Error are about; -1: about none.
int frame_in(const std::string &text) {
    const auto at = text.find(", frame ");
    int hour = 0, minute = 0, second = 0;
    if (at == std::string::npos ||
        std::sscanf(text.c_str() + at, ", frame %*4d-%*2d-%*2d_%d:%d:%d", &hour, &minute, &second) != 3)
        return -1;
    return 3600 * hour + 60 * minute + second;
}

std::size_t staging_limit(const Settings &settings) {
    return static_cast<std::size_t>(settings.number("staging_limit", 1 << 20));
}

class Run {
  public:
    Run(const Settings &settings, io::Session &session, Log &log)
        : settings_(settings), session_(session), log_(log) {}

    int go() {
        auto spec = weather_of_fire(settings_.text("directory"), settings_.number("nx", default_nx));
        spec.path = fmt::format("{}/out/{}", settings_.text("directory"),
                                settings_.text("pattern", "%Y-%m-%d_%H-%M-%S.nc"));
        spec.engine = settings_.text("engine", "netcdf");
        spec.placement = settings_.text("placement", "inline");
        spec.frames_per_file = settings_.number("frames_per_file", 1);
        spec.on_error = settings_.text("on_error", "abort");
        spec.when_full = settings_.text("when_full", "wait");
        if (spec.when_full == "spill") spec.spill_dir = settings_.text("spill_dir");
        spec.on_lost_server = settings_.text("on_lost_server", "stop");
        spec.staging_limit = staging_limit(settings_);
        for (const auto *option : {"ompio", "chunk", "shard", "frames_per_shard", "encode", "format"})
            if (const auto value = settings_.text(option); !value.empty()) spec.options[option] = value;
        if (sends_rows()) add_rows(spec);
        if (sends_times()) add_times(spec);
        if (settings_.number("burst", 0) != 0) spec.burst_dir = settings_.text("directory") + "/burst";
        auto stream = session_.open(spec);
        write(stream);
        attempt(last_, [&] { stream.close(); });
        log_.add("closed");
        close();
        log_.add("done");
        return lost_ ? lost_frames : 0;
    }

  private:
    bool sends_rows() const { return settings_.number("rows", 0) != 0; }
    bool sends_times() const { return settings_.number("times", 0) != 0; }

    void write(io::Stream &stream) {
        int me = 0, ranks = 1;
        MPI_Comm_rank(session_.comm(), &me);
        MPI_Comm_size(session_.comm(), &ranks);
        const auto rows = Rows::of(me, ranks, settings_.number("nx", default_nx));
        rows.put_fixed(stream);
        const int first = settings_.number("first", 0);
        last_ = first + settings_.number("frames", 8) - 1;
        const std::chrono::duration<double> interval(settings_.seconds("interval", 0));
        for (int number = first; number <= last_; ++number) {
            log_.add("begin", {{"frame", number}});
            one(stream, rows, number);
            std::this_thread::sleep_for(interval);
        }
    }

    /// All ranks commit all frames: whoever is told in begin of an earlier frame begins again.
    void one(io::Stream &stream, const Rows &rows, int number) {
        std::optional<io::Frame> frame;
        while (!frame) attempt(number, [&] { frame.emplace(stream.begin({static_cast<double>(number)})); });
        if (attempt(number, [&] {
                rows.put(*frame, number);
                if (sends_rows()) rows.put_rows(*frame, number);
                if (sends_times()) rows.put_times(*frame, number);
                frame->commit();
            }))
            log_.add("committed", {{"frame", number}});
    }

    /// False: it threw, which is in the log.
    template <class F> bool attempt(int number, F f) {
        try {
            f();
            in_a_row_ = 0;
            return true;
        } catch (const std::exception &e) {
            tell(number, e.what());
            return false;
        }
    }

    void tell(int number, const std::string &text) {
        lost_ = true;
        const int about = frame_in(text);
        log_.add(about < 0 ? "error" : "lost", {{"frame", about < 0 ? number : about}, {"text", text}});
        // Who waited in vain cannot know what the others are about.
        if (++in_a_row_ >= most_in_a_row || text.find("gave up") != std::string::npos) {
            log_.add("given up");
            std::fprintf(stderr, "%s\n", text.c_str());
            MPI_Abort(MPI_COMM_WORLD, given_up);
        }
    }

    void close() {
        attempt(last_, [&] {
            for (const auto &r : session_.close())
                log_.add("report", {{"failed", r.failed}, {"skipped", r.skipped}});
        });
    }

    const Settings &settings_;
    io::Session &session_;
    Log &log_;
    int last_ = 0, in_a_row_ = 0;
    bool lost_ = false;
};

int write(const Settings &settings) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Log log(settings, rank);
    try {
        log.add("process", {{"pid", getpid()}}); // first: whoever stands still here is woken by it
        io::SessionSpec spec;
        spec.servers = settings.number("servers", 0);
        spec.groups = settings.number("groups", 1);
        spec.shared_memory = settings.number("shared_memory", 1) != 0;
        spec.watchdog = settings.seconds("watchdog", 60);
        spec.timeout = settings.seconds("timeout", 0);
        spec.staging_limit = staging_limit(settings);
        io::Session session(MPI_COMM_WORLD, spec);
        log.add("started", {{"serves", !session.computes()}});
        if (session.computes()) return Run(settings, session, log).go();
        session.serve();
        log.add("done");
        return 0;
    } catch (const std::exception &e) {
        log.add("error", {{"text", e.what()}});
        log.add("given up");
        std::fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, given_up);
        return given_up;
    }
}

int check(const Settings &settings) {
    const fs::path out = settings.text("directory") + "/out";
    std::vector<std::string> files;
    if (fs::exists(out))
        for (const auto &entry : fs::directory_iterator(out))
            if (entry.path().string().ends_with(".nc")) files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto &name : files) {
        Json line{{"file", fs::path(name).filename()}};
        try {
            const io::Reader file(name);
            for (std::int64_t f = 0; f < file.frames(); ++f) {
                const auto seen = look_at(file, f);
                line["frame"] = f;
                line["number"] = seen.number;
                line["wrong"] = seen.wrong;
                std::puts(line.dump().c_str());
            }
        } catch (const std::exception &e) {
            line["fault"] = e.what();
            std::puts(line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
        }
    }
    return 0;
}

} // namespace
} // namespace squall::faults

namespace {

/// The processes of all ranks, on one node.
std::vector<pid_t> processes() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<pid_t> all(static_cast<std::size_t>(ranks));
    const pid_t mine = getpid();
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    return all;
}

/// Whether it has ended, if only its parent does not know yet.
bool has_ended(pid_t process) {
    std::ifstream in(fmt::format("/proc/{}/stat", process));
    std::string text;
    if (!std::getline(in, text)) return true;
    const auto after_name = text.rfind(')');
    return after_name == std::string::npos || text.compare(after_name, 3, ") Z") == 0;
}

/// MPI_Finalize would wait for ranks that are gone for ever: whoever sees one leaves without it.
void leave(const std::vector<pid_t> &all, int code) {
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        if (std::ranges::any_of(all, has_ended)) std::_Exit(code);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    MPI_Finalize();
}

} // namespace

int main(int argc, char **argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    const auto all = processes();
    int code = 2;
    bool at_once = false;
    try {
        const squall::faults::Settings settings(argc, argv);
        at_once = settings.number("finalize", 0) != 0;
        const std::string task = argc > 1 ? argv[1] : "";
        if (task == "write") code = squall::faults::write(settings);
        if (task == "check") code = squall::faults::check(settings);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
    if (at_once)
        MPI_Finalize();
    else
        leave(all, code);
    return code;
}
