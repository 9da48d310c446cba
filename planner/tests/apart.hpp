/// A simulation in a process of its own: SimGrid knows one of them per process.
#pragma once

#include <array>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace squall::planner {

/// What `simulate` returns there: std::array<double, N>.
template <class F> auto apart(F simulate) {
    std::array<int, 2> ends{};
    decltype(simulate()) found{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        found = simulate();
        _exit(write(ends[1], found.data(), sizeof found) == sizeof found ? 0 : 1);
    }
    EXPECT_EQ(read(ends[0], found.data(), sizeof found), static_cast<ssize_t>(sizeof found));
    for (const int end : ends) close(end);
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return found;
}

} // namespace squall::planner
