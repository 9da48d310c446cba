/// A signal that comes in the middle of a system call is no error of it.
#pragma once

#include <cerrno>

namespace squall::io {

/// The result of a call that returns -1 and sets errno, made again for as long as signals interrupt it.
template <class F> auto retried(F call) {
    for (;;) {
        const auto result = call();
        if (result != -1 || errno != EINTR) return result;
    }
}

} // namespace squall::io
