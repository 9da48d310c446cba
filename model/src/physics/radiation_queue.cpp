#include "physics/radiation_queue.hpp"

#include <algorithm>

namespace squall {

void RadiationQueue::clear() {
    columns_.clear();
    work_ = added_ = 0;
    ever_ = 0;
}

void RadiationQueue::add(const Column &column) {
    columns_.push_back(column);
    work_ += column.work;
    added_ += column.work;
    ++ever_;
}

std::vector<RadiationQueue::Column> RadiationQueue::take_off(double work) {
    std::vector<Column> taken, kept;
    const double mean = ever_ > 0 ? added_ / ever_ : 0;
    double left = work;
    for (const bool dear : {true, false}) {
        kept.clear();
        for (auto c = columns_.rbegin(); c != columns_.rend(); ++c) {
            const bool goes = (c->work >= mean) == dear && left >= 0.5 * c->work;
            (goes ? taken : kept).push_back(*c);
            if (goes) left -= c->work;
        }
        columns_.assign(kept.rbegin(), kept.rend());
    }
    work_ -= work - left;
    return taken;
}

} // namespace squall
