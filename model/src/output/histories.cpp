#include "output/histories.hpp"

#include <set>

#include "core/stopwatch.hpp"

namespace squall {
namespace {

/// Puts a field that one of them has into the frames of all, which may have it by several names.
void put_for_all(io::Session &session, const std::vector<History *> &histories,
                 std::vector<HistoryFrame> &frames, std::size_t owner, const HistoryField &field) {
    std::set<std::string> names;
    for (std::size_t n = 0; n < histories.size(); ++n)
        if (const auto name = histories[n]->name_in_frames(field);
            !name.empty() && frames[n].put.insert(name).second)
            names.insert(name);
    if (names.empty()) return;
    const auto points = field.points(frames[owner].source);
    for (const auto &name : names) put_points(session, name, histories[owner]->patch(), field.where, points);
}

} // namespace

std::vector<double> write_together(io::Session &session, const std::vector<History *> &histories,
                                   double seconds, std::int64_t step, const Snapshot &now) {
    std::vector<double> took(histories.size());
    std::vector<HistoryFrame> frames;
    for (std::size_t n = 0; n < histories.size(); ++n)
        took[n] += seconds_of([&] { frames.push_back(histories[n]->begin(seconds, step, now)); });
    for (std::size_t n = 0; n < histories.size(); ++n)
        took[n] += seconds_of([&] {
            for (const auto *field : histories[n]->for_others())
                put_for_all(session, histories, frames, n, *field);
        });
    for (std::size_t n = 0; n < histories.size(); ++n)
        took[n] += seconds_of([&] { histories[n]->finish(std::move(frames[n])); });
    return took;
}

} // namespace squall
