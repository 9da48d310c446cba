#include "core/profile.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace squall {
namespace {

/// "void squall::Solver::finish(const State&, State&, bool) [with ...]" is Solver::finish.
std::string short_name(std::string_view function) {
    function = function.substr(0, function.find('('));
    function.remove_prefix(std::min(function.size(), function.rfind(' ') + 1));
    for (const std::string_view ours : {"squall::", "{anonymous}::"})
        while (function.starts_with(ours)) function.remove_prefix(ours.size());
    return std::string(function);
}

std::string short_file(std::string_view file) {
    constexpr std::string_view sources = "/src/";
    const auto at = file.rfind(sources);
    return std::string(at == std::string_view::npos ? file : file.substr(at + sources.size()));
}

} // namespace

Profile *Profile::running_ = nullptr;

Profile::Profile(int threads, std::size_t events)
    : room_(events), threads_(static_cast<std::size_t>(std::max(1, threads))) {
    for (Thread &thread : threads_) thread.events.reserve(room_);
}

Profile &Profile::start(int threads, std::size_t events) {
    stop();
    running_ = new Profile(threads, events);
    return *running_;
}

std::unique_ptr<Profile> Profile::stop() {
    std::unique_ptr<Profile> profile(running_);
    running_ = nullptr;
    return profile;
}

double Profile::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

int Profile::begin(Kind kind, bool parts, const char *name, const CodePlace &where) {
    const auto same = [&](const Key &k) {
        return k.line == where.line() && k.name == name && k.file == where.file_name();
    };
    const auto known = std::ranges::find_if(keys_, same);
    const int routine = static_cast<int>(known - keys_.begin());
    if (known == keys_.end()) {
        keys_.push_back({where.file_name(), name, where.line()});
        routines_.push_back({name ? name : short_name(where.function_name()), short_file(where.file_name()),
                             where.line(), kind, parts});
        for (Thread &thread : threads_) thread.busy.resize(keys_.size(), 0);
    }
    open_.push_back({routine, seconds(), 0});
    return routine;
}

void Profile::end() {
    const Open done = open_.back();
    open_.pop_back();
    const double taken = seconds() - done.began;
    Routine &routine = routines_[static_cast<std::size_t>(done.routine)];
    ++routine.calls;
    routine.total += taken;
    routine.self += taken - done.within;
    if (!open_.empty()) open_.back().within += taken;
    if (!routine.parts) keep(threads_.front(), {done.routine, 0, done.began, taken});
}

void Profile::part_ends(int routine, int number, double began) {
    const double taken = seconds() - began;
    Thread &thread = threads_[std::min(static_cast<std::size_t>(number), threads_.size() - 1)];
    thread.busy[static_cast<std::size_t>(routine)] += taken;
    keep(thread, {routine, number, began, taken});
}

void Profile::keep(Thread &thread, const Event &event) {
    if (thread.events.size() < room_)
        thread.events.push_back(event);
    else
        ++thread.lost;
}

std::vector<Profile::Routine> Profile::routines() const {
    auto routines = routines_;
    for (std::size_t r = 0; r < routines.size(); ++r)
        if (routines[r].parts)
            for (const Thread &thread : threads_) routines[r].threads.push_back(thread.busy[r]);
    return routines;
}

std::vector<Profile::Event> Profile::events() const {
    std::vector<Event> all;
    for (const Thread &thread : threads_) all.insert(all.end(), thread.events.begin(), thread.events.end());
    return all;
}

std::int64_t Profile::events_lost() const {
    std::int64_t lost = 0;
    for (const Thread &thread : threads_) lost += thread.lost;
    return lost;
}

const char *name_of(Profile::Kind kind) {
    static constexpr std::array names = {"computing", "exchanging", "waiting", "output"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace squall
