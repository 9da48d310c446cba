/// The drain: takes staged frames to their files, on all writers together.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "courier.hpp"
#include "crew.hpp"
#include "exchange.hpp"
#include "series.hpp"
#include "staged.hpp"
#include "turns.hpp"

namespace squall::io {

/// What became of a frame; or what went wrong in publishing a file later.
struct Outcome {
    std::int64_t number = -1; ///< of the frame in its stream; -1: none
    Time time;
    std::string fault;                          ///< complete message; empty: it is stored
    bool skipped = false;                       ///< dropped because a rank had no room
    double committed = 0, begun = 0, ended = 0; ///< [s since the epoch of the system's clock]
    std::uint64_t bytes = 0;                    ///< of the frame, uncompressed
};

/// What a stream brings to a drain.
struct DrainStream {
    std::shared_ptr<const Layout> layout;
    /// A fresh copy of this writer's fields that are fixed in time.
    std::function<std::unique_ptr<Staged>()> fixed;
    /// Called once per frame, and for failures in closing, on the thread that drains.
    std::function<void(const Outcome &)> done;
    /// Who holds what of each field, where that is the same for every frame and checked before.
    std::vector<Holdings> holdings;
};

/// On each writer of a crew. add() and submit() are local and return at once; the frames of a
/// stream are stored in the order of submission, those of different streams in an order that the
/// writers agree on as frames become ready on all of them.
class Drain {
  public:
    Drain(MPI_Comm writers, Patience patience) : crew_(writers, patience), turns_(crew_) {}
    ~Drain();
    Drain(const Drain &) = delete;
    Drain &operator=(const Drain &) = delete;

    const Crew &crew() const { return crew_; }

    /// Starts the thread that drains, if there is none yet. Needs MPI_THREAD_MULTIPLE unless the
    /// crew has a single writer.
    void work_in_background();
    bool in_background() const { return thread_.joinable(); }

    /// The stream's number: the same on all writers.
    void add(int stream, DrainStream what);
    void submit(int stream, std::unique_ptr<Staged> frame);
    /// Publishes what is complete, after the frames submitted before.
    void close(int stream);

    /// Without a background thread: stores what is ready on all writers. Whether there was any.
    bool work();
    /// Waits, working if nobody else does, until everything submitted to a stream is stored; with
    /// `files`, also until its files have arrived from the burst directory.
    void finish(int stream, bool files);
    /// Whether everything submitted to a stream is done, files on their way included.
    bool idle(int stream) const;
    /// Bytes on disk of the stream's published files, where the crew leads.
    std::uint64_t stored_bytes(int stream) const { return channels_.at(stream)->series.stored_bytes(); }

  private:
    struct Job {
        std::unique_ptr<Staged> frame; ///< null: close, or an arrival
        std::shared_ptr<Departure> departure;
        std::string fault; ///< of the departure's journey here
        double committed = 0;
    };
    struct Channel {
        Channel(const Crew &crew, DrainStream s);
        DrainStream stream;
        FileSeries series;
        std::vector<Holdings> holdings, wanted;
        std::optional<std::vector<std::pair<int, Box>>> boxes, fixed_boxes; ///< that these were made of
        std::int64_t submitted = 0, departed = 0; ///< numbers given to jobs, and to files under way
        std::int64_t unfinished = 0;              ///< frames and the closing
        std::int64_t under_way = 0;               ///< files on their way from the burst directory
    };
    static bool done(const Channel &channel, bool files) {
        return channel.unfinished == 0 && (!files || channel.under_way == 0);
    }
    using Key = std::pair<int, std::int64_t>; ///< stream and number

    void enqueue(int stream, std::int64_t number, Job job);
    void background();
    bool stopped() const;
    std::string next_job() const;
    bool step();
    void execute(const Ticket &ticket);
    void run(Channel &channel, Job &job, Outcome &outcome);
    void store(Channel &channel, Staged &frame, Outcome &outcome);
    void review(Channel &channel, const Staged &frame, bool per_frame);
    std::string write_field(Channel &channel, int field, Staged &frame, std::uint64_t &sum);
    void dispatch(int stream, Channel &channel);
    std::string describe(const Channel &channel, const Time &time) const;

    Crew crew_;
    Turns turns_;
    Scratch scratch_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<int, std::unique_ptr<Channel>> channels_;
    std::map<Key, Job> jobs_;
    std::deque<Ticket> announced_; ///< jobs whose readiness turns_ does not know yet
    std::int64_t pending_ = 0;     ///< jobs not done
    bool stop_ = false;
    std::thread thread_;
    std::unique_ptr<Courier> courier_; ///< ends before what it reports to
};

/// Seconds since the epoch of the system's clock.
double now();

} // namespace squall::io
