#include "agree/turns.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace squall::io {
namespace {

constexpr int up_tag = 1, down_tag = 2; ///< one each, as messages of one tag keep their order

using Code = decltype(TurnMessage::words);

/// stream, number, then who means what; the others' declarations differ or their times do. Then the turn's
/// place among all turns, its stamp, and last the word.
Code code_of(std::int64_t word_of_all, const Turn &turn, const Meaning &meaning, std::int64_t place) {
    const auto &d = turn.discord;
    const auto word = [](double x) { return std::bit_cast<std::int64_t>(x); };
    const auto &means = d.writer < 0 ? meaning : d.means;
    return {turn.ticket.stream,
            turn.ticket.number,
            static_cast<std::int64_t>(means.declaration),
            word(means.seconds),
            d.writer,
            d.other,
            static_cast<std::int64_t>(d.other_means.declaration),
            word(d.other_means.seconds),
            place,
            turn.stamp.time,
            turn.stamp.process,
            word_of_all};
}

Turn turn_of(const Code &code, Meaning &meaning) {
    const auto number = [](std::int64_t x) { return std::bit_cast<double>(x); };
    meaning = {static_cast<std::uint64_t>(code[2]), number(code[3])};
    Turn turn{{code[0], code[1]}, {}, {code[9], code[10]}};
    if (code[4] >= 0)
        turn.discord = {static_cast<int>(code[4]),
                        static_cast<int>(code[5]),
                        meaning,
                        {static_cast<std::uint64_t>(code[6]), number(code[7])}};
    return turn;
}

} // namespace

Turns::Turns(const RankGroup &group)
    : group_(group), children_(std::clamp(group.size() - first_child(), 0, branches)) {}

Turns::~Turns() {
    give_up();
    for (auto &s : sent_) try {
            group_.wait(s.request, s.message);
        } catch (const Timeout &) { // the group keeps what is under way
        }
}

void Turns::ready(const Ticket &ticket, const Meaning &meaning, bool in_order) {
    count(ticket, group_.rank(), meaning, {}, in_order && group_.size() > 1);
}

std::optional<Turn> Turns::next() {
    if (given_up_) return std::nullopt;
    if (group_.size() > 1) receive();
    if (agreed_.empty() || is_held_back()) return std::nullopt;
    const auto turn = agreed_.front();
    agreed_.pop_front();
    return turn;
}

bool Turns::is_held_back() const {
    if (agreed_.empty()) return false;
    const auto &stamp = agreed_.front().stamp;
    return stamp.time > 0 && !Order::of_process().is_first(stamp);
}

void Turns::done(const Turn &turn) {
    if (std::erase(here_, turn.stamp) > 0) Order::of_process().leave(turn.stamp);
}

void Turns::give_up() {
    given_up_ = true;
    for (const auto &stamp : here_) Order::of_process().leave(stamp);
    here_.clear();
}

std::string Turns::missing(const Ticket &ticket) const {
    const auto found = known_.find(ticket);
    std::vector<int> writers;
    for (int c = 0; c < children_; ++c)
        if (found == known_.end() || !found->second.children[c]) writers.push_back(first_child() + c);
    if (writers.empty()) return "";
    return fmt::format("writer{} {}{}", writers.size() > 1 ? "s" : "", fmt::join(writers, ", "),
                       first_child() * branches + 1 < group_.size() ? " or those behind" : "");
}

/// A writer, and all below it, is ready.
void Turns::count(const Ticket &ticket, int writer, const Meaning &meaning, const Discord &below,
                  bool in_order) {
    auto &k = known_[ticket];
    k.in_order |= in_order;
    if (writer != group_.rank()) k.children[writer - first_child()] = true;
    if (below.writer >= 0 && k.discord.writer < 0) k.discord = below;
    if (k.writer >= 0 && k.meaning != meaning && k.discord.writer < 0) {
        k.discord = {writer, k.writer, meaning, k.meaning};
        if (k.discord.writer < k.discord.other) { // whom more stand behind is named second
            std::swap(k.discord.writer, k.discord.other);
            std::swap(k.discord.means, k.discord.other_means);
        }
    }
    if (k.writer < 0 || writer == group_.rank()) {
        k.meaning = meaning;
        k.writer = writer;
    }
    if (++k.writers < 1 + children_) return;
    require_none_before(ticket);
    const Turn turn{ticket, k.discord, {}};
    const auto ours = k.meaning;
    const bool orderly = k.in_order;
    known_.erase(ticket);
    if (group_.leads())
        complete(turn, orderly);
    else
        send(orderly ? Word::ready_in_order : Word::ready, turn, ours, parent());
}

/// On writer 0: all are ready.
void Turns::complete(const Turn &turn, bool in_order) {
    if (!in_order) return agree(turn);
    to_vote_.push_back(turn);
    if (!vote_) propose(turn);
}

void Turns::propose(const Turn &turn) {
    for (int c = 0; c < children_; ++c) send(Word::propose, turn, {}, first_child() + c);
    const auto mine = here_.emplace_back(Order::of_process().propose());
    vote_ = {turn, 0, mine, {}};
    count_vote(mine);
}

/// Of this writer, or of a child and all below it.
void Turns::count_vote(const Stamp &stamp) {
    vote_->latest = std::max(vote_->latest, stamp);
    if (++vote_->writers < 1 + children_) return;
    auto turn = vote_->turn;
    turn.stamp = vote_->latest;
    if (!group_.leads()) return send(Word::vote, turn, {}, parent());
    agree(turn);
    to_vote_.pop_front();
    if (!to_vote_.empty()) propose(to_vote_.front());
}

void Turns::agree(const Turn &turn) {
    agreed_.push_back(turn);
    ++agreed_upon_;
    for (int c = 0; c < children_; ++c) send(Word::go, turn, {}, first_child() + c);
    if (turn.stamp.time == 0) return;
    Order::of_process().settle(vote_->proposed, turn.stamp);
    std::ranges::replace(here_, vote_->proposed, turn.stamp);
    vote_.reset();
}

void Turns::send(Word word, const Turn &turn, const Meaning &meaning, int to) {
    std::erase_if(sent_, [](Sent &s) {
        int done = 0;
        MPI_Test(&s.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    auto &s = sent_.emplace_back();
    s.message = std::make_shared<TurnMessage>();
    auto &words = s.message->words = code_of(static_cast<std::int64_t>(word), turn, meaning, agreed_upon_);
    const int tag = !group_.leads() && to == parent() ? up_tag : down_tag;
    MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_INT64_T, to, tag, group_.comm(), &s.request);
}

/// All writers go through the same steps with the same frame: who missed one would answer for the next where
/// the others mean this one, and a frame of halves of two would be whole by its checksum.
void Turns::require_in_order(std::int64_t place) const {
    if (place == agreed_upon_ + 1) return;
    const auto why =
        fmt::format("writer rank {} told rank {} which frame or file comes next, but the message is lost: "
                    "nothing more can be written together; check the network between their nodes",
                    parent(), group_.rank());
    group_.break_up(why);
    throw Timeout(why);
}

/// Each writer is ready for the frames of a stream in their order: where all are for one and not for another
/// before it, the word of that is lost. The later one must not be stored in its place.
void Turns::require_none_before(const Ticket &ticket) const {
    if (ticket.number >= arrival_numbers) return; // of files on their way: in any order
    const auto first = known_.lower_bound({ticket.stream, 0});
    if (!(first->first < ticket)) return;
    const auto why =
        fmt::format("the message in which {} told rank {} to be ready for a frame or file is lost: "
                    "nothing more can be written together; check the network between their nodes",
                    missing(first->first), group_.rank());
    group_.break_up(why);
    throw Timeout(why);
}

void Turns::receive() {
    while ((!group_.leads() && receive(down_tag)) || receive(up_tag)) {
    }
}

bool Turns::receive(int tag) {
    int waiting = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, group_.comm(), &waiting, &status);
    if (!waiting) return false;
    const auto message = std::make_shared<TurnMessage>();
    MPI_Request request;
    MPI_Irecv(message->words.data(), static_cast<int>(message->words.size()), MPI_INT64_T, status.MPI_SOURCE,
              tag, group_.comm(), &request);
    group_.wait(request, message);
    const auto &code = message->words;
    Meaning meaning;
    const auto turn = turn_of(code, meaning);
    switch (const auto word = static_cast<Word>(code[11])) {
    case Word::ready:
    case Word::ready_in_order:
        count(turn.ticket, status.MPI_SOURCE, meaning, turn.discord, word == Word::ready_in_order);
        break;
    case Word::vote:
        count_vote(turn.stamp);
        break;
    case Word::propose:
        propose(turn);
        break;
    case Word::go:
        require_in_order(code[8]);
        agree(turn);
    }
    return true;
}

} // namespace squall::io
