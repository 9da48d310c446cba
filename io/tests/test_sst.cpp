/// Network streams: what consumers get, and that nothing that they do, or fail to do, stops the run.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>

#include "declare/layout.hpp"
#include "squall/io_subscribe.hpp"
#include "support.hpp"

namespace squall::io::test {
namespace {

using namespace std::chrono_literals;
using Options = std::map<std::string, std::string>;

StreamSpec live(const Scratch &dir, const std::string &placement, Options options,
                const std::string &codec = "") {
    auto s = weather(dir / "history.sst");
    s.engine = "sst";
    s.placement = placement;
    s.codec = codec;
    s.options = std::move(options);
    s.time = TimeAxis{};
    return s;
}

/// Runs a stream, of which `write` writes the frames, on the ranks that compute; on all it returns what the
/// stream did.
StreamReport run(const SessionSpec &session_spec, const StreamSpec &spec,
                 const std::function<void(Stream &, const Patch &)> &write) {
    Session session(MPI_COMM_WORLD, session_spec);
    if (!session.computes()) {
        session.serve();
        return {};
    }
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    auto stream = session.open(spec);
    const auto patch = patch_of(me, n);
    put_fixed(stream, patch);
    write(stream, patch);
    stream.close();
    const auto reports = session.close();
    return reports.empty() ? StreamReport{} : reports.front();
}

/// Takes frames until the end in a thread of rank 0, of those that come.
class Consumer {
  public:
    explicit Consumer(std::string where) : where_(std::move(where)), thread_([this] { take(); }) {}
    ~Consumer() {
        if (thread_.joinable()) thread_.join(); // what ended the test before is told
    }
    Consumer(const Consumer &) = delete;
    Consumer &operator=(const Consumer &) = delete;
    std::vector<std::int64_t> numbers() {
        thread_.join();
        return numbers_;
    }
    int taken() const { return taken_; }

  private:
    void take() {
        Subscriber live(where_);
        for (int n = 0; !live.ended() && n < 600; ++n) {
            const auto frame = live.next(0.2);
            if (!frame) continue;
            expect_frame(*frame, 0, static_cast<int>(live.number()));
            EXPECT_EQ(frame->times().at(0).seconds, 3600.0 * static_cast<double>(live.number()));
            numbers_.push_back(live.number());
            ++taken_;
        }
        EXPECT_TRUE(live.ended());
    }
    std::string where_;
    std::atomic<int> taken_ = 0;
    std::vector<std::int64_t> numbers_;
    std::thread thread_;
};

std::vector<std::int64_t> first(std::int64_t n) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(i);
    return all;
}

/// A consumer of its own process, which is ended with it.
class Process {
  public:
    explicit Process(const std::string &where) {
        int out[2];
        EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
        pid_ = fork();
        if (pid_ == 0) {
            dup2(out[1], STDOUT_FILENO);
            execl(CONSUMER, CONSUMER, where.c_str(), nullptr);
            _exit(127);
        }
        close(out[1]);
        lines_ = fdopen(out[0], "r");
    }
    ~Process() {
        signal(SIGKILL);
        waitpid(pid_, nullptr, 0);
        fclose(lines_);
    }
    void signal(int number) const { kill(pid_, number); }
    /// Waits for its next line.
    std::string line() const {
        char text[32] = "";
        return std::fgets(text, sizeof text, lines_) ? text : "";
    }

  private:
    pid_t pid_;
    FILE *lines_;
};

/// Of one rank: what is no part of a domain is put once. Patches may be empty.
bool puts_what_is_one(const Patch &patch) { return patch.j0 == 0 && patch.j1 > 0; }

void each_frame(Stream &stream, const Patch &patch, int frames) {
    for (int n = 0; n < frames; ++n) write_frame(stream, patch, n, puts_what_is_one(patch));
}

const Options patient = {{"when_queue_full", "wait"}, {"first_consumer", "60"}};

TEST(Sst, EveryPlacementSendsWholeFramesWithTheirMetadata) {
    for (const std::string placement : {"inline", "thread", "servers"}) {
        if (placement == "servers" && ranks() == 1) continue;
        for (const std::string codec : {"none", "zstd"}) {
            SCOPED_TRACE(placement + " " + codec);
            const Scratch dir;
            std::optional<Consumer> consumer;
            if (rank() == 0) consumer.emplace(dir / "");
            SessionSpec session;
            if (placement == "servers") session.servers = ranks() - 1;
            const auto report = run(session, live(dir, placement, patient, codec),
                                    [](Stream &s, const Patch &p) { each_frame(s, p, 6); });
            if (rank() != 0) continue;
            EXPECT_EQ(consumer->numbers(), first(6));
            EXPECT_EQ(report.frames, 6);
            EXPECT_EQ(report.skipped, 0);
            EXPECT_TRUE(dir.files().empty()) << dir.files().front(); // the contact file is gone
        }
    }
}

TEST(Sst, UcxSendsTheSameThroughNetworksThatCannotReadRemoteMemory) {
    const Scratch dir;
    auto options = patient;
    options["data_plane"] = "ucx";
    if (!error_of([&] { Layout{live(dir, "inline", options)}; }).empty()) GTEST_SKIP() << "ADIOS2 has no UCX";
    std::optional<Consumer> consumer;
    if (rank() == 0) consumer.emplace(dir / "history.sst");
    run({}, live(dir, "inline", options), [](Stream &s, const Patch &p) { each_frame(s, p, 4); });
    if (rank() != 0) return;
    EXPECT_EQ(consumer->numbers(), first(4));
}

TEST(Sst, ASmallFrameWaitsForNoAcknowledgementOfTheOneBefore) {
    const Scratch dir;
    if (rank() != 0) return;
    Consumer consumer(dir / "history.sst");
    constexpr int frames = 50;
    std::vector<double> took;
    Session session(MPI_COMM_SELF);
    auto stream = session.open(live(dir, "inline", patient));
    const auto patch = patch_of(0, 1);
    put_fixed(stream, patch);
    for (int n = 0; n < frames; ++n) {
        const std::chrono::duration<double> began = std::chrono::steady_clock::now().time_since_epoch();
        write_frame(stream, patch, n, true);
        while (consumer.taken() <= n) std::this_thread::sleep_for(100us);
        const std::chrono::duration<double> ended = std::chrono::steady_clock::now().time_since_epoch();
        if (n >= frames / 2) took.push_back((ended - began).count()); // at first TCP acknowledges at once
    }
    stream.close();
    session.close();
    EXPECT_EQ(consumer.numbers(), first(frames));
    std::ranges::sort(took);
    EXPECT_LT(took[took.size() / 4], 0.03); // an acknowledgement that is put off takes 40 ms
}

TEST(Sst, AFrameSaysOfItselfWhatAFileWould) {
    const Scratch dir;
    auto spec = live(dir, "inline", patient);
    const auto write = [](Stream &s, const Patch &p) { each_frame(s, p, 1); };
    std::vector<Field> fields;
    std::vector<Attribute> attributes;
    std::thread consumer;
    if (rank() == 0)
        consumer = std::thread([&] {
            Subscriber subscriber(dir / "");
            const auto frame = subscriber.next(60);
            if (!frame) return;
            fields = frame->fields();
            attributes = frame->attributes();
            EXPECT_EQ(frame->frames(), 1);
            EXPECT_EQ(frame->shape("T"), (std::vector{nz, ny, nx}));
            std::vector<double> part(3);
            frame->read("T", 0, {{2, 1, 4}, {1, 1, 3}}, part.data());
            EXPECT_EQ(part[2], t_at(2, 1, 6, 0));
            EXPECT_NE(error_of([&] { frame->read("T", 1, {{2, 1, 4}, {1, 1, 3}}, part.data()); }), "");
            subscriber.release();
            EXPECT_NE(error_of([&] {
                          frame->read("T", 0, {{2, 1, 4}, {1, 1, 3}}, part.data());
                      }).find("released"),
                      std::string::npos);
        });
    run({}, spec, write);
    if (consumer.joinable()) consumer.join();
    spec.engine = "netcdf";
    spec.path = dir / "history.nc";
    spec.options.clear();
    run({}, spec, write);
    if (rank() != 0) return;
    const Reader file(dir / "history.nc");
    ASSERT_EQ(fields.size(), file.fields().size());
    for (const auto &f : fields) {
        const auto &other = file.field(f.name);
        EXPECT_EQ(f.type, other.type) << f.name;
        EXPECT_EQ(f.dimensions, other.dimensions) << f.name;
        EXPECT_EQ(f.per_frame, other.per_frame) << f.name;
        ASSERT_EQ(f.attributes.size(), other.attributes.size()) << f.name;
        for (std::size_t a = 0; a < f.attributes.size(); ++a) {
            EXPECT_EQ(f.attributes[a].name, other.attributes[a].name);
            EXPECT_EQ(f.attributes[a].value, other.attributes[a].value) << f.attributes[a].name;
        }
    }
    EXPECT_EQ(attributes.size(), file.attributes().size());
}

TEST(Sst, ARunWithoutConsumersGoesOn) {
    const Scratch dir;
    const auto report = run({}, live(dir, "inline", {{"when_queue_full", "wait"}}),
                            [](Stream &s, const Patch &p) { each_frame(s, p, 20); });
    if (rank() != 0) return;
    EXPECT_EQ(report.frames, 20);
    EXPECT_EQ(report.skipped, 0);
    EXPECT_TRUE(dir.files().empty());
}

TEST(Sst, AStoppedConsumerIsLeftBehindAndOthersGetWhatComes) {
    const Scratch dir;
    std::optional<Process> stopped;
    std::optional<Consumer> other;
    if (rank() == 0) stopped.emplace(dir / "history.sst");
    const Options options = {
        {"queue_limit", "2"}, {"stall", "1"}, {"first_consumer", "60"}, {"when_queue_full", "wait"}};
    run({}, live(dir, "inline", options), [&](Stream &s, const Patch &p) {
        int n = 0;
        const auto write = [&] { write_frame(s, p, n++, puts_what_is_one(p)); };
        write();
        if (rank() == 0) {
            EXPECT_EQ(stopped->line(), "0\n");
            other.emplace(dir / "history.sst");
        }
        for (int more = 1; more;) { // until the other has joined
            write();
            more = rank() == 0 && other->taken() == 0;
            MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
            std::this_thread::sleep_for(20ms);
        }
        if (rank() == 0) stopped->signal(SIGSTOP);
        const int last = n + 10;
        while (n < last) write();
    });
    if (rank() != 0) return;
    const auto numbers = other->numbers();
    ASSERT_FALSE(numbers.empty());
    EXPECT_EQ(numbers.back() - numbers.front() + 1, std::ssize(numbers)); // nothing was missed
}

TEST(Sst, AStoppedConsumerCostsFramesWhereTheyAreDiscardedAndNoTime) {
    const Scratch dir;
    std::optional<Process> stopped;
    if (rank() == 0) stopped.emplace(dir / "history.sst");
    const Options options = {{"queue_limit", "2"}, {"first_consumer", "60"}, {"linger", "1"}};
    const auto report = run({}, live(dir, "thread", options), [&](Stream &s, const Patch &p) {
        write_frame(s, p, 0, puts_what_is_one(p));
        if (rank() == 0) {
            EXPECT_EQ(stopped->line(), "0\n");
            stopped->signal(SIGSTOP);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (int n = 1; n < 40; ++n) write_frame(s, p, n, puts_what_is_one(p));
    });
    if (rank() != 0) return;
    EXPECT_GT(report.skipped, 20);
    EXPECT_EQ(report.frames + report.skipped, 40);
    EXPECT_EQ(report.failed, 0);
}

TEST(Sst, ConsumersThatAreKilledAreForgotten) {
    const Scratch dir;
    std::optional<Consumer> other;
    if (rank() == 0) other.emplace(dir / "history.sst");
    const auto report = run({}, live(dir, "inline", patient), [&](Stream &s, const Patch &p) {
        int n = 0;
        const auto write = [&] { write_frame(s, p, n++, puts_what_is_one(p)); };
        write();
        for (int victim = 0; victim < 3; ++victim) {
            std::optional<Process> killed;
            if (rank() == 0) killed.emplace(dir / "history.sst");
            std::thread watch;
            std::atomic<bool> joined = false;
            if (rank() == 0)
                watch = std::thread([&] {
                    killed->line();
                    joined = true;
                });
            for (int more = 1; more;) {
                write();
                more = rank() == 0 && !joined;
                MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
                std::this_thread::sleep_for(10ms);
            }
            if (watch.joinable()) watch.join();
            killed.reset(); // by SIGKILL, wherever it is
            for (int more = 0; more < 6; ++more) write();
        }
    });
    if (rank() != 0) return;
    EXPECT_EQ(report.skipped, 0);
    EXPECT_EQ(other->numbers(), first(report.frames));
}

TEST(Sst, AHundredConsumersJoinAndLeave) {
    const Scratch dir;
    constexpr int at_once = 10, each = 10;
    std::atomic<int> served = 0;
    std::vector<std::thread> consumers;
    if (rank() == 0)
        for (int c = 0; c < at_once; ++c)
            consumers.emplace_back([&] {
                for (int n = 0; n < each; ++n) {
                    Subscriber live(dir / "history.sst");
                    for (int waited = 0; waited < 300; ++waited)
                        if (const auto frame = live.next(0.2)) {
                            expect_frame(*frame, 0, static_cast<int>(live.number()));
                            ++served;
                            break;
                        }
                }
            });
    const auto report = run({}, live(dir, "inline", {}), [&](Stream &s, const Patch &p) {
        int more = 1;
        for (int n = 0; more && n < 3000; ++n) {
            write_frame(s, p, n, puts_what_is_one(p));
            more = served < at_once * each;
            MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
            std::this_thread::sleep_for(20ms);
        }
    });
    for (auto &c : consumers) c.join();
    if (rank() != 0) return;
    EXPECT_EQ(served, at_once * each);
    EXPECT_EQ(report.failed, 0);
}

/// The relays that this process has started.
std::vector<pid_t> relays() {
    std::vector<pid_t> found;
    for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream in(entry.path() / "stat");
        int id = 0, parent = 0;
        std::string name, state;
        if (in >> id >> name >> state >> parent && parent == getpid() && name == "(squall-relay)")
            found.push_back(id);
    }
    return found;
}

TEST(Sst, ARelayThatIsKilledIsReplaced) {
    const Scratch dir;
    std::optional<Consumer> consumer;
    if (rank() == 0) consumer.emplace(dir / "history.sst");
    const auto report = run({}, live(dir, "inline", patient), [&](Stream &s, const Patch &p) {
        write_frame(s, p, 0, puts_what_is_one(p));
        if (rank() == 0) {
            while (consumer->taken() == 0) std::this_thread::sleep_for(1ms);
            for (const auto pid : relays()) kill(pid, SIGKILL);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        int more = 1;
        for (int n = 1; more; ++n) {
            write_frame(s, p, n, puts_what_is_one(p));
            more = rank() == 0 && consumer->taken() < 3;
            MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
            std::this_thread::sleep_for(20ms);
        }
    });
    if (rank() != 0) return;
    EXPECT_EQ(report.failed, 0);
    EXPECT_EQ(report.skipped, 0);
    const auto numbers = consumer->numbers();
    EXPECT_EQ(numbers.back(), report.frames - 1);
    EXPECT_TRUE(std::ranges::is_sorted(numbers));
    EXPECT_TRUE(relays().empty());
}

TEST(Sst, RanksOfAConsumerGetTheSameFrames) {
    const Scratch dir;
    if (ranks() < 2) return;
    MPI_Comm part = MPI_COMM_NULL; // rank 0 computes, the others look on
    MPI_Comm_split(MPI_COMM_WORLD, rank() == 0, rank(), &part);
    if (rank() == 0) {
        Session session(part);
        auto stream = session.open(live(dir, "inline", {{"first_consumer", "60"}}));
        const auto patch = patch_of(0, 1);
        put_fixed(stream, patch);
        for (int n = 0, more = 1; more; ++n) {
            write_frame(stream, patch, n, true);
            std::this_thread::sleep_for(20ms);
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &more, MPI_STATUS_IGNORE);
            more = !more;
        }
        MPI_Recv(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        stream.close();
        session.close();
    } else {
        Subscriber subscriber(dir / "history.sst", part);
        int me = 0, n = 1, frames = 0;
        MPI_Comm_rank(part, &me);
        MPI_Comm_size(part, &n);
        while (!subscriber.ended()) {
            const auto frame = subscriber.next(1);
            if (!frame) continue;
            const auto number = subscriber.number();
            std::int64_t most = 0;
            MPI_Allreduce(&number, &most, 1, MPI_INT64_T, MPI_MAX, part);
            EXPECT_EQ(number, most);
            const std::int64_t j0 = ny * me / n, j1 = ny * (me + 1) / n;
            std::vector<float> rows(static_cast<std::size_t>((j1 - j0) * nx));
            frame->read("T", 0, {{0, j0, 0}, {1, j1 - j0, nx}}, rows.data());
            EXPECT_EQ(rows.front(), t_at(0, j0, 0, static_cast<int>(number)));
            if (++frames == 5 && rank() == 1) MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
        EXPECT_GE(frames, 5);
    }
    MPI_Comm_free(&part);
}

TEST(Sst, RefusesWhatCannotWorkAndSaysWhy) {
    const Scratch dir;
    const auto refusal = [&](const std::function<void(StreamSpec &)> &change) {
        auto spec = live(dir, "inline", {});
        change(spec);
        Session session(MPI_COMM_WORLD);
        return error_of([&] { session.open(spec); });
    };
    EXPECT_NE(refusal([](auto &s) { s.path = "history_%H.nc"; }).find("must end in \".sst\""),
              std::string::npos);
    EXPECT_NE(refusal([](auto &s) { s.options["data_plane"] = "mpi"; }).find("the model's own MPI job"),
              std::string::npos);
    EXPECT_NE(refusal([](auto &s) { s.options["data_plane"] = "tcp"; }).find("evpath"), std::string::npos);
    EXPECT_NE(refusal([](auto &s) { s.burst_dir = "/tmp"; }).find("burst_dir"), std::string::npos);
    EXPECT_NE(refusal([](auto &s) { s.append = true; }).find("cannot append"), std::string::npos);
}

} // namespace
} // namespace squall::io::test
