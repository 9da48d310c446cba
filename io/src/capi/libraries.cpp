/// The lock of the libraries in C: a pair of functions.

#include <memory>
#include <vector>

#include "capi.hpp"
#include "squall/io_libraries.hpp"

using namespace squall::io;
using namespace squall::io::capi;

namespace {
thread_local std::vector<std::unique_ptr<LibraryLock>> locks; ///< this thread's
}

int squall_io_lock_libraries() {
    return guarded([&] { locks.push_back(std::make_unique<LibraryLock>()); });
}

int squall_io_unlock_libraries() {
    return guarded([&] {
        if (locks.empty())
            throw Error(
                "the libraries were unlocked by a thread that has not locked them; lock and unlock in "
                "the same thread");
        locks.pop_back();
    });
}
