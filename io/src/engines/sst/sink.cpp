#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agree/rank_group.hpp"
#include "common/box.hpp"
#include "common/clock.hpp"
#include "common/copy.hpp"
#include "engines/sst/declaration.hpp"
#include "engines/sst/relay_process.hpp"
#include "engines/sst/sst.hpp"
#include "publish/sink.hpp"

namespace squall::io::sst {
namespace {

/// Frames on their way to the relay, so that it takes one while the next is gathered.
constexpr std::size_t frames_under_way = 2;
/// Seconds that a relay may take for a frame without being taken for one that waits for consumers.
constexpr double soon = 0.5;
/// Seconds that another relay waits for consumers to change over to it.
constexpr double moment = 2;
/// Relays in a row that may end before they have taken a frame.
constexpr int futile_starts = 3;

class SstSink final : public Sink {
  public:
    SstSink(const Layout &layout, const RankGroup &group)
        : layout_(layout), group_(group), waits_(layout.option("when_queue_full", "discard") == "wait"),
          stall_(bounded(layout.number("stall", 30))), linger_(bounded(layout.number("linger", 10))),
          first_consumer_(bounded(layout.number("first_consumer", 0))) {}

    bool wants_fixed(std::int64_t) const override { return !fixed_sent_; }
    bool accepts() override;
    void begin(const Time &time, std::int64_t number, const std::vector<std::vector<Box>> &boxes) override;
    void write(int field, const std::vector<Piece> &pieces) override;
    void end(const Time &time, const std::vector<std::uint64_t> &checksums, std::string fault) override;
    void drop() override { frame_ = SharedBytes(); }
    void close() override;

  private:
    struct UnderWay {
        std::int64_t number = 0;
        SharedBytes points;
        bool again = false; ///< an earlier relay may still read it
    };

    /// The others wait for this writer no longer than the session's deadline.
    double bounded(double seconds) const {
        const double deadline = group_.patience().timeout();
        return deadline > 0 ? std::min(seconds, deadline / 2) : seconds;
    }
    void look();
    void start(double consumer_wait, bool replaces);
    void start_again(const std::string &why);
    void leave_behind();
    bool awaits_consumer();
    bool room();
    void tell(const std::string &what) const;

    const Layout &layout_;
    const RankGroup &group_;
    bool waits_;
    double stall_, linger_, first_consumer_; ///< [s]
    // Of the first writer:
    Declaration declaration_;
    std::unique_ptr<RelayProcess> relay_;
    std::vector<std::unique_ptr<RelayProcess>> left_behind_; ///< with consumers that take nothing
    std::deque<UnderWay> under_way_;
    std::vector<SharedBytes> free_;
    SharedBytes declared_, fixed_, frame_; ///< the last is the one in the making
    std::int64_t number_ = 0;
    int futile_ = 0;
    double consumer_wait_ = 0, started_ = 0; ///< of the relay [s]
    // Of all:
    std::string fault_;
    bool fixed_sent_ = false;
};

void SstSink::tell(const std::string &what) const {
    fmt::print(stderr, "squall io: stream {}: {}\n", layout_.spec.name, what);
}

/// Frames that the relay has taken leave room for others.
void SstSink::look() {
    relay_->listen();
    if (relay_->took_any()) futile_ = 0;
    while (!under_way_.empty() &&
           std::ranges::find(relay_->under_way(), under_way_.front().number) == relay_->under_way().end()) {
        if (!under_way_.front().again) free_.push_back(std::move(under_way_.front().points));
        under_way_.pop_front();
    }
    std::erase_if(left_behind_, [](auto &relay) { return relay->ended(0); });
    if (!relay_->opened()) return; // whoever hears goodbye looks for another one at once
    for (auto &relay : left_behind_)
        if (!relay->knows()) relay->say_goodbye(stall_);
}

/// A relay with what is fixed in time, if that is known, and the frames that the one before has not taken. It
/// may wait so many seconds for a consumer before it sends them.
void SstSink::start(double consumer_wait, bool replaces) {
    // ADIOS2 keeps the newest frames for who comes next: for consumers that change over, all that is resent.
    const std::size_t kept = replaces ? frames_under_way + 1 : 1;
    const auto limit = static_cast<std::size_t>(layout_.number("queue_limit", 4));
    declaration_.parameters["ReserveQueueLimit"] = std::to_string(kept);
    declaration_.parameters["QueueLimit"] = std::to_string(limit > 0 ? limit + kept : 0); // 0: none
    const double consumers = consumer_wait == 0 ? 0 : replaces ? 1 : layout_.number("consumers", 1);
    declaration_.parameters["RendezvousReaderCount"] = fmt::format("{:.0f}", consumers);
    const auto bytes = to_bytes(declaration_);
    declared_ = SharedBytes(bytes.size());
    std::ranges::copy(bytes, reinterpret_cast<std::uint8_t *>(declared_.data()));
    consumer_wait_ = consumer_wait;
    started_ = steady_now();
    relay_ = std::make_unique<RelayProcess>();
    relay_->send({.word = Word::declaration, .memory = &declared_});
    if (fixed_sent_) relay_->send({.word = Word::fixed, .memory = &fixed_});
    for (auto &frame : under_way_) {
        frame.again = true;
        relay_->send({Word::frame, frame.number, "", &frame.points});
    }
}

void SstSink::start_again(const std::string &why) {
    if (++futile_ > futile_starts)
        throw Error(fmt::format("the relay that serves consumers ended {} times before it took a frame: {}",
                                futile_starts + 1, why));
    tell(fmt::format("the relay that serves consumers ended ({}); another one replaces it", why));
    start(moment, true);
}

void SstSink::leave_behind() {
    tell(fmt::format(
        "a consumer has taken nothing for {:.0f} s; it is dropped, and the others continue without it",
        relay_->busy()));
    left_behind_.push_back(std::move(relay_));
    start(moment, true);
}

/// Whether the relay still waits for a consumer, and may.
bool SstSink::awaits_consumer() {
    if (consumer_wait_ == 0 || relay_->opened()) return false;
    if (steady_now() - started_ < consumer_wait_) return true;
    if (!fixed_sent_)
        tell(fmt::format("{} within {} s; the run continues without",
                         layout_.number("consumers", 1) > 1 ? "not all consumers have connected"
                                                            : "no consumer has connected",
                         consumer_wait_));
    start(0, false);
    return false;
}

/// Whether there is room for a frame, at once or as soon as the declaration says to wait for it.
bool SstSink::room() {
    if (!relay_) {
        declaration_ = declare(layout_);
        fixed_ = SharedBytes(std::max<std::size_t>(declaration_.fixed, 1));
        start(first_consumer_, false);
    }
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
        look();
        if (relay_->lost()) start_again(relay_->why().empty() ? "it was killed" : relay_->why());
        const bool first = !fixed_sent_;
        if (awaits_consumer()) {
            if (first || waits_) continue;
            return false;
        }
        if (under_way_.size() < frames_under_way) return true;
        if (relay_->busy() > stall_)
            leave_behind();
        else if (!waits_ && relay_->busy() > soon)
            return false;
    }
}

bool SstSink::accepts() {
    fault_.clear();
    if (!group_.leads()) return true;
    try {
        return room();
    } catch (const std::exception &e) {
        fault_ = e.what(); // for begin(), which fails on all
        return true;
    }
}

void SstSink::begin(const Time &, std::int64_t number, const std::vector<std::vector<Box>> &) {
    group_.attempt([&] {
        if (!fault_.empty()) throw Error(fault_);
        if (!group_.leads()) return;
        number_ = number;
        if (free_.empty()) free_.emplace_back(std::max<std::size_t>(declaration_.frame, 1));
        frame_ = std::move(free_.back());
        free_.pop_back();
    });
}

void SstSink::write(int field, const std::vector<Piece> &pieces) {
    if (!group_.leads() || !frame_) return;
    const auto &f = declaration_.fields[static_cast<std::size_t>(field)];
    auto *to = (f.per_frame ? frame_ : fixed_).data() + f.offset;
    const Box whole{std::vector<std::int64_t>(f.shape.size(), 0), f.shape};
    for (const auto &piece : pieces) copy_part(piece.box, piece.box, piece.points, whole, to, f.type);
}

void SstSink::end(const Time &, const std::vector<std::uint64_t> &, std::string fault) {
    group_.attempt([&] {
        if (!fault.empty()) throw Error(fault);
        if (!group_.leads()) return;
        if (!fixed_sent_) relay_->send({.word = Word::fixed, .memory = &fixed_});
        under_way_.push_back({number_, std::move(frame_)});
        relay_->send({Word::frame, number_, "", &under_way_.back().points});
    });
    fixed_sent_ = true;
}

/// What consumers have not taken when the time is over they do not get.
void SstSink::close() {
    if (relay_) {
        look();
        const double left = consumer_wait_ > 0 && !relay_->opened() ? 0 : linger_;
        relay_->say_goodbye(left);
        if (!relay_->ended(left + soon)) tell("the relay does not end and is killed");
        relay_.reset();
        left_behind_.clear();
    }
    group_.agree("");
}

} // namespace

std::unique_ptr<Sink> connect(const Layout &layout, const RankGroup &group) {
    return std::make_unique<SstSink>(layout, group);
}

} // namespace squall::io::sst
