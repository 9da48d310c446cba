#include "drain/drain.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "common/clock.hpp"
#include "declare/declaration.hpp"

namespace squall::io {
namespace {

/// In place of a time, for what is no frame.
constexpr double closing = -1e300, arriving = -2e300;
/// A thread that waits for other ranks rests for a twentieth of what it has waited, for this at most [s]. To
/// look costs a hundredth of a millisecond, which whoever computes on the processor lacks: a thousand times a
/// second a hundredth of it and more.
constexpr double longest_rest = 0.02, share_of_rest = 0.05;

} // namespace

Drain::Channel::Channel(const RankGroup &group, DrainStream s)
    : store(group, std::move(s)), declaration(hash(store.layout().spec_as_declared)) {}

Drain::~Drain() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Drain::work_in_background() {
    if (!thread_.joinable()) thread_ = std::thread([this] { background(); });
}

void Drain::add(int stream, DrainStream what) {
    auto channel = std::make_unique<Channel>(group_, std::move(what));
    const std::lock_guard lock(mutex_);
    channels_[stream] = std::move(channel);
}

void Drain::remove(int stream) {
    const std::lock_guard lock(mutex_);
    channels_.erase(stream);
}

void Drain::require_whole() const {
    const std::lock_guard lock(mutex_);
    if (!lost_.empty()) throw Timeout(lost_);
}

std::uint64_t Drain::stored_bytes(int stream) const {
    const std::lock_guard lock(mutex_);
    return channels_.at(stream)->store.sink().stored_bytes();
}

std::string Drain::stream_through_mpi() const {
    const std::lock_guard lock(mutex_);
    for (const auto &[number, channel] : channels_)
        if (channel->store.layout().engine->together) return channel->store.layout().spec.name;
    return "";
}

void Drain::enqueue(int stream, std::int64_t number, Job job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_[{stream, number}] = std::move(job);
        announced_.push_back({stream, number});
        ++pending_;
    }
    changed_.notify_all();
}

void Drain::submit(int stream, std::unique_ptr<Staged> frame) {
    require_whole();
    std::int64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        auto &channel = *channels_.at(stream);
        number = channel.submitted++;
        ++channel.unfinished;
    }
    enqueue(stream, number, {std::move(frame), nullptr, "", now()});
}

void Drain::close(int stream) { submit(stream, nullptr); }

bool Drain::idle(int stream) const {
    const std::lock_guard lock(mutex_);
    return done(*channels_.at(stream), true);
}

void Drain::finish(int stream, bool files) {
    if (in_background()) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !lost_.empty() || done(*channels_.at(stream), files); });
        if (!lost_.empty()) throw Timeout(lost_);
        return;
    }
    require_whole();
    try {
        group_.patience().until(
            [&] {
                while (work()) {
                }
                const std::lock_guard lock(mutex_);
                return done(*channels_.at(stream), files);
            },
            [&] { return next_job(); });
    } catch (const Timeout &e) {
        lose(e.what());
        throw;
    }
}

bool Drain::work() { return !in_background() && step(); }

void Drain::background() {
    try {
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return stop_ || pending_ > 0; });
            }
            const double since = steady_now();
            group_.patience()
                .longer(deadlines_)
                .until(
                    [&] {
                        if (stopped() || step()) return true;
                        if (!turns_.is_voting())
                            rest(std::min(share_of_rest * (steady_now() - since), longest_rest));
                        return false;
                    },
                    [this] { return next_job(); });
            if (stopped()) return; // what nobody waited for is dropped
        }
    } catch (const Timeout &e) { // the model is told at its next call
        lose(e.what());
    } catch (const std::exception &e) { // nobody to tell: the model is elsewhere
        fmt::print(stderr, "squall io: {}\n", e.what());
        MPI_Abort(group_.comm(), 1);
    }
}

/// Until it has something else to look at, too, or is to stop.
void Drain::rest(double seconds) {
    constexpr double moment = 1e-3; // which others sleep through anyway
    if (seconds < moment) return;
    std::unique_lock lock(mutex_);
    if (!stop_) changed_.wait_for(lock, std::chrono::duration<double>(seconds));
}

void Drain::lose(const std::string &why) {
    group_.break_up(why);
    turns_.give_up();
    {
        const std::lock_guard lock(mutex_);
        if (lost_.empty()) lost_ = why;
    }
    changed_.notify_all();
}

bool Drain::stopped() const {
    const std::lock_guard lock(mutex_);
    return stop_;
}

bool Drain::awaits_others() const {
    const std::lock_guard lock(mutex_);
    return !executing_ && !jobs_.empty();
}

std::string Drain::whereabouts() const {
    const std::lock_guard lock(mutex_);
    if (executing_) {
        const auto file = executing_->store.sink().at();
        return fmt::format(", at {}{}{}", job_, file.empty() ? "" : " in ", file);
    }
    const auto copied = copier_ ? copier_->at() : "";
    return copied.empty() ? "" : fmt::format(", at {}, which it copies from the burst directory", copied);
}

std::string Drain::name_of(const Channel &channel, const Job &job) {
    if (job.frame) return channel.store.describe(job.frame->time);
    return fmt::format("{} of stream {}", job.departure ? "a file" : "the end",
                       channel.store.layout().spec.name);
}

/// What the writers have to agree on, for whoever waits.
std::string Drain::next_job() const {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty()) return "work";
    const auto &[key, job] = *jobs_.begin();
    const auto missing = turns_.missing({key.first, key.second});
    if (turns_.is_held_back())
        return fmt::format("files that other ranks of this process's streams write before {}",
                           name_of(*channels_.at(key.first), job));
    return fmt::format("{} to commit {}", missing.empty() ? "the other ranks" : missing,
                       name_of(*channels_.at(key.first), job));
}

Meaning Drain::meaning_of(const Channel &channel, const Job &job) {
    if (job.departure) return {channel.declaration, arriving};
    if (!job.frame) return {0, closing}; // all ends are the same, so that one with a frame is found out
    const auto &frame = *job.frame;
    auto what = frame.file ? pack(*frame.file) : Bytes();
    what.insert(what.end(), frame.time.epoch.begin(), frame.time.epoch.end());
    what.push_back(frame.ends_file);
    return {channel.declaration ^ hash(what), frame.time.seconds};
}

/// Takes up the next job that is ready everywhere.
bool Drain::step() {
    std::vector<Ticket> announced; // a deque would take memory, every time that there is nothing
    {
        const std::lock_guard lock(mutex_);
        announced.swap(announced_);
    }
    try {
        for (const auto &ticket : announced) announce(ticket);
        const auto turn = turns_.next();
        if (turn) execute(*turn);
        return turn.has_value();
    } catch (...) {
        turns_.give_up();
        throw;
    }
}

/// Files on their way need no library. Where one thread alone calls MPI it does nothing else meanwhile, and
/// nothing must be in its way.
void Drain::announce(const Ticket &ticket) {
    Meaning meaning;
    bool in_order = false;
    {
        const std::lock_guard lock(mutex_);
        const int stream = static_cast<int>(ticket.stream);
        const auto &channel = *channels_.at(stream);
        const auto &job = jobs_.at({stream, ticket.number});
        meaning = meaning_of(channel, job);
        in_order = !job.departure && channel.store.layout().engine->together && threads_call_mpi();
    }
    turns_.ready(ticket, meaning, in_order);
}

void Drain::execute(const Turn &turn) {
    const int stream = static_cast<int>(turn.ticket.stream);
    Job job;
    Channel *channel = nullptr;
    {
        const std::lock_guard lock(mutex_);
        const auto found = jobs_.find({stream, turn.ticket.number});
        job = std::move(found->second);
        jobs_.erase(found);
        channel = channels_.at(stream).get();
        executing_ = channel;
        job_ = name_of(*channel, job);
    }
    stepped_ = steady_now();
    Outcome outcome;
    outcome.committed = job.committed;
    outcome.begun = now();
    group_.doing("the other writers of " + job_);
    run(*channel, job, turn.discord, outcome);
    turns_.done(turn);
    const bool early = turn.discord.writer >= 0 && !job.frame && !job.departure;
    dispatch(stream, *channel);
    stepped_ = steady_now();
    outcome.ended = now();
    if (job.frame || !outcome.fault.empty()) channel->store.stream().done(outcome);
    {
        const std::lock_guard lock(mutex_);
        executing_ = nullptr;
    }
    if (early) return close_again(stream, *channel);
    const bool arrival = job.departure != nullptr;
    job = {}; // its memory goes back before anybody is told that it is done
    {
        const std::lock_guard lock(mutex_);
        --pending_;
        --(arrival ? channel->under_way : channel->unfinished);
    }
    changed_.notify_all();
}

/// Others still have frames that this writer does not know of: its end comes after them, as theirs does.
void Drain::close_again(int stream, Channel &channel) {
    const std::lock_guard lock(mutex_);
    const Key key{stream, channel.submitted++};
    jobs_[key] = {};
    announced_.push_back({key.first, key.second});
}

void Drain::run(Channel &channel, Job &job, const Discord &discord, Outcome &outcome) {
    if (job.frame) {
        outcome.time = job.frame->time;
        outcome.number = job.frame->number;
    }
    if (discord.writer >= 0)
        outcome.fault = fmt::format("{}: {}", name_of(channel, job), words_of(discord));
    else if (job.departure)
        outcome.fault = channel.store.arrive(*job.departure, job.fault);
    else if (job.frame)
        channel.store.store(*job.frame, outcome);
    else
        outcome.fault = channel.store.close();
}

/// Nothing of a frame is used before it is known that all mean the same one.
std::string Drain::words_of(const Discord &d) {
    const auto who = fmt::format("writer rank {}", d.writer), other = fmt::format("rank {}", d.other);
    if (d.means.seconds == d.other_means.seconds)
        return fmt::format("{} declares the stream differently from {}; declare the same on every rank", who,
                           other);
    const auto what = [](double seconds) {
        return seconds == closing ? std::string("the end of the stream")
                                  : fmt::format("the frame at {} s", seconds);
    };
    return fmt::format("{} commits {}, but {} commits {}; a frame was abandoned or committed on some ranks "
                       "only: commit the same frames in the same order on every rank",
                       who, what(d.means.seconds), other, what(d.other_means.seconds));
}

/// Sends files that were closed in the burst directory on their way.
void Drain::dispatch(int stream, Channel &channel) {
    for (auto &d : channel.store.sink().departures()) {
        std::int64_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            if (!copier_) copier_ = std::make_unique<BurstCopier>();
            number = arrival_numbers + channel.departed++;
            ++channel.under_way;
        }
        auto departure = std::make_shared<Departure>(std::move(d));
        copier_->carry(*departure, [this, stream, number, departure](std::string fault) {
            enqueue(stream, number, {nullptr, departure, std::move(fault), now()});
        });
    }
}

} // namespace squall::io
