#include "team.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <unistd.h>

#include <fmt/format.h>

#include "printable.hpp"
#include "squall/io.hpp"

namespace squall::io::tools {
namespace {

int length_of(const std::string &text) {
    if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(
            "a text of more than 2 GiB would have to be sent between ranks; name fewer runs at a time");
    return static_cast<int>(text.size());
}

/// `squall` says whether there is a terminal: under mpirun everything looks like one, or nothing.
bool on_terminal() {
    const char *told = std::getenv("SQUALL_TERMINAL");
    return told ? std::string(told) == "1" : ::isatty(STDERR_FILENO) != 0;
}

} // namespace

std::string broadcast(const RankGroup &group, std::string text) {
    int length = length_of(text);
    MPI_Bcast(&length, 1, MPI_INT, 0, group.comm());
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), length, MPI_CHAR, 0, group.comm());
    return text;
}

std::vector<std::string> gather(const RankGroup &group, const std::string &text) {
    const int mine = length_of(text);
    std::vector<int> lengths(group.size()), offsets(group.size(), 0);
    MPI_Allgather(&mine, 1, MPI_INT, lengths.data(), 1, MPI_INT, group.comm());
    for (int r = 1; r < group.size(); ++r) offsets[r] = offsets[r - 1] + lengths[r - 1];
    std::string all(static_cast<std::size_t>(offsets.back() + lengths.back()), ' ');
    MPI_Allgatherv(text.data(), mine, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
                   group.comm());
    std::vector<std::string> texts;
    for (int r = 0; r < group.size(); ++r) texts.push_back(all.substr(offsets[r], lengths[r]));
    return texts;
}

void say(const RankGroup &group, const std::string &line) {
    if (group.leads()) fmt::print("{}\n", printable(line));
}

Progress::Progress(const RankGroup &group, std::string doing)
    : doing_(std::move(doing)), speaks_(group.leads() && on_terminal()) {}

Progress::~Progress() {
    if (percent_ >= 0) fmt::print(stderr, "\r\033[K");
}

void Progress::show(std::size_t done, std::size_t all) {
    const int percent = all == 0 ? 100 : static_cast<int>(100 * done / all);
    if (!speaks_ || percent == percent_) return;
    percent_ = percent;
    fmt::print(stderr, "\r{} {:3d} %", doing_, percent);
    std::fflush(stderr);
}

std::string in_units(std::uint64_t bytes) {
    const auto n = static_cast<double>(bytes);
    if (n < 1e6) return fmt::format("{:.1f} kB", n / 1e3);
    return n < 1e9 ? fmt::format("{:.1f} MB", n / 1e6) : fmt::format("{:.2f} GB", n / 1e9);
}

std::string count(std::size_t n, const std::string &what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

} // namespace squall::io::tools
