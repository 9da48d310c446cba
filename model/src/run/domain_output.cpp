/// What a domain writes, and when.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/interval.hpp"
#include "core/profile.hpp"
#include "core/see.hpp"
#include "core/stopwatch.hpp"
#include "output/made_attributes.hpp"
#include "run/domain.hpp"

namespace squall {

/// Streams that were there before the restart go on; others begin.
void Domain::restore_streams(const io::Reader &file) {
    for (auto &h : histories_) h->restore(file);
    for (Nest &nest : nests_) nest.domain->restore_streams(file);
}

/// What streams count steps for must be of steps of one length in an interval; extremes and what has fallen
/// since its beginning need not be.
void Domain::check_means() const {
    const auto counts = [](const auto &field) { // or what else counts how often it was looked
        return std::ranges::any_of(words_in(field.second), [](const std::string &method) {
            constexpr std::array free{"min", "max", "last", "accumulation", "rate"};
            return std::ranges::find(free, method) == free.end();
        });
    };
    for (const StreamConfig &stream : config_.streams)
        if (stream.interval > 0 && stream.sample <= 0 && !due(stream) &&
            std::ranges::any_of(stream.over_time, counts))
            throw ConfigError(
                see(fmt::format("{}:{}: [output.{}]: over_time weights all steps of an interval equally, but "
                                "the restart changes the time step within an interval; keep run.time_step = "
                                "\"{:g} s\" until the end of the interval, continue from a frame at its "
                                "beginning, or set `sample`, the time between samples",
                                config_.file, stream.line, stream.name, *earlier_step_),
                    "restart"));
    for (const Nest &nest : nests_) nest.domain->check_means();
}

void Domain::open_streams() {
    for (const StreamConfig &stream : config_.streams) {
        if (stream.interval <= 0) continue;
        if (stream.name == "restart")
            restart_.emplace(session_, stream, config_, patch_, grid(), largest_patches());
        else
            histories_.push_back(std::make_unique<History>(session_, stream, config_, patch_, grid()));
    }
}

bool Domain::due(const StreamConfig &stream) const { return is_multiple(seconds_, stream.interval, slack()); }

/// What a stream's frame took [s].
void Domain::count(const std::string &stream, double took) {
    const auto at = std::ranges::find(config_.streams, stream, &StreamConfig::name) - config_.streams.begin();
    StreamCost &cost = costs_[static_cast<std::size_t>(at)];
    cost.last = took;
    cost.total += cost.last;
    ++cost.frames;
}

void Domain::diagnose_for_output(bool cold_start) {
    if (restart_due(cold_start))
        diagnose();
    else
        diagnose_for_histories();
}

void Domain::write_due_frames(bool cold_start) {
    session_.progress(); // frames of before, of which other ranks have had their part since
    diagnose_for_output(cold_start);
    write_histories();
    if (restart_due(cold_start)) // with what histories keep now
        count("restart", seconds_of([&] { write_restart_frame(); }));
    end_nests();
}

bool Domain::restart_due(bool cold_start) const {
    return restart_ && due(restart_->settings()) && !cold_start;
}

/// This domain and its nests, where a history takes something of now.
void Domain::diagnose_for_histories() {
    const bool wanted = std::ranges::any_of(histories_, [&](const auto &h) {
        return h->follows() || h->samples_at(seconds_) || due(h->settings());
    });
    if (wanted && dynamics_) dynamics_->diagnose();
    for (Nest &nest : nests_)
        if (lives(nest)) nest.domain->diagnose_for_histories();
}

/// Of this domain and its nests.
void Domain::write_histories() {
    if (!histories_.empty()) take_histories();
    for (Nest &nest : nests_)
        if (lives(nest)) nest.domain->write_histories();
}

void Domain::take_histories() {
    const Span span("histories", Profile::Kind::output);
    const Snapshot now = this->now();
    std::vector<History *> due_now;
    for (auto &h : histories_) {
        if (h->follows()) h->follow(seconds(), now);
        if (due(h->settings()))
            due_now.push_back(h.get());
        else if (h->samples_at(seconds_))
            h->sample(seconds(), now);
    }
    const auto took = write_together(session_, due_now, seconds(), step_, now);
    for (std::size_t n = 0; n < took.size(); ++n) count(due_now[n]->settings().name, took[n]);
}

/// What streams make over time, at a step within one of the parent: frames are due at the end of that.
void Domain::sample() {
    const bool wanted = std::ranges::any_of(
        histories_, [&](const auto &h) { return h->follows() || h->samples_at(seconds_); });
    if (wanted && dynamics_) dynamics_->diagnose();
    const Snapshot now = this->now();
    for (auto &h : histories_) {
        if (h->follows()) h->follow(seconds(), now);
        if (h->samples_at(seconds_)) h->sample(seconds(), now);
    }
    for (Nest &nest : nests_)
        if (lives(nest)) nest.domain->sample();
}

std::string Domain::write_restart() {
    if (!restart_)
        restart_.emplace(session_, default_restart(config_), config_, patch_, grid(), largest_patches());
    if (restart_->last_step() != step_) {
        diagnose();
        write_restart_frame();
    }
    return restart_->file();
}

void Domain::write_restart_frame() {
    const Span span("restart frames", Profile::Kind::output);
    std::vector<RestartPart> parts;
    gather(parts);
    const std::vector<Account> kept = accounts(false);
    for (std::size_t n = 0; n < parts.size(); ++n) parts[n].account = kept[n];
    restart_->write(seconds(), step_, parts, length_ ? length_->longest() : 0);
}

/// What a restart frame holds of this domain and its nests.
void Domain::gather(std::vector<RestartPart> &parts) {
    if (exists())
        parts.push_back({&config_, &patch_, &state(), &physics(), &grid(), {}, [this](io::Frame &frame) {
                             for (const auto &h : histories_) h->save(frame);
                         }});
    else
        parts.push_back({&config_, &patch_, nullptr, nullptr, nullptr});
    for (Nest &nest : nests_) nest.domain->gather(parts);
}

std::vector<Shape> Domain::largest_patches() const {
    std::vector<Shape> all(shares_->size());
    gather(all);
    return all;
}

void Domain::gather(std::vector<Shape> &largest) const {
    largest[static_cast<std::size_t>(config_.identity.id - 1)] = largest_patch(patch_);
    for (const Nest &nest : nests_) nest.domain->gather(largest);
}

void Domain::close_streams() {
    for (auto &h : histories_) h->close();
    if (restart_) restart_->close();
    for (Nest &nest : nests_) nest.domain->close_streams();
}

} // namespace squall
