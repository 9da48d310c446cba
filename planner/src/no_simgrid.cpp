#include <stdexcept>

#include "outcome.hpp"

namespace squall::planner {

bool simulates() { return false; }

Outcome simulate(const Task &) {
    throw std::runtime_error("this build has no SimGrid (Debian: libsimgrid-dev): use --method closed-form");
}

} // namespace squall::planner
