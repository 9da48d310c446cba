#include "common/sizes.hpp"

#include <limits>

#include "squall/io.hpp"

namespace squall::io {
namespace {

[[noreturn]] void uncountable() {
    throw Error("its sizes add up to more bytes than can be counted; it is damaged, use another copy");
}

} // namespace

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    if (b > std::numeric_limits<std::uint64_t>::max() - a) uncountable();
    return a + b;
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) uncountable();
    return a * b;
}

std::int64_t points_in(const std::vector<std::int64_t> &extents, std::uint64_t element) {
    std::uint64_t bytes = element;
    bool none = false;
    for (const auto n : extents) {
        if (n < 0) throw Error("it contains a negative size; it is damaged, use another copy");
        none |= n == 0;
        if (n > 0) bytes = times(bytes, static_cast<std::uint64_t>(n));
    }
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) uncountable();
    return none ? 0 : static_cast<std::int64_t>(bytes / element);
}

} // namespace squall::io
