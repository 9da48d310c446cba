#include "initial/number_table.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall {
namespace {

[[noreturn]] void refuse(const std::string &file, int line, const std::string &what) {
    throw std::runtime_error(line > 0 ? fmt::format("{}:{}: {}", file, line, what)
                                      : fmt::format("{}: {}", file, what));
}

/// What stands between commas, without blanks; nothing of a line that is empty but for a comment.
std::vector<std::string> cells_of(std::string line) {
    line.erase(std::min(line.find('#'), line.size()));
    std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    std::vector<std::string> cells;
    if (line.empty()) return cells;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = end + 1;
    }
    return cells;
}

double number(const std::string &file, int line, const std::string &cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || !(std::abs(value) < 1e30))
        refuse(file, line, fmt::format("\"{}\" is no number", cell));
    return value;
}

/// Refuses a table without one of these columns, or with others.
void check_names(const std::string &file, const NumberTable &table, const std::vector<std::string> &wanted) {
    if (table.names != wanted)
        refuse(file, 0,
               fmt::format("its columns are \"{}\", not \"{}\"", fmt::join(table.names, ","),
                           fmt::join(wanted, ",")));
}

void check_range(const std::string &file, const std::vector<double> &values, double least, double most,
                 const std::string &what) {
    for (const double value : values)
        if (value < least || value > most)
            refuse(file, 0,
                   fmt::format("{} of {} is impossible; it lies from {} to {}", what, value, least, most));
}

} // namespace

const std::vector<double> &NumberTable::column(const std::string &name) const {
    static const std::vector<double> none;
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? none : columns[static_cast<std::size_t>(found - names.begin())];
}

NumberTable read_number_table(const SmallFiles &files, const std::string &file) {
    std::istringstream in = files.open(file);
    if (!in) refuse(file, 0, "it cannot be read");
    NumberTable table;
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
        const std::vector<std::string> cells = cells_of(text);
        if (cells.empty()) continue;
        if (table.names.empty()) {
            table.names = cells;
            table.columns.resize(cells.size());
            continue;
        }
        if (cells.size() != table.names.size())
            refuse(file, line, fmt::format("{} values for {} columns", cells.size(), table.names.size()));
        for (std::size_t n = 0; n < cells.size(); ++n)
            table.columns[n].push_back(number(file, line, cells[n]));
        const std::vector<double> &first = table.columns[0];
        if (first.size() > 1 && !(first.back() > first[first.size() - 2]))
            refuse(file, line, fmt::format("{} must grow from line to line", table.names[0]));
    }
    if (table.names.empty() || table.columns[0].empty())
        refuse(file, 0, "it has no line of names and no line of numbers after it");
    return table;
}

SurfaceSeries read_surface_series(const SmallFiles &files, const std::string &file, double duration) {
    const NumberTable table = read_number_table(files, file);
    const bool temperature = table.names == std::vector<std::string>{"hours", "temperature"};
    if (!temperature) check_names(file, table, {"hours", "sensible_heat", "latent_heat"});
    SurfaceSeries series;
    for (const double hours : table.column("hours")) series.seconds.push_back(3600 * hours);
    series.temperature = table.column("temperature");
    series.sensible_heat = table.column("sensible_heat");
    series.latent_heat = table.column("latent_heat");
    check_range(file, series.temperature, 150, 400, "a temperature [K]");
    check_range(file, series.sensible_heat, -1000, 2000, "a flux of heat [W m-2]");
    check_range(file, series.latent_heat, -1000, 2000, "a flux of latent heat [W m-2]");
    if (series.seconds.front() > 0 || series.seconds.back() < duration)
        refuse(file, 0,
               fmt::format("it is of hours {} to {}, but the run goes from 0 to {}", table.columns[0].front(),
                           table.columns[0].back(), duration / 3600));
    return series;
}

WindProfile read_wind_profile(const SmallFiles &files, const std::string &file) {
    const NumberTable table = read_number_table(files, file);
    check_names(file, table, {"height", "u", "v"});
    check_range(file, table.columns[1], -300, 300, "a wind [m/s]");
    check_range(file, table.columns[2], -300, 300, "a wind [m/s]");
    return {table.columns[0], table.columns[1], table.columns[2]};
}

} // namespace squall
