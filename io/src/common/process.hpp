/// Whether another process of this node still runs.
#pragma once

#include <cstdint>

namespace squall::io {

class Process {
  public:
    /// Of this number, running now.
    explicit Process(std::int64_t number);
    ~Process();
    Process(Process &&other) noexcept;
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    /// Whether it has ended, also if nobody has asked for its exit status yet. Never true of a process that
    /// is stopped.
    bool ended() const;

  private:
    std::int64_t number_;
    int fd_ = -1; ///< of the process, where the system has such; else /proc is read
};

} // namespace squall::io
