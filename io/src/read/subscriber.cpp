#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "common/clock.hpp"
#include "read/feed.hpp"
#include "read/reader_impl.hpp"
#include "squall/io_subscribe.hpp"

namespace squall::io {

struct Subscriber::Impl {
    std::unique_ptr<Feed> feed;
    MPI_Comm comm = MPI_COMM_NULL; ///< null: alone
    bool held = false, ended = false;
    bool pending = false; ///< a frame is here that other ranks have not yet
    std::int64_t number = -1;

    ~Impl() {
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }

    void release() {
        if (std::exchange(held, false)) feed->release();
    }

    /// What all ranks have come to, slice by slice of the wait. Throws Error on all if any does.
    Feed::Step together(double seconds);
};

namespace {

/// Seconds that a rank waits before it asks the others.
constexpr double slice = 0.1;
enum Fate : std::int64_t { waiting, ended, failed };

} // namespace

Feed::Step Subscriber::Impl::together(double seconds) {
    constexpr auto none = std::numeric_limits<std::int64_t>::max();
    auto &have = pending;
    for (const double until = steady_now() + seconds;;) {
        std::int64_t fate = waiting;
        std::string fault;
        try {
            if (!have) {
                const auto step = feed->next(slice);
                have = step == Feed::Step::frame;
                if (step == Feed::Step::end) fate = Fate::ended;
            }
        } catch (const std::exception &e) {
            fault = e.what();
            fate = failed;
        }
        // The largest of: what has become of any, the newest number, minus the oldest, and whether time is
        // over.
        std::array<std::int64_t, 4> all{fate, have ? feed->number() : -1, have ? -feed->number() : none,
                                        steady_now() >= until};
        MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_INT64_T, MPI_MAX, comm);
        const auto [worst, newest, oldest, over] = all;
        if (have && (worst != waiting || feed->number() < newest)) {
            feed->release(); // some have joined later than others: all go on with the newest
            have = false;
        }
        if (worst == failed)
            throw Error(fault.empty() ? feed->where() + ": another rank lost the stream" : fault);
        if (worst == Fate::ended) return Feed::Step::end;
        if (oldest == -newest) {
            have = false;
            return Feed::Step::frame;
        }
        if (over) return Feed::Step::nothing;
    }
}

Subscriber::Subscriber(const std::string &where) : impl_(std::make_unique<Impl>()) {
    impl_->feed = open_feed(where);
}

Subscriber::Subscriber(const std::string &where, MPI_Comm comm) : Subscriber(where) {
    MPI_Comm_dup(comm, &impl_->comm);
}

Subscriber::Subscriber(Subscriber &&) noexcept = default;
Subscriber &Subscriber::operator=(Subscriber &&) noexcept = default;
Subscriber::~Subscriber() = default;

std::optional<Reader> Subscriber::next(double seconds) {
    impl_->release();
    if (impl_->ended) return std::nullopt;
    const auto step = impl_->comm == MPI_COMM_NULL ? impl_->feed->next(seconds) : impl_->together(seconds);
    impl_->ended = step == Feed::Step::end;
    if (step != Feed::Step::frame) return std::nullopt;
    impl_->held = true;
    impl_->number = impl_->feed->number();
    auto reader = std::make_unique<Reader::Impl>();
    reader->path = fmt::format("{}, frame {}", impl_->feed->where(), impl_->number);
    reader->source = impl_->feed->frame();
    return Reader(std::move(reader));
}

void Subscriber::release() { impl_->release(); }
bool Subscriber::ended() const { return impl_->ended; }
std::int64_t Subscriber::number() const { return impl_->number; }

} // namespace squall::io
