#include "frames/number_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "settings/config.hpp"

namespace squall::transport {
namespace {

std::string trim(const std::string &text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

} // namespace

NumberTable::NumberTable(const SmallFiles &files, const std::string &file,
                         const std::vector<std::string> &columns)
    : file_(file), in_(files.open(file)) {
    if (!in_) throw ConfigError(fmt::format("{}: cannot be read", file));
    read_line();
    names_ = cells_;
    for (const std::string &column : columns)
        if (std::ranges::find(names_, column) == names_.end())
            refuse(fmt::format("the first line must name the columns {}", fmt::join(columns, ", ")));
}

bool NumberTable::read_line() {
    for (std::string line; std::getline(in_, line);) {
        ++line_;
        if (trim(line).empty() || trim(line)[0] == '#') continue;
        cells_.clear();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) cells_.push_back(trim(cell));
        return true;
    }
    return false;
}

bool NumberTable::next() {
    if (!read_line()) return false;
    if (cells_.size() != names_.size())
        refuse(fmt::format("{} cells in a table of {} columns", cells_.size(), names_.size()));
    return true;
}

const std::string &NumberTable::text(const std::string &column) const {
    return cells_[static_cast<std::size_t>(std::ranges::find(names_, column) - names_.begin())];
}

double NumberTable::number(const std::string &column) const {
    const std::string &cell = text(column);
    double number = 0;
    const auto [stop, problem] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (problem != std::errc() || stop != cell.data() + cell.size() || !std::isfinite(number))
        refuse(fmt::format("\"{}\" is not a number", cell));
    return number;
}

void NumberTable::refuse(const std::string &what) const {
    throw ConfigError(fmt::format("{}:{}: {}", file_, line_, what));
}

} // namespace squall::transport
