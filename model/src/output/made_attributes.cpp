#include "output/made_attributes.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>

namespace squall {
namespace {

/// "m s-1" becomes "m2 s-2".
std::string squared(const std::string &unit) {
    std::string all;
    for (const auto &factor : words_in(unit)) {
        const auto power = factor.find_first_of("-0123456789");
        const int exponent = power == std::string::npos ? 1 : std::stoi(factor.substr(power));
        all += fmt::format("{}{}{}", all.empty() ? "" : " ", factor.substr(0, power), 2 * exponent);
    }
    return all;
}

/// As CF's Appendix E has it.
std::string cell_method(const std::string &method) {
    static const std::map<std::string, std::string> cf{
        {"min", "minimum"}, {"max", "maximum"}, {"last", "point"}, {"accumulation", "sum"}, {"rate", "mean"}};
    const auto found = cf.find(method);
    return found == cf.end() ? method : found->second;
}

} // namespace

std::vector<std::string> words_in(const std::string &text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

std::string suffix_of(const std::string &method) {
    static const std::map<std::string, std::string> suffixes{
        {"mean", "MEAN"}, {"min", "MIN"},      {"max", "MAX"},
        {"sum", "SUM"},   {"variance", "VAR"}, {"standard_deviation", "STD"},
        {"last", "LAST"}, {"rate", "RATE"},    {"accumulation", "ACC"}};
    return suffixes.at(method);
}

std::string suffix_of_quantile(double which) {
    auto percent = fmt::format("P{:g}", 100 * which);
    std::ranges::replace(percent, '.', '_');
    return percent;
}

std::string unit_of(const std::string &unit, const io::Reduction &r, const std::string &weight) {
    if (r.method == "rate") return unit + " s-1";
    if (r.method == "variance") return squared(unit);
    if (r.method != "sum" || r.weight.empty()) return unit;
    const bool per_kg = weight.starts_with("kg") && unit == "kg kg-1"; // of dry air, which is what weighs
    return unit.empty() || unit == "1" || per_kg ? weight : unit + " " + weight;
}

void drop_attributes(io::Field &field, const std::vector<std::string> &names) {
    std::erase_if(field.attributes,
                  [&](const io::Attribute &a) { return std::ranges::find(names, a.name) != names.end(); });
}

void say_over_what(io::Field &field, const io::Field &plain, const std::string &over_time,
                   const io::Reduction &r, const std::string &axis) {
    const auto before =
        std::ranges::find(plain.attributes, std::string("cell_methods"), &io::Attribute::name);
    const auto over = axis.empty() ? std::string("area") : r.over.size() > 1 ? axis + ": area" : axis;
    auto words = over + ": " + cell_method(r.method);
    if (!r.weight.empty()) words += fmt::format(" (weighted by {})", r.weight);
    if (!over_time.empty()) words = "Time: " + cell_method(over_time) + " " + words;
    if (before != plain.attributes.end()) words = std::get<std::string>(before->value) + " " + words;
    field.attributes.emplace_back("cell_methods", words);
}

void say_which_quantile(io::Field &field, const std::string &name, const io::Reduction &r) {
    const auto plain = name.substr(0, name.size() - suffix_of_quantile(r.quantile).size());
    drop_attributes(field, {"long_name"});
    field.attributes.emplace_back("long_name", fmt::format("quantile {:g} of {}", r.quantile, plain));
    const auto how = r.weight.empty() ? std::string("by counting")
                                      : fmt::format("weighted by {}, by adding that up", r.weight);
    field.attributes.emplace_back("comment",
                                  fmt::format("{} in {} bins from {:g} to {:g}", how, r.bins, r.low, r.high));
    field.attributes.emplace_back("quantile", r.quantile);
}

} // namespace squall
