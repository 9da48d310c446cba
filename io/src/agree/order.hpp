/// In which order a process does what several processes do together through a library that lets one thread in
/// at a time, where the processes belong to several groups.
#pragma once

#include <compare>
#include <cstdint>
#include <mutex>
#include <set>

namespace squall::io {

/// When something is to be done: no two of what is done have the same, and all processes that do it have the
/// same for it. A time of 0: whenever it comes.
struct Stamp {
    std::int64_t time = 0, process = 0; ///< of a clock that only counts; whose it was
    friend auto operator<=>(const Stamp &, const Stamp &) = default;
};

/// A thread holds the lock of such a library while it waits in it for the other processes. If each process
/// took up what comes first, two of them could each hold its lock for what the other one cannot begin. So
/// they agree on stamps as Skeen's total order multicast does (Birman and Joseph 1987, "Reliable
/// communication in the presence of failures", section 4.3): each process that takes part proposes one, later
/// than all that it knows; the latest of them counts; and a process does what has the earliest stamp of all
/// that it has proposed or agreed to.
///
/// That cannot end in a circle. Of all that is proposed or agreed to anywhere, consider what is earliest. If
/// it is agreed to, then nothing is before it on any process: all who take part do it, and it ends. If it is
/// not yet, then its group's threads are free to agree on it: a thread is busy only with something of the
/// same group whose turn was before, which had an earlier stamp. Nobody proposes before all have their part
/// ready (Turns), so that none of this waits for a rank that is late.
///
/// One for a process, for any number of threads.
class Order {
  public:
    static Order &of_process();

    /// A proposal, which is in the order as long as it is not settled.
    Stamp propose();
    /// In place of a proposal.
    void settle(const Stamp &proposed, const Stamp &agreed);
    /// Whether this comes next.
    bool is_first(const Stamp &agreed) const;
    /// It is done, or nobody will do it.
    void leave(const Stamp &stamp);

  private:
    Order();

    mutable std::mutex mutex_;
    std::int64_t clock_ = 0;
    const std::int64_t process_;
    std::set<Stamp> stamps_;
};

} // namespace squall::io
