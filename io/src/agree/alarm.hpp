/// Calls of libraries that write together wait inside the library, where nobody can be patient: PnetCDF,
/// parallel HDF5 and ADIOS2 use MPI's blocking calls. Whoever makes such a call sets the alarm.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "agree/patience.hpp"

namespace squall::io {

/// While it is set somebody watches: after the watchdog's time a line on standard error says what this
/// rank has waited for, and at the deadline another one does and the job is ended (MPI_Abort), since
/// a call of a library cannot be given up.
class Alarm {
  public:
    explicit Alarm(const Patience &patience) : patience_(patience) {}
    ~Alarm();
    Alarm(const Alarm &) = delete;
    Alarm &operator=(const Alarm &) = delete;

    /// Runs f with the alarm set. `doing` completes "rank 3 has waited 60 s for ...".
    template <class F> void around(const std::string &doing, F f) {
        const Set set(*this, doing);
        f();
    }

  private:
    struct Set {
        Set(Alarm &alarm, const std::string &doing) : a(alarm) { a.set(doing); }
        ~Set() { a.clear(); }
        Set(const Set &) = delete;
        Set &operator=(const Set &) = delete;
        Alarm &a;
    };
    void set(const std::string &doing);
    void clear();
    void watch();

    Patience patience_;
    std::mutex mutex_;
    std::condition_variable stopped_;
    std::string doing_; ///< empty: the alarm is not set
    double since_ = 0, warn_at_ = 0;
    bool stop_ = false;
    std::thread thread_; ///< begins with the first call
};

} // namespace squall::io
