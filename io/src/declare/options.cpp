#include "declare/options.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "engines/engine.hpp"
#include "squall/io_words.hpp"

namespace squall::io {

std::optional<double> number_in(const std::string &text) {
    static const std::map<std::string, double> units = {
        {"", 1}, {"k", 1024}, {"M", 1024. * 1024}, {"G", 1024. * 1024 * 1024}};
    double value = 0;
    const char *end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    const auto unit = units.find(std::string(stop, end));
    if (problem != std::errc() || unit == units.end()) return std::nullopt;
    return value * unit->second;
}

std::string option_fault(const std::string &engine, const std::string &name, const std::string &value) {
    const auto &options = engine_named(engine).options;
    const auto known = std::ranges::find(options, name, &OptionInfo::name);
    if (known == options.end()) {
        std::vector<std::string> names;
        for (const auto &o : options) names.push_back(o.name);
        return fmt::format("engine {} has no option \"{}\"; {}", engine, name, near_and_all(name, names));
    }
    auto words = known->words;
    if (known->kind == OptionInfo::Kind::boolean) words = {"true", "false"};
    if (!words.empty() && std::ranges::find(words, value) == words.end())
        return fmt::format("option {} is \"{}\"; {}", name, value, near_and_all(value, words));
    if (known->kind != OptionInfo::Kind::number && known->kind != OptionInfo::Kind::size) return "";
    const auto number = number_in(value);
    if (!number)
        return fmt::format(
            "option {} is \"{}\"; it must be a number, optionally with k, M or G for powers of 1024", name,
            value);
    if (*number < known->least)
        return fmt::format("option {} is \"{}\"; it must be {} or more", name, value, known->least);
    return "";
}

} // namespace squall::io
