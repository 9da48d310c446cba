#include "agree/order.hpp"

#include <algorithm>
#include <random>

namespace squall::io {
namespace {

/// Ranks of MPI_COMM_WORLD are not enough: programs that were spawned have a world of their own.
std::int64_t number_of_its_own() {
    std::random_device chance;
    return (std::int64_t(chance() >> 1) << 32) | chance();
}

} // namespace

Order::Order() : process_(number_of_its_own()) {}

Order &Order::of_process() {
    static Order order;
    return order;
}

Stamp Order::propose() {
    const std::lock_guard lock(mutex_);
    return *stamps_.insert({++clock_, process_}).first;
}

void Order::settle(const Stamp &proposed, const Stamp &agreed) {
    const std::lock_guard lock(mutex_);
    clock_ = std::max(clock_, agreed.time);
    stamps_.erase(proposed);
    stamps_.insert(agreed);
}

bool Order::is_first(const Stamp &agreed) const {
    const std::lock_guard lock(mutex_);
    return !stamps_.empty() && *stamps_.begin() == agreed;
}

void Order::leave(const Stamp &stamp) {
    const std::lock_guard lock(mutex_);
    stamps_.erase(stamp);
}

} // namespace squall::io
