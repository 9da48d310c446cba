#include "agree/turns.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace squall::io {
namespace {

constexpr int ready_tag = 1, go_tag = 2;

using Code = decltype(TurnLetter::words);

/// stream, number, then who means what; the others' declarations differ or their times do. Last the turn's
/// place in the order of all.
Code code_of(const Turn &turn, const Meaning &meaning, std::int64_t place) {
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
            place};
}

Turn turn_of(const Code &code, Meaning &meaning) {
    const auto number = [](std::int64_t x) { return std::bit_cast<double>(x); };
    meaning = {static_cast<std::uint64_t>(code[2]), number(code[3])};
    Turn turn{{code[0], code[1]}, {}};
    if (code[4] >= 0)
        turn.discord = {static_cast<int>(code[4]),
                        static_cast<int>(code[5]),
                        meaning,
                        {static_cast<std::uint64_t>(code[6]), number(code[7])}};
    return turn;
}

} // namespace

Turns::Turns(const Crew &crew)
    : crew_(crew), children_(std::clamp(crew.size() - first_child(), 0, branches)) {}

Turns::~Turns() {
    for (auto &s : sent_) try {
            crew_.wait(s.request, s.letter);
        } catch (const Timeout &) { // the crew keeps what is under way
        }
}

void Turns::ready(const Ticket &ticket, const Meaning &meaning) { count(ticket, crew_.rank(), meaning, {}); }

std::optional<Turn> Turns::next() {
    if (crew_.size() > 1) receive();
    if (agreed_.empty()) return std::nullopt;
    const auto turn = agreed_.front();
    agreed_.pop_front();
    return turn;
}

std::string Turns::missing(const Ticket &ticket) const {
    const auto found = known_.find(ticket);
    std::vector<int> writers;
    for (int c = 0; c < children_; ++c)
        if (found == known_.end() || !found->second.children[c]) writers.push_back(first_child() + c);
    if (writers.empty()) return "";
    return fmt::format("writer{} {}{}", writers.size() > 1 ? "s" : "", fmt::join(writers, ", "),
                       first_child() * branches + 1 < crew_.size() ? " or those behind" : "");
}

/// A writer, and all below it, is ready.
void Turns::count(const Ticket &ticket, int writer, const Meaning &meaning, const Discord &below) {
    auto &k = known_[ticket];
    if (writer != crew_.rank()) k.children[writer - first_child()] = true;
    if (below.writer >= 0 && k.discord.writer < 0) k.discord = below;
    if (k.writer >= 0 && k.meaning != meaning && k.discord.writer < 0) {
        k.discord = {writer, k.writer, meaning, k.meaning};
        if (k.discord.writer < k.discord.other) { // whom more stand behind is named second
            std::swap(k.discord.writer, k.discord.other);
            std::swap(k.discord.means, k.discord.other_means);
        }
    }
    if (k.writer < 0 || writer == crew_.rank()) {
        k.meaning = meaning;
        k.writer = writer;
    }
    if (++k.writers < 1 + children_) return;
    const Turn turn{ticket, k.discord};
    const auto ours = k.meaning;
    known_.erase(ticket);
    if (crew_.leads())
        agree(turn);
    else
        send(turn, ours, parent(), ready_tag);
}

void Turns::agree(const Turn &turn) {
    agreed_.push_back(turn);
    ++agreed_upon_;
    for (int c = 0; c < children_; ++c) send(turn, {}, first_child() + c, go_tag);
}

void Turns::send(const Turn &turn, const Meaning &meaning, int to, int tag) {
    std::erase_if(sent_, [](Sent &s) {
        int done = 0;
        MPI_Test(&s.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    auto &s = sent_.emplace_back();
    s.letter = std::make_shared<TurnLetter>();
    auto &words = s.letter->words = code_of(turn, meaning, agreed_upon_);
    MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_INT64_T, to, tag, crew_.comm(), &s.request);
}

/// All writers go through the same steps with the same frame: who missed one would answer for the next where
/// the others mean this one, and a frame of halves of two would be whole by its checksum.
void Turns::require_in_order(std::int64_t place) const {
    if (place == agreed_upon_ + 1) return;
    const auto why =
        fmt::format("writer rank {} told rank {} which frame or file comes next, but the message is lost: "
                    "nothing more can be written together; check the network between their nodes",
                    parent(), crew_.rank());
    crew_.break_up(why);
    throw Timeout(why);
}

void Turns::receive() {
    while (receive(crew_.leads() ? ready_tag : go_tag) || (!crew_.leads() && receive(ready_tag))) {
    }
}

bool Turns::receive(int tag) {
    int waiting = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, crew_.comm(), &waiting, &status);
    if (!waiting) return false;
    Code code{};
    MPI_Recv(code.data(), static_cast<int>(code.size()), MPI_INT64_T, status.MPI_SOURCE, tag, crew_.comm(),
             MPI_STATUS_IGNORE);
    Meaning meaning;
    const auto turn = turn_of(code, meaning);
    if (tag == go_tag) {
        require_in_order(code.back());
        agree(turn);
    } else
        count(turn.ticket, status.MPI_SOURCE, meaning, turn.discord);
    return true;
}

} // namespace squall::io
