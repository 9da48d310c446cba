/// Where the time of a run goes, by routine and thread: what loops over tiles and spans report to while
/// somebody profiles. Kernels know nothing of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <omp.h>

#include "core/code_place.hpp"

namespace squall {

/// Of one process. Loops and spans begin and end on the thread that starts parallel regions; their parts on
/// any thread.
class Profile {
  public:
    enum class Kind { computing, exchanging, waiting, output };

    /// A loop over tiles, or a span of a rank's time.
    struct Routine {
        std::string name, file; ///< as the compiler has it, without what is in front of the last "/src/"
        unsigned line = 0;
        Kind kind = Kind::computing;
        bool parts = false; ///< threads share it out: `threads` says what each had of it
        std::int64_t calls = 0;
        double total = 0, self = 0;    ///< self: without what else began within it [s]
        std::vector<double> threads{}; ///< [s]
    };

    /// From `begin` on, `seconds` long, on a thread; in the order in which they ended there.
    struct Event {
        int routine = 0, thread = 0;
        double begin = 0, seconds = 0;
    };

    /// What this process reports to; null: nobody profiles.
    static Profile *running() { return running_; }
    /// From now on, with room for so many events of a thread; what comes later counts and is no event.
    static Profile &start(int threads, std::size_t events);
    /// No more. The profile is the caller's.
    static std::unique_ptr<Profile> stop();

    std::vector<Routine> routines() const;
    std::vector<Event> events() const;
    std::int64_t events_lost() const;
    double seconds() const; ///< since the start

    // For LoopProfile and Span alone.
    /// As running(); within a parallel region, where nothing new begins, null.
    static Profile *here() { return running_ && !omp_in_parallel() ? running_ : nullptr; }
    int begin(Kind kind, bool parts, const char *name, const CodePlace &where);
    void end();
    double part_begins() const { return seconds(); }
    void part_ends(int routine, int thread, double began);

  private:
    using Clock = std::chrono::steady_clock;
    struct Open {
        int routine;
        double began, within; ///< within: of others that began in it
    };
    struct alignas(64) Thread {
        std::vector<double> busy; ///< per routine
        std::vector<Event> events;
        std::int64_t lost = 0;
    };
    struct Key {
        const char *file, *name;
        unsigned line;
    };
    Profile(int threads, std::size_t events);
    void keep(Thread &thread, const Event &event);

    static Profile *running_;
    Clock::time_point start_ = Clock::now();
    std::size_t room_;
    std::vector<Key> keys_;
    std::vector<Routine> routines_;
    std::vector<Open> open_;
    std::vector<Thread> threads_;
};

/// A loop whose parts threads share out: made before, told of each part by the thread that has it.
class LoopProfile {
  public:
    explicit LoopProfile(const CodePlace &where) : profile_(Profile::here()) {
        if (profile_) routine_ = profile_->begin(Profile::Kind::computing, true, nullptr, where);
    }
    ~LoopProfile() {
        if (profile_) profile_->end();
    }
    LoopProfile(const LoopProfile &) = delete;
    LoopProfile &operator=(const LoopProfile &) = delete;

    /// One part, from here to the end of its life.
    class Part {
      public:
        Part(const LoopProfile &loop, int thread) : loop_(loop), thread_(thread) {
            if (loop_.profile_) began_ = loop_.profile_->part_begins();
        }
        ~Part() {
            if (loop_.profile_) loop_.profile_->part_ends(loop_.routine_, thread_, began_);
        }
        Part(const Part &) = delete;
        Part &operator=(const Part &) = delete;

      private:
        const LoopProfile &loop_;
        int thread_;
        double began_ = 0;
    };

  private:
    Profile *profile_;
    int routine_ = 0;
};

/// What a rank does from here to the end of its life, by a name of the program's lifetime.
class Span {
  public:
    Span(const char *name, Profile::Kind kind, const CodePlace &where = CodePlace::current())
        : profile_(Profile::here()) {
        if (profile_) profile_->begin(kind, false, name, where);
    }
    ~Span() {
        if (profile_) profile_->end();
    }
    Span(const Span &) = delete;
    Span &operator=(const Span &) = delete;

  private:
    Profile *profile_;
};

const char *name_of(Profile::Kind kind);

} // namespace squall
