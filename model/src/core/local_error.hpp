/// A failure of one rank, of which the others know nothing: they may wait for it, so that whoever catches it
/// must end them all, and nothing collective is possible.
#pragma once

#include <stdexcept>
#include <string>

namespace squall {

class LocalError : public std::runtime_error {
  public:
    explicit LocalError(const std::string &what) : std::runtime_error(what) {}
};

/// What is said of a rank that std::bad_alloc was thrown on.
inline std::string out_of_memory(int rank) {
    return "rank " + std::to_string(rank) +
           " ran out of memory: --plan tells what the run needs on each rank; use more nodes, or fewer ranks "
           "per node";
}

} // namespace squall
