#include "agree/rank_group.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

namespace squall::io {

bool threads_call_mpi() {
    int level = 0;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

void keep_for_ever(std::shared_ptr<const InTransit> memory) {
    static std::mutex mutex;
    static auto *all = new std::vector<std::shared_ptr<const InTransit>>; // never destroyed
    const std::lock_guard lock(mutex);
    all->push_back(std::move(memory));
}

namespace {

/// Seconds of waiting after which it is worth to ask who is there: before anybody gives up or warns.
double long_wait(const Patience &p) {
    if (p.timeout() <= 0 || p.watchdog() <= 0) return std::max(p.timeout(), p.watchdog()) / 2;
    return std::min(p.timeout(), p.watchdog()) / 2;
}

/// What a collective call sends and receives.
template <class T, class U = T> struct Both final : InTransit {
    Both(std::vector<T> sent, std::size_t received) : mine(std::move(sent)), all(received) {}
    std::vector<T> mine;
    std::vector<U> all;
    std::vector<int> sizes, offsets;
};
template <class T, class U = T> auto both(std::vector<T> mine, std::size_t all) {
    return std::make_shared<Both<T, U>>(std::move(mine), all);
}

} // namespace

RankGroup::RankGroup(MPI_Comm comm, Patience patience) : patience_(patience) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    presence_ = std::make_unique<Presence>(comm_);
}

RankGroup::~RankGroup() {
    presence_.reset();
    if (broken_.empty()) MPI_Comm_free(&comm_); // else messages are under way in it
}

void RankGroup::require_whole() const {
    if (!broken_.empty()) throw Timeout(broken_);
    if (guard_) guard_();
}

void RankGroup::break_up(const std::string &why) const {
    if (broken_.empty()) broken_ = why;
}

void RankGroup::wait_for(MPI_Request *requests, std::size_t n, Kept kept) const {
    wait_until(
        [&] {
            int done = 0;
            MPI_Testall(static_cast<int>(n), requests, &done, MPI_STATUSES_IGNORE);
            return done != 0;
        },
        std::move(kept));
}

void RankGroup::wait_until(const std::function<bool()> &done, Kept kept) const {
    using Clock = std::chrono::steady_clock;
    constexpr double soon = 0.02; // seconds in which nobody is missed
    const auto start = Clock::now();
    const double is_long = long_wait(patience_);
    const auto done_or_look = [&] {
        if (done()) return true;
        const double waited = std::chrono::duration<double>(Clock::now() - start).count();
        if (waited > soon && is_long > 0) presence_->look(waited > is_long);
        return false;
    };
    try {
        patience_.until(done_or_look, [this] { return doing_ + presence_->missing(); });
    } catch (const Timeout &e) {
        keep_for_ever(std::move(kept));
        // Why the others do not come is known here, perhaps.
        const auto why =
            fmt::format("{}{}{}", e.what(), trouble_.empty() ? "" : "; on this rank: ", trouble_);
        break_up(why);
        throw Timeout(why);
    }
}

void RankGroup::agree(const std::string &fault, bool knows_cause) const {
    require_whole();
    presence_->next_step();
    if (size_ == 1) {
        if (!fault.empty()) throw Error(fault);
        return;
    }
    const int none = 2 * size_;
    const auto first = both<int>({fault.empty() ? none : knows_cause ? rank_ : size_ + rank_}, 1);
    MPI_Request request;
    MPI_Iallreduce(first->mine.data(), first->all.data(), 1, MPI_INT, MPI_MIN, comm_, &request);
    if (!fault.empty()) trouble(fault);
    wait(request, first);
    trouble("");
    if (first->all[0] < none) throw Error(from(first->all[0] % size_, fault));
}

/// A writer's text, on all.
std::string RankGroup::from(int writer, const std::string &text) const {
    const auto length = both<std::int64_t>({std::ssize(text)}, 0);
    MPI_Request request;
    MPI_Ibcast(length->mine.data(), 1, MPI_INT64_T, writer, comm_, &request);
    wait(request, length);
    const auto text_there = both<char>({text.begin(), text.end()}, 0);
    text_there->mine.resize(static_cast<std::size_t>(length->mine[0]));
    MPI_Ibcast(text_there->mine.data(), static_cast<int>(text_there->mine.size()), MPI_CHAR, writer, comm_,
               &request);
    wait(request, text_there);
    return {text_there->mine.begin(), text_there->mine.end()};
}

std::int64_t RankGroup::largest(std::int64_t number) const {
    std::vector<std::int64_t> one{number};
    largest(one);
    return one.front();
}

void RankGroup::largest(std::vector<std::int64_t> &numbers) const {
    require_whole();
    presence_->next_step();
    if (size_ == 1) return;
    const auto all = both(numbers, numbers.size());
    MPI_Request request;
    MPI_Iallreduce(all->mine.data(), all->all.data(), static_cast<int>(numbers.size()), MPI_INT64_T, MPI_MAX,
                   comm_, &request);
    wait(request, all);
    numbers = std::move(all->all);
}

void RankGroup::add(std::vector<std::uint64_t> &numbers) const {
    require_whole();
    presence_->next_step();
    if (size_ == 1) return;
    const auto sums = both(numbers, numbers.size());
    MPI_Request request;
    MPI_Iallreduce(sums->mine.data(), sums->all.data(), static_cast<int>(numbers.size()), MPI_UINT64_T,
                   MPI_SUM, comm_, &request);
    wait(request, sums);
    numbers = std::move(sums->all);
}

void RankGroup::add_at_first(std::vector<std::uint64_t> &numbers) const {
    require_whole();
    presence_->next_step();
    if (size_ == 1) return;
    const auto sums = both(numbers, numbers.size());
    MPI_Request request;
    MPI_Ireduce(sums->mine.data(), sums->all.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_SUM,
                0, comm_, &request);
    wait(request, sums);
    numbers = std::move(sums->all);
}

std::vector<std::string> RankGroup::gather(const std::string &text) const {
    require_whole();
    presence_->next_step();
    if (size_ == 1) return {text};
    std::vector<std::string> all;
    for (int writer = 0; writer < size_; ++writer) all.push_back(from(writer, text));
    return all;
}

std::vector<std::string> RankGroup::gather_at_first(const std::string &text, std::int64_t at_once) const {
    require_whole();
    presence_->next_step();
    if (size_ == 1) return {text};
    const auto lengths =
        both<std::int64_t>({std::ssize(text)}, leads() ? static_cast<std::size_t>(size_) : 0);
    MPI_Request request;
    MPI_Igather(lengths->mine.data(), 1, MPI_INT64_T, lengths->all.data(), 1, MPI_INT64_T, 0, comm_,
                &request);
    wait(request, lengths);
    const auto longest = largest(std::ssize(text));
    const auto piece = std::max<std::int64_t>(1, at_once / size_);
    std::vector<std::string> all(lengths->all.size());
    for (std::int64_t done = 0; done < longest; done += piece) {
        const auto part_of = [&](std::int64_t length) {
            return static_cast<int>(std::clamp<std::int64_t>(length - done, 0, piece));
        };
        const auto mine = text.substr(std::min(text.size(), static_cast<std::size_t>(done)),
                                      static_cast<std::size_t>(part_of(std::ssize(text))));
        const auto texts = both<char>({mine.begin(), mine.end()}, 0);
        for (const auto length : lengths->all) texts->sizes.push_back(part_of(length));
        texts->offsets.resize(texts->sizes.size() + 1);
        std::partial_sum(texts->sizes.begin(), texts->sizes.end(), texts->offsets.begin() + 1);
        texts->all.resize(static_cast<std::size_t>(texts->offsets.back()));
        MPI_Igatherv(texts->mine.data(), static_cast<int>(mine.size()), MPI_CHAR, texts->all.data(),
                     texts->sizes.data(), texts->offsets.data(), MPI_CHAR, 0, comm_, &request);
        wait(request, texts);
        for (std::size_t w = 0; w < all.size(); ++w)
            all[w].append(texts->all.data() + texts->offsets[w], static_cast<std::size_t>(texts->sizes[w]));
    }
    return all;
}

namespace {

/// Of two exchanges after each other: who is through with one may begin the next.
constexpr int message_tags[] = {4, 5};

struct PacketsUnderWay final : InTransit {
    std::vector<RankGroup::Packet> out, in;
    std::vector<MPI_Request> sent;
    MPI_Request barrier = MPI_REQUEST_NULL;
};

void fetch(MPI_Comm comm, int tag, std::vector<RankGroup::Packet> &in) {
    for (;;) {
        int waiting = 0, length = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &waiting, &status);
        if (!waiting) return;
        MPI_Get_count(&status, MPI_INT64_T, &length);
        auto &packet = in.emplace_back(RankGroup::Packet{status.MPI_SOURCE, {}});
        packet.words.resize(static_cast<std::size_t>(length));
        MPI_Recv(packet.words.data(), length, MPI_INT64_T, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
    }
}

} // namespace

/// The algorithm NBX of Hoefler, Siebert and Lumsdaine (2010), "Scalable communication protocols for dynamic
/// sparse data exchange": synchronous sends, and a barrier that begins when one's own have arrived.
std::vector<RankGroup::Packet> RankGroup::exchange(std::vector<Packet> packets) const {
    require_whole();
    presence_->next_step();
    const auto under_way = std::make_shared<PacketsUnderWay>();
    const int tag = message_tags[exchanges_++ % 2];
    under_way->out = std::move(packets);
    for (auto &packet : under_way->out) {
        if (packet.writer == rank_)
            under_way->in.push_back(packet);
        else
            MPI_Issend(packet.words.data(), static_cast<int>(packet.words.size()), MPI_INT64_T, packet.writer,
                       tag, comm_, &under_way->sent.emplace_back());
    }
    const auto done = [&] {
        if (size_ == 1) return true;
        fetch(comm_, tag, under_way->in);
        int yes = 0;
        if (under_way->barrier != MPI_REQUEST_NULL) {
            MPI_Test(&under_way->barrier, &yes, MPI_STATUS_IGNORE);
            return yes != 0;
        }
        MPI_Testall(static_cast<int>(under_way->sent.size()), under_way->sent.data(), &yes,
                    MPI_STATUSES_IGNORE);
        if (yes) MPI_Ibarrier(comm_, &under_way->barrier);
        return false;
    };
    wait_until(done, under_way);
    std::ranges::stable_sort(under_way->in, {}, &Packet::writer);
    return std::move(under_way->in);
}

} // namespace squall::io
