#include "settings.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "capi/capi.hpp"
#include "squall/io_words.hpp"

namespace squall::wrf {
namespace {

constexpr const char *everything = "all";
const std::vector<std::string> session_keys = {"staging_limit", "timeout",          "watchdog", "report",
                                               "servers",       "servers_per_node", "groups"};
const std::vector<std::string> stream_keys = {"engine",        "placement", "codec",    "burst_dir",
                                              "when_full",     "spill_dir", "on_error", "directory",
                                              "staging_limit", "options"};

/// WRF's data sets.
std::vector<std::string> kinds() {
    std::vector<std::string> names = {everything, "history", "restart", "input", "boundary"};
    for (int n = 1; n <= 24; ++n) names.push_back(fmt::format("auxhist{}", n));
    for (int n = 1; n <= 24; ++n) names.push_back(fmt::format("auxinput{}", n));
    return names;
}

[[noreturn]] void refuse(const toml::source_region &at, const std::string &what) {
    throw io::Error(fmt::format("{}, line {}: {}", settings_file, at.begin.line, what));
}

void check_known(const toml::key &key, const std::vector<std::string> &known) {
    const std::string name(key.str());
    if (std::ranges::find(known, name) == known.end())
        refuse(key.source(), fmt::format("there is no key \"{}\"; {}", name, io::near_and_all(name, known)));
}

/// Bytes: a number, with k, M or G for powers of 1024.
std::string in_bytes(const std::string &size) {
    std::size_t number = 0;
    const char *end = size.data() + size.size();
    const auto [stop, problem] = std::from_chars(size.data(), end, number);
    const std::string unit(stop, end);
    const auto power = std::string_view(" kMG").find(unit.empty() ? " " : unit);
    if (problem != std::errc() || power == std::string_view::npos)
        throw io::Error(fmt::format("\"{}\" is not a size; write bytes, or a number with k, M or G", size));
    return fmt::format("{}", number << (10 * power));
}

std::string text_of(const std::string &key, const toml::node &node) {
    std::string text;
    if (const auto *string = node.as_string())
        text = string->get();
    else if (const auto *integer = node.as_integer())
        text = fmt::format("{}", integer->get());
    else if (const auto *number = node.as_floating_point())
        text = fmt::format("{}", number->get());
    else if (const auto *boolean = node.as_boolean())
        text = boolean->get() ? "true" : "false";
    else
        throw io::Error(fmt::format("{} must be a text, a number, true or false", key));
    return key == "staging_limit" ? in_bytes(text) : text;
}

const toml::table &table_of(const toml::key &key, const toml::node &node) {
    if (const auto *table = node.as_table()) return *table;
    refuse(node.source(), fmt::format("{} must be a table", std::string(key.str())));
}

/// Of a small file, read by the first rank for all.
std::string text_of_file(const std::string &path, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string text;
    if (rank == 0)
        if (std::ifstream file(path); file) text.assign(std::istreambuf_iterator<char>(file), {});
    auto size = static_cast<int>(text.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    text.resize(static_cast<std::size_t>(size));
    MPI_Bcast(text.data(), size, MPI_CHAR, 0, comm);
    return text;
}

/// What f throws, with the line of the node.
template <class F> void at(const toml::node &node, F f) {
    try {
        f();
    } catch (const io::Error &e) {
        refuse(node.source(), e.what());
    }
}

} // namespace

Settings::Settings(const std::string &text) {
    session_.staging_limit = std::size_t(4) << 30; // address space: memory is used as frames need it
    toml::table file;
    try {
        file = toml::parse(text);
    } catch (const toml::parse_error &e) {
        refuse(e.source(), std::string(e.description()));
    }
    auto known = session_keys;
    known.emplace_back("streams");
    for (const auto &[key, value] : file) {
        check_known(key, known);
        const std::string name(key.str());
        if (name != "streams") at(value, [&] { io::capi::set_key(session_, name, text_of(name, value)); });
    }
    if (!file.contains("streams")) return;
    for (const auto &[kind, node] : table_of(toml::key("streams"), *file.get("streams"))) {
        check_known(kind, kinds());
        auto &stream = streams_[std::string(kind.str())];
        for (const auto &[key, value] : table_of(kind, node)) {
            check_known(key, stream_keys);
            const std::string name(key.str());
            at(value, [&] {
                if (name == "options")
                    for (const auto &[option, chosen] : table_of(key, value))
                        stream.options[std::string(option.str())] =
                            text_of(std::string(option.str()), chosen);
                else if (name == "directory")
                    stream.directory = text_of(name, value);
                else {
                    io::StreamSpec tried;
                    io::capi::set_key(tried, name, stream.keys[name] = text_of(name, value));
                }
            });
        }
    }
}

void Settings::apply(const std::string &kind, io::StreamSpec &spec) const {
    for (const auto &which : {std::string(everything), kind}) {
        const auto found = streams_.find(which);
        if (found == streams_.end()) continue;
        for (const auto &[key, value] : found->second.keys) io::capi::set_key(spec, key, value);
        for (const auto &[option, value] : found->second.options) spec.options[option] = value;
    }
}

std::string Settings::directory(const std::string &kind) const {
    for (const auto &which : {kind, std::string(everything)}) {
        const auto found = streams_.find(which);
        if (found != streams_.end() && !found->second.directory.empty()) return found->second.directory;
    }
    return "";
}

const Settings &settings(MPI_Comm comm) {
    static std::unique_ptr<Settings> settings;
    if (!settings) settings = std::make_unique<Settings>(text_of_file(settings_file, comm));
    return *settings;
}

} // namespace squall::wrf
