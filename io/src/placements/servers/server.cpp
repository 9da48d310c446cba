#include "placements/servers/server.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "placements/servers/arriving.hpp"
#include "placements/servers/wire.hpp"
#include "session.hpp"

namespace squall::io {
namespace {

/// The staging memory of a stream on a rank of this node.
class Window {
  public:
    Window(std::int64_t process, std::int64_t descriptor, std::int64_t bytes)
        : bytes_(static_cast<std::size_t>(bytes)) {
        const int fd =
            ::open(fmt::format("/proc/{}/fd/{}", process, descriptor).c_str(), O_RDONLY | O_CLOEXEC);
        void *base = fd < 0 ? MAP_FAILED : mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
        if (fd >= 0) ::close(fd);
        if (base == MAP_FAILED)
            throw Error(
                fmt::format("cannot map the staging memory of process {}, which could be mapped when the "
                            "session began; set shared_memory to false",
                            process));
        base_ = static_cast<const std::byte *>(base);
    }
    ~Window() { munmap(const_cast<std::byte *>(base_), bytes_); }
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;
    const std::byte *base() const { return base_; }

  private:
    const std::byte *base_ = nullptr;
    std::size_t bytes_;
};

/// A frame of which not all ranks have spoken yet.
struct Gathering {
    std::unique_ptr<Arriving> frame, fixed;
    std::size_t headers = 0;
};

/// One stream on this server.
struct Served {
    Served(const Bytes &declaration, const SessionCore &session)
        : layout(std::make_shared<const Layout>(unpack_spec(declaration))), hashed(hash(declaration)),
          holdings(slabs(*layout, session.drain->crew().size(), session.spec.assignment)),
          slot{*layout, holdings, session.drain->crew().rank(),
               std::make_shared<Pool>(layout->spec.staging_limit, false)} {}

    std::shared_ptr<const Layout> layout;
    std::uint64_t hashed;
    std::vector<Holdings> holdings;
    Slot slot;
    std::map<int, Window> windows; ///< per client
    std::map<std::int64_t, Gathering> frames;
    std::shared_ptr<StagedHere> fixed = std::make_shared<StagedHere>();
    std::size_t closes = 0; ///< clients that have closed the stream
    bool closing = false, closed = false;
};

class Server {
  public:
    explicit Server(SessionCore &session) : session_(session), drain_(*session.drain), outbox_(session.all) {
        int level = 0;
        MPI_Query_thread(&level);
        if (level == MPI_THREAD_MULTIPLE)
            drain_.work_in_background(); // receiving goes on while a frame is written
    }

    void run() {
        auto nap = shortest;
        while (!finished()) {
            if (step()) {
                nap = shortest;
            } else {
                std::this_thread::sleep_for(nap);
                nap = std::min(nap * 5 / 4, longest);
            }
        }
    }

  private:
    static constexpr auto shortest = std::chrono::microseconds(20), longest = std::chrono::microseconds(500);

    bool finished() {
        outbox_.tidy();
        return goodbyes_ == session_.clients.size() && outbox_.empty() &&
               std::ranges::all_of(streams_, [](const auto &s) { return s.second.closed; });
    }

    /// Whether anything happened.
    bool step() {
        bool busy = hear_declarations();
        busy |= hear_headers();
        busy |= take_up_waiting();
        busy |= submit_complete();
        busy |= drain_.work();
        busy |= answer();
        busy |= close_streams();
        return busy;
    }

    bool hear_declarations() {
        Bytes bytes;
        int from = 0;
        if (!receive(session_.all, declare_tag, bytes, from)) return false;
        const int number = bytes[0] | bytes[1] << 8;
        bytes.erase(bytes.begin(), bytes.begin() + 2);
        auto &served = streams_.try_emplace(number, bytes, session_).first->second;
        drain_.add(number, {.layout = served.layout,
                            .fixed = [fixed = served.fixed] { return fixed->copy(); },
                            .done = [this, number](const Outcome &o) { keep(number, o); },
                            .holdings = served.holdings});
        return true;
    }

    bool hear_headers() {
        Bytes bytes;
        int from = 0;
        if (!receive(session_.all, header_tag, bytes, from)) return false;
        auto header = unpack_header(bytes);
        if (header.kind == Header::Kind::goodbye)
            ++goodbyes_;
        else
            waiting_.push_back({from, std::move(header)});
        return true;
    }

    /// Headers are taken up in the order in which each client sent those of a stream; one for which
    /// there is no room holds up those behind it.
    bool take_up_waiting() {
        bool any = false;
        std::vector<std::pair<int, int>> held_up; // client and stream
        for (auto at = waiting_.begin(); at != waiting_.end();) {
            const auto key = std::pair(at->first, at->second.stream);
            const bool blocked = std::ranges::find(held_up, key) != held_up.end();
            if (!blocked && take_up(at->first, at->second)) {
                at = waiting_.erase(at);
                any = true;
            } else {
                held_up.push_back(key);
                ++at;
            }
        }
        return any;
    }

    bool take_up(int client, const Header &header) {
        const auto found = streams_.find(header.stream);
        if (found == streams_.end()) return false; // its declaration is under way
        auto &served = found->second;
        if (header.kind == Header::Kind::close) {
            ++served.closes;
            return true;
        }
        auto &gathering = served.frames[header.number];
        if (!gathering.frame) {
            gathering.frame = std::make_unique<Arriving>(served.slot, true);
            gathering.frame->time = header.time;
            gathering.frame->number = header.number;
            if (header.with_fixed) gathering.fixed = std::make_unique<Arriving>(served.slot, false);
        }
        auto &frame = *gathering.frame;
        // Frames are admitted in their order, so that the oldest always finds room in the end.
        if (header.descriptor < 0 && !header.offers.empty() &&
            served.frames.begin()->first != header.number && served.slot.pool->used() > 0 &&
            !gathering_has_begun(gathering))
            return false;
        if (!bring(served, gathering, client, header)) return false;
        ++gathering.headers;
        frame.skipped |= header.skipped;
        auto fault = header.fault;
        if (fault.empty() && header.declaration != served.hashed)
            fault = "it declared the stream otherwise than the first computing rank did";
        // All servers of the group hear the same words: one repeats them.
        if (!fault.empty()) {
            faulty_.insert({header.stream, header.number});
            if (drain_.crew().leads())
                frame.fault += fmt::format(
                    "{}computing rank {}: {}", frame.fault.empty() ? "" : "\n",
                    std::ranges::find(session_.clients, client) - session_.clients.begin(), fault);
        }
        return true;
    }

    static bool gathering_has_begun(const Gathering &g) { return g.headers > 0; }

    bool bring(Served &served, Gathering &gathering, int client, const Header &header) {
        if (header.descriptor >= 0) {
            const auto *base =
                served.windows.try_emplace(client, header.process, header.descriptor, header.memory)
                    .first->second.base();
            gathering.frame->see(header.offers, base);
            if (gathering.fixed) gathering.fixed->see(header.fixed, base);
            return true;
        }
        const int tag = points_tag_of(header.stream);
        if (!gathering.frame->expect(header.offers, client, tag, session_.all)) return false;
        if (gathering.fixed) gathering.fixed->expect(header.fixed, client, tag, session_.all);
        return true;
    }

    bool submit_complete() {
        bool any = false;
        for (auto &[number, served] : streams_) {
            while (!served.frames.empty() && complete(served.frames.begin()->second)) {
                auto gathering = std::move(served.frames.begin()->second);
                const Ticket key{number, served.frames.begin()->first};
                served.frames.erase(served.frames.begin());
                check(served, gathering, faulty_.erase(key) > 0);
                drain_.submit(number, std::move(gathering.frame));
                any = true;
            }
            if (served.closes == session_.clients.size() && !served.closing) {
                served.closing = true;
                drain_.close(number);
                any = true;
            }
        }
        return any;
    }

    bool complete(Gathering &g) const {
        return g.headers == session_.clients.size() && g.frame->received() &&
               (!g.fixed || g.fixed->received());
    }

    /// Finds holes, unless somebody has already said what is wrong.
    void check(Served &served, Gathering &g, bool faulty) {
        if (faulty || g.frame->skipped) return;
        auto holes = g.frame->holes();
        if (g.fixed) {
            holes += g.fixed->holes();
            if (holes.empty()) *served.fixed = std::move(*g.fixed->take_all());
        }
        if (!holes.empty()) g.frame->fault = holes;
    }

    /// Called on the thread that drains.
    void keep(int stream, const Outcome &outcome) {
        const std::lock_guard lock(mutex_);
        outcomes_.push_back({stream, outcome});
    }

    bool answer() {
        std::vector<std::pair<int, Outcome>> outcomes;
        {
            const std::lock_guard lock(mutex_);
            outcomes.swap(outcomes_);
        }
        for (auto &[stream, outcome] : outcomes) {
            if (outcome.number < 0) { // in closing: goes with the word that the stream is closed
                late_[stream] = outcome;
                continue;
            }
            Done done;
            done.stream = stream;
            done.outcome = outcome;
            tell(done);
        }
        return !outcomes.empty();
    }

    bool close_streams() {
        bool any = false;
        for (auto &[number, served] : streams_) {
            if (!served.closing || served.closed || !drain_.idle(number)) continue;
            answer(); // frames first
            served.closed = any = true;
            Done done;
            done.stream = number;
            done.closed = true;
            done.stored_bytes = drain_.stored_bytes(number);
            if (const auto late = late_.find(number); late != late_.end()) done.outcome = late->second;
            tell(done);
        }
        return any;
    }

    void tell(Done &done) {
        done.leads = drain_.crew().leads();
        for (const int client : session_.clients) outbox_.send(pack(done), client, done_tag);
    }

    SessionCore &session_;
    Drain &drain_;
    Outbox outbox_;
    std::map<int, Served> streams_;
    std::list<std::pair<int, Header>> waiting_; ///< with the rank that sent it
    std::set<Ticket> faulty_;                   ///< frames with which somebody has found fault
    std::size_t goodbyes_ = 0;
    std::mutex mutex_;
    std::vector<std::pair<int, Outcome>> outcomes_; ///< to be told; guarded by mutex_
    std::map<int, Outcome> late_;                   ///< failures in closing
};

} // namespace

void run_server(SessionCore &session) { Server(session).run(); }

} // namespace squall::io
