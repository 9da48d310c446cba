#include "placements/servers/server.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "common/clock.hpp"
#include "placements/servers/after_loss.hpp"
#include "placements/servers/arriving.hpp"
#include "placements/servers/departures.hpp"
#include "placements/servers/drain_monitor.hpp"
#include "placements/servers/mpi_messages.hpp"
#include "placements/servers/point_messages.hpp"
#include "placements/servers/server_queue.hpp"
#include "placements/session_ranks.hpp"

namespace squall::io::servers {
namespace {

std::vector<Shares> all_shares(const ShareMaps &maps) {
    std::vector<Shares> shares;
    for (const int map : maps.map_of) shares.push_back(maps.maps[static_cast<std::size_t>(map)].shares());
    return shares;
}

/// The way of a frame on a server: its messages come to the queue; when all are there it is admitted,
/// that is, has room and is received; when its points are there it is submitted to the drain; when
/// the drain has stored it those who wait for it are answered.
class Server {
  public:
    explicit Server(SessionRanks &session_ranks)
        : session_ranks_(session_ranks), drain_(session_ranks.everybody->drain()),
          messages_(session_ranks.all), refuse_(session_ranks.all),
          queue_(messages_, session_ranks.groups[static_cast<std::size_t>(session_ranks.group)].ranks,
                 drain_.group().rank(), session_ranks.clients, session_ranks.spec.timeout),
          departures_(session_ranks, drain_.group()) {
        int level = 0;
        MPI_Query_thread(&level);
        if (level == MPI_THREAD_MULTIPLE)
            drain_.work_in_background(); // receiving goes on while a frame is written
        drain_.wait_for_others(2); // who fail a frame whose points do not come, and say so, at the deadline
        // Without a thread it stands still while it writes, and others know that it may.
        monitor_ = std::make_shared<DrainMonitor>(session_ranks.rank,
                                                  drain_.in_background() ? session_ranks.spec.timeout : 0);
        drain_.set_guard([monitor = monitor_] { // whatever was begun is left as it is, for `squall recover`
            try {
                monitor->require_trust();
            } catch (const Error &e) {
                throw Timeout(e.what());
            }
        });
    }

    void run() {
        auto nap = shortest;
        while (!finished()) {
            check_self();
            if (step()) {
                nap = shortest;
            } else {
                std::this_thread::sleep_for(nap);
                nap = std::min(nap * 5 / 4, longest);
            }
        }
    }

    /// Tells those who would wait. Whether all of them have heard: not for long.
    void give_up(const std::string &reason) {
        monitor_->leave();
        if (told_by_others_) return;
        queue_.lost(session_ranks_.group, reason);
        const double until = steady_now() + 2;
        while (!messages_.delivered() && steady_now() < until) std::this_thread::sleep_for(longest);
    }

    /// Whether every stream has others to write it.
    bool replaceable() const {
        return !departures_.any() && std::ranges::all_of(streams_, [](const auto &s) {
            return s.second->layout->spec.on_lost_server == "take-over";
        });
    }

  private:
    static constexpr auto shortest = std::chrono::microseconds(20), longest = std::chrono::microseconds(500);

    /// A frame that has room, or needs none; or the end of its stream.
    struct Admitted {
        Topic topic;
        std::unique_ptr<Arriving> frame; ///< null: the end
    };

    /// Nobody waits for a message that was not delivered at the deadline: all have said goodbye.
    bool finished() {
        if (!queue_.over() || !streams_.empty() || !refuse_.idle()) return false;
        if (over_ == 0) over_ = steady_now();
        const double deadline = session_ranks_.spec.timeout;
        return messages_.delivered() || (deadline > 0 && steady_now() - over_ > deadline);
    }

    /// Throws Error if the others can no longer rely on this server.
    void check_self() {
        constexpr double look_every = 0.05; // seconds
        monitor_->look();
        const double time = monitor_->looked(), deadline = session_ranks_.spec.timeout;
        if (time - checked_ < look_every) return;
        checked_ = time;
        drain_.require_whole();
        for (const int rank : session_ranks_.groups[static_cast<std::size_t>(session_ranks_.group)].ranks) {
            const auto process = session_ranks_.neighbours.find(rank);
            if (process != session_ranks_.neighbours.end() && process->second.ended())
                throw Error(fmt::format("I/O server rank {}, which wrote with this one, has ended", rank));
        }
        const double idle = time - std::max(progress_, drain_.stepped());
        if (deadline > 0 && draining_ > 0 && drain_.in_background() &&
            idle > (drain_.awaits_others() ? 2.5 : 1) * deadline)
            throw Error(fmt::format("I/O server rank {} has stored nothing for {:.1f} s, longer than "
                                    "timeout{}: its disk, or a server that writes with it, does not respond",
                                    session_ranks_.rank, idle, drain_.whereabouts()));
        if (deadline <= 0) return;
        give_up_overdue(time);
        departures_.look(time, deadline, draining_ > 0);
    }

    /// Frames whose points do not come fail. Another server may have all that it has to have of them.
    void give_up_overdue(double time) {
        for (auto &[topic, frame] : admitted_) {
            if (!frame || frame->received()) continue;
            const auto fault = frame->overdue(time, session_ranks_.spec.timeout);
            if (fault.empty()) continue;
            frame->fault = fmt::format("on I/O server rank {}: {}", session_ranks_.rank, fault);
            frame->useless = true;
            frame->give_up(session_ranks_.clients, refuse_);
        }
    }

    void drain_begins() {
        if (draining_++ == 0) progress_ = steady_now();
    }

    /// Whether anything happened.
    bool step() {
        bool busy = read_messages();
        busy |= admit();
        busy |= submit_received();
        busy |= refuse_.work();
        busy |= drain_.work();
        busy |= answer();
        busy |= end_closed();
        queue_.tick(steady_now());
        return busy;
    }

    bool read_messages() {
        ServerMessage message;
        int from = 0;
        if (!messages_.receive(message, from)) return false;
        std::visit([&](const auto &l) { hear(l, from); }, message);
        return true;
    }

    void hear(const DeclareMessage &message, int) {
        const auto &group = drain_.group();
        auto served =
            std::make_shared<Served>(message.declaration, group.rank(), group.size(),
                                     session_ranks_.spec.assignment, session_ranks_.staging_memory());
        const int number = static_cast<int>(message.stream);
        streams_[number] = served;
        drain_.add(number,
                   {.layout = served->layout,
                    .fixed = [fixed = served->fixed] { return fixed->share(); },
                    .done = [monitor = monitor_, number](const Outcome &o) { monitor->keep(number, o); },
                    .shares = all_shares(*served->maps),
                    .successor = message.stream >= generation_step});
        queue_.add(message.stream, served->declaration, served->maps);
        const auto early = std::exchange(early_, {});
        for (const auto &[l, sender] : early)
            std::visit([&, rank = sender](const auto &e) { hear(e, rank); }, l);
    }
    void hear(const PlanMessage &message, int from) {
        if (in_time(message, message.stream, from)) queue_.hear(message, from);
    }
    void hear(const FrameMessage &message, int from) {
        if (in_time(message, message.topic.stream, from)) queue_.hear(message, from, steady_now());
    }
    void hear(const CloseMessage &message, int from) {
        if (message.stream == session_stream) departures_.has_closed(from);
        if (in_time(message, message.stream, from)) queue_.hear(message, from, steady_now());
    }
    void hear(const ConsensusMessage &message, int from) {
        const auto &ranks = session_ranks_.groups[static_cast<std::size_t>(session_ranks_.group)].ranks;
        queue_.hear(message, static_cast<int>(std::ranges::find(ranks, from) - ranks.begin()), steady_now());
    }
    void hear(const LossMessage &message, int) {
        told_by_others_ = true;
        throw Error(fmt::format("the computing ranks continue without this I/O server: {}", message.reason));
    }
    template <class Other> void hear(const Other &, int from) {
        throw Error(fmt::format("rank {} sent an I/O server a message meant for computing ranks", from));
    }

    /// Whether the stream has been declared. If not the message waits: the declaration is under way.
    template <class L> bool in_time(const L &message, std::int64_t stream, int from) {
        if (queue_.knows(stream)) return true;
        early_.emplace_back(message, from);
        return false;
    }

    /// Gives room to topics in the order in which all servers of the group have them: the first that
    /// has none holds up the others, or a frame could have room here and wait for one there that waits
    /// for room that it has. All of its points are on their way, so that it leaves in the end.
    bool admit() {
        bool any = false;
        while (auto late = queue_.late()) {
            any = true;
            refuse(*late);
        }
        for (;;) {
            if (!waiting_ && !take_up(queue_.next())) return any;
            if (waiting_ && !admit_waiting()) return any;
            any = true;
        }
    }

    void refuse(const Arrival &arrival) {
        refuse_.expect(session_ranks_.clients[static_cast<std::size_t>(arrival.client)], arrival.message.tag,
                       arrival.message.messages);
    }

    /// Whether there was one. A frame that is whole waits for room then.
    bool take_up(std::optional<Heard> heard) {
        if (!heard) return false;
        const auto &topic = heard->topic;
        if (topic.stream == session_stream) return true;
        const int number = static_cast<int>(topic.stream);
        auto served = streams_.at(number);
        if (topic.number == close_number) {
            admitted_.push_back({topic, nullptr});
            return true;
        }
        const bool per_frame = topic.number != fixed_number;
        auto fault = heard->verdict.fault;
        const bool skipped = heard->verdict.skipped && fault.empty();
        // What somebody says is wrong all servers know: one repeats it. Holes are found where they are.
        const bool known_to_all = !fault.empty();
        if (fault.empty() && !skipped) fault = fault_here(*served, *heard);
        auto frame = std::make_unique<Arriving>(served, per_frame, served->pool, std::move(heard->arrivals));
        frame->time = heard->verdict.time;
        frame->time.calendar = served->layout->spec.calendar;
        frame->number = topic.number;
        frame->skipped = skipped;
        frame->file = heard->verdict.file;
        frame->in_file = heard->verdict.in_file;
        frame->ends_file = heard->verdict.ends_file;
        frame->useless = skipped || !fault.empty();
        frame->still_valid = [monitor = monitor_] { monitor->require_trust(); };
        if (!known_to_all || drain_.group().leads()) frame->fault = fault;
        waiting_ = Admitted{topic, std::move(frame)};
        return true;
    }

    /// What is wrong with what has come to this server, or has not.
    static std::string fault_here(Served &served, const Heard &heard) {
        if (!heard.missing.empty()) return heard.missing;
        for (const auto &a : heard.arrivals)
            if (a.message.plan > 0 && !a.known)
                return fmt::format(
                    "the message in which computing rank {} lists its points of it has not arrived",
                    a.client);
        return served.fault_of(heard.arrivals, heard.topic.number != fixed_number);
    }

    bool admit_waiting() {
        auto &frame = *waiting_->frame;
        if (!frame.useless && !frame.make_room()) return false;
        frame.useless |= !frame.fault.empty();
        if (frame.useless)
            for (const auto &arrival : frame.arrivals()) refuse(arrival);
        else
            frame.receive(session_ranks_.clients, session_ranks_.all);
        admitted_.push_back(std::move(*waiting_));
        waiting_.reset();
        return true;
    }

    /// Frames of a stream in their order.
    bool submit_received() {
        bool any = false;
        std::set<std::int64_t> behind; // streams of which a frame is not here yet
        for (auto at = admitted_.begin(); at != admitted_.end();) {
            const auto stream = at->topic.stream;
            if (behind.contains(stream) || (at->frame && !at->frame->received())) {
                behind.insert(stream);
                ++at;
                continue;
            }
            auto admitted = std::move(*at);
            at = admitted_.erase(at);
            submit(std::move(admitted));
            any = true;
        }
        return any;
    }

    void submit(Admitted admitted) {
        const int number = static_cast<int>(admitted.topic.stream);
        auto &served = *streams_.at(number);
        if (!admitted.frame) {
            served.closing = true;
            drain_begins();
            drain_.close(number);
            return;
        }
        auto &frame = *admitted.frame;
        if (admitted.topic.number != fixed_number) {
            if (frame.fault.empty() && !frame.useless) frame.fault = served.fixed_fault;
            drain_begins();
            drain_.submit(number, std::move(admitted.frame));
            return;
        }
        served.fixed_fault = frame.fault;
        if (!frame.useless) *served.fixed = std::move(*frame.take_all());
        Outcome outcome;
        outcome.fault = frame.fault;
        queue_.done(admitted.topic, outcome, 0);
    }

    bool answer() {
        auto outcomes = monitor_->take();
        for (auto &[stream, outcome] : outcomes) {
            progress_ = steady_now();
            if (outcome.number >= 0) --draining_;
            if (outcome.number < 0) { // in closing: goes with the word that the stream is closed
                auto &late = streams_.at(stream)->late_fault;
                late += (late.empty() ? "" : "\n") + outcome.fault;
            } else
                queue_.done({stream, outcome.number}, outcome, 0);
        }
        return !outcomes.empty();
    }

    /// Lets go of streams of which everything is stored.
    bool end_closed() {
        bool any = false;
        for (auto at = streams_.begin(); at != streams_.end();) {
            const auto &[number, served] = *at;
            if (!served->closing || !drain_.idle(number)) {
                ++at;
                continue;
            }
            answer(); // frames first
            --draining_;
            progress_ = steady_now();
            Outcome outcome;
            outcome.fault = served->late_fault;
            queue_.done({number, close_number}, outcome, drain_.stored_bytes(number));
            drain_.remove(number);
            at = streams_.erase(at);
            any = true;
        }
        return any;
    }

    SessionRanks &session_ranks_;
    Drain &drain_;
    std::shared_ptr<DrainMonitor> monitor_;
    MpiMessages messages_;
    Refuse refuse_;
    ServerQueue queue_;
    std::map<int, std::shared_ptr<Served>> streams_;
    std::vector<std::pair<ServerMessage, int>>
        early_;                       ///< of streams whose declaration has not come, with the sender
    std::optional<Admitted> waiting_; ///< for room
    std::deque<Admitted> admitted_;
    bool told_by_others_ = false; ///< that this server is lost
    Departures departures_;
    double checked_ = 0;
    int draining_ = 0;    ///< frames and closings that the drain has
    double progress_ = 0; ///< when it last had done one
    double over_ = 0;     ///< since when there is nothing left to do but to be heard; 0: there is
};

} // namespace
} // namespace squall::io::servers

namespace squall::io {
void run_server(SessionRanks &session_ranks) {
    servers::Server server(session_ranks);
    try {
        server.run();
    } catch (const std::exception &e) {
        session_ranks.servers_lost = true;
        server.give_up(e.what());
        return_from_loss(session_ranks);
        if (!server.replaceable()) throw;
        fmt::print(stderr, "squall io: {}; others take over the remaining writes\n", e.what());
    }
}

} // namespace squall::io
