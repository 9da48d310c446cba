#include "config/problems.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "settings/config.hpp"

namespace squall {
namespace {

/// Blanks that put a caret under character `column` (from 1) of a line: tabs stay tabs, and a
/// character of several UTF-8 bytes counts once.
std::string indent(const std::string &line, int column) {
    std::string blanks;
    int character = 1;
    for (const char c : line) {
        if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
        if (character++ >= column) break;
        blanks += c == '\t' ? '\t' : ' ';
    }
    return blanks;
}

/// Whether a line can be shown: of a binary file it may hold what a terminal obeys, or go on for long.
bool is_shown(const std::string &line) {
    return line.size() <= 400 &&
           std::ranges::none_of(line, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; });
}

} // namespace

Problems::Problems(std::string file, const std::string &text) : file_(std::move(file)) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line); lines_.push_back(line))
        if (line.ends_with('\r')) line.pop_back();
}

void Problems::add(const TextPlace &place, const std::string &message) {
    problems_.push_back({place, message});
}

std::string Problems::describe(const Problem &problem) const {
    const auto &[place, message] = problem;
    if (!place.override_text.empty()) return fmt::format("--set {}: {}", place.override_text, message);
    if (place.line == 0) return fmt::format("{}: {}", file_, message);
    std::string text = fmt::format("{}:{}:{}: {}", file_, place.line, place.column, message);
    if (const auto n = static_cast<std::size_t>(place.line); n <= lines_.size() && is_shown(lines_[n - 1])) {
        const std::string &line = lines_[n - 1];
        text += fmt::format("\n{:5} | {}\n      | {}^", place.line, line, indent(line, place.column));
    }
    return text;
}

void Problems::raise() const {
    if (problems_.empty()) return;
    std::vector<Problem> sorted = problems_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Problem &a, const Problem &b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    std::string text;
    for (const Problem &problem : sorted) text += (text.empty() ? "" : "\n") + describe(problem);
    throw ConfigError(text);
}

} // namespace squall
