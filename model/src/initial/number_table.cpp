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
        refuse(file, line, fmt::format("\"{}\" is not a number", cell));
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
                   fmt::format("{} of {} is impossible; it must be from {} to {}", what, value, least, most));
}

/// Refuses times that do not go from 0 to the end of the run.
void check_reach(const std::string &file, const std::vector<double> &seconds, double duration) {
    if (seconds.front() > 0 || seconds.back() < duration)
        refuse(file, 0,
               fmt::format("it covers hours {} to {}, but the run goes from 0 to {}", seconds.front() / 3600,
                           seconds.back() / 3600, duration / 3600));
}

} // namespace

const std::vector<double> &NumberTable::column(const std::string &name) const {
    static const std::vector<double> none;
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? none : columns[static_cast<std::size_t>(found - names.begin())];
}

NumberTable read_number_table(const SmallFiles &files, const std::string &file, FirstColumn order) {
    std::istringstream in = files.open(file);
    if (!in) refuse(file, 0, "the file cannot be read");
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
        const double step = first.size() > 1 ? first.back() - first[first.size() - 2] : 1;
        const bool ordered = step > 0 || (order == FirstColumn::does_not_fall && step == 0);
        if (!ordered && order != FirstColumn::any)
            refuse(file, line, fmt::format("{} must increase from line to line", table.names[0]));
    }
    if (table.names.empty() || table.columns[0].empty())
        refuse(file, 0, "it has no line of names, or no line of numbers after it");
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
    check_reach(file, series.seconds, duration);
    return series;
}

WindProfiles read_wind_profiles(const SmallFiles &files, const std::string &file, double duration) {
    const NumberTable table = read_number_table(files, file, FirstColumn::does_not_fall);
    const std::vector<double> &hours = table.column("hours"), &height = table.column("height"),
                              &u = table.column("u"), &v = table.column("v");
    if (hours.empty())
        check_names(file, table, {"height", "u", "v"});
    else
        check_names(file, table, {"hours", "height", "u", "v"});
    check_range(file, u, -300, 300, "a wind [m/s]");
    check_range(file, v, -300, 300, "a wind [m/s]");
    WindProfiles all;
    for (std::size_t n = 0; n < u.size(); ++n) {
        const double second = hours.empty() ? 0 : 3600 * hours[n];
        if (all.seconds.empty() || second > all.seconds.back()) {
            all.seconds.push_back(second);
            all.profiles.emplace_back();
        }
        WindProfile &profile = all.profiles.back();
        if (!profile.height.empty() && !(height[n] > profile.height.back()))
            refuse(file, 0,
                   fmt::format("height must increase from line to line, but {} follows {}", height[n],
                               profile.height.back()));
        profile.height.push_back(height[n]), profile.u.push_back(u[n]), profile.v.push_back(v[n]);
    }
    if (!hours.empty()) check_reach(file, all.seconds, duration);
    return all;
}

} // namespace squall
