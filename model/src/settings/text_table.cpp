#include "settings/text_table.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "settings/calendar.hpp"
#include "settings/config.hpp"

namespace squall {
namespace {

std::string trim(const std::string &text) {
    const auto first = text.find_first_not_of(" \t\r\"");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string> cells_of(const std::string &line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(trim(cell));
    return cells;
}

std::optional<double> finite_number(const std::string &text) {
    double number = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || stop != text.data() + text.size() || !std::isfinite(number)) return {};
    return number;
}

} // namespace

TextTable::TextTable(const SmallFiles &files, const std::string &file, const std::string &what)
    : file_(file), in_(files.open(file)) {
    if (!in_) throw ConfigError(fmt::format("{}: cannot read the table of {}", file, what));
    if (!read_line()) refuse(fmt::format("the table of {} is empty", what));
    names_ = cells_;
}

bool TextTable::has(const std::string &column) const {
    return std::ranges::find(names_, column) != names_.end();
}

void TextTable::require(const std::vector<std::string> &columns) const {
    for (const std::string &column : columns)
        if (!has(column))
            refuse(fmt::format("the first line must name the columns {}", fmt::join(columns, ", ")));
}

bool TextTable::read_line() {
    for (std::string line; std::getline(in_, line);) {
        ++line_;
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        cells_ = cells_of(line);
        return true;
    }
    return false;
}

bool TextTable::next() {
    if (!read_line()) return false;
    if (cells_.size() != names_.size())
        refuse(fmt::format("{} cells in a table of {} columns", cells_.size(), names_.size()));
    return true;
}

const std::string &TextTable::text(const std::string &column) const {
    return cells_[static_cast<std::size_t>(std::ranges::find(names_, column) - names_.begin())];
}

double TextTable::number(const std::string &column) const {
    const std::string &cell = text(column);
    if (const auto number = finite_number(cell)) return *number;
    refuse(fmt::format("\"{}\" is not a number", cell));
}

double TextTable::time(const std::string &start) const {
    const std::string &cell = text("time");
    if (const auto seconds = finite_number(cell)) return *seconds;
    try {
        return std::chrono::duration<double>(parse_time(cell) - parse_time(start)).count();
    } catch (const std::invalid_argument &e) {
        refuse(fmt::format("time \"{}\" is neither a date nor seconds since run.start: {}", cell, e.what()));
    }
}

void TextTable::refuse(const std::string &what) const {
    throw ConfigError(fmt::format("{}:{}: {}", file_, line_, what));
}

} // namespace squall
