/// The drain: takes staged frames to where they go, one after the other, on all writers together.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "agree/rank_group.hpp"
#include "agree/turns.hpp"
#include "drain/frame_store.hpp"
#include "publish/burst_copier.hpp"

namespace squall::io {

/// On each writer of a group. add() and submit() are local and return at once; the frames of a
/// stream are stored in the order of submission, those of different streams in an order that the
/// writers agree on as frames become ready on all of them.
///
/// At the deadline the drain is lost: the writers cannot agree any more, what is published stays, and
/// every call but the destructor throws Timeout with what happened.
class Drain {
  public:
    Drain(MPI_Comm writers, Patience patience) : group_(writers, patience), turns_(group_) {}
    ~Drain();
    Drain(const Drain &) = delete;
    Drain &operator=(const Drain &) = delete;

    const RankGroup &group() const { return group_; }

    /// Starts the thread that drains, if there is none yet. Needs MPI_THREAD_MULTIPLE unless the
    /// group has a single writer and no stream's engine calls MPI.
    void work_in_background();
    bool in_background() const { return thread_.joinable(); }
    /// The name of a stream whose engine calls MPI on a single rank too; "": there is none.
    std::string stream_through_mpi() const;
    /// Lets the thread wait so many times as long as the session's timeout for others to be ready.
    void wait_for_others(double deadlines) { deadlines_ = deadlines; }
    /// When a job was last begun or done, in the seconds of steady_now(); 0: none was.
    double stepped() const { return stepped_; }
    /// Whether the next job is not ready on all.
    bool awaits_others() const;
    /// ", at the frame and file that it is storing", for whoever waits for it; "" between two.
    std::string whereabouts() const;

    /// Is called before anything is done for a frame, and throws if this writer must not go on. Before the
    /// first frame is submitted.
    void set_guard(std::function<void()> guard) { group_.set_guard(std::move(guard)); }

    /// The stream's number: the same on all writers.
    void add(int stream, DrainStream what);
    void submit(int stream, std::unique_ptr<Staged> frame);
    /// Publishes what is complete, after the frames submitted before.
    void close(int stream);
    /// Forgets a stream of which everything is done.
    void remove(int stream);

    /// Without a background thread: stores what is ready on all writers. Whether there was any.
    bool work();
    /// Waits, working if nobody else does, until everything submitted to a stream is stored; with
    /// `files`, also until its files have arrived from the burst directory.
    void finish(int stream, bool files);
    /// Whether everything submitted to a stream is done, files on their way included.
    bool idle(int stream) const;
    /// Throws if the drain is lost.
    void require_whole() const;
    /// Bytes on disk of the stream's published files, where the group leads.
    std::uint64_t stored_bytes(int stream) const;

  private:
    struct Job {
        std::unique_ptr<Staged> frame; ///< null: close, or an arrival
        std::shared_ptr<Departure> departure;
        std::string fault; ///< of the departure's journey here
        double committed = 0;
    };
    struct Channel {
        Channel(const RankGroup &group, DrainStream s);
        FrameStore store;
        std::uint64_t declaration;                ///< hash
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
    void rest(double seconds);
    void lose(const std::string &why);
    bool stopped() const;
    std::string next_job() const;
    bool step();
    void announce(const Ticket &ticket);
    void execute(const Turn &turn);
    void close_again(int stream, Channel &channel);
    void run(Channel &channel, Job &job, const Discord &discord, Outcome &outcome);
    void dispatch(int stream, Channel &channel);
    static Meaning meaning_of(const Channel &channel, const Job &job);
    static std::string name_of(const Channel &channel, const Job &job);
    static std::string words_of(const Discord &discord);

    RankGroup group_;
    Turns turns_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<int, std::unique_ptr<Channel>> channels_;
    std::map<Key, Job> jobs_;
    std::vector<Ticket> announced_; ///< jobs whose readiness turns_ does not know yet
    std::int64_t pending_ = 0;      ///< jobs not done
    bool stop_ = false;
    const Channel *executing_ = nullptr; ///< whose job
    std::string job_;                    ///< that is executed, in words
    double deadlines_ = 1;
    std::atomic<double> stepped_ = 0;
    std::string lost_; ///< why; empty: it is not
    std::thread thread_;
    std::unique_ptr<BurstCopier> copier_; ///< ends before what it reports to
};

} // namespace squall::io
