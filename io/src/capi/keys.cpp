/// StreamRanks of specifications by name.
#include <charconv>

#include <fmt/format.h>

#include "capi.hpp"
#include "squall/io_words.hpp"

namespace squall::io::capi {
namespace {

[[noreturn]] void not_a(const std::string &key, const std::string &value, const char *kind) {
    throw Error(fmt::format("{} is \"{}\"; it must be {}", key, value, kind));
}

template <class Number> void assign(Number &member, const std::string &key, const std::string &value) {
    const char *end = value.data() + value.size();
    const auto [stop, problem] = std::from_chars(value.data(), end, member);
    if (problem != std::errc() || stop != end)
        not_a(key, value, std::is_integral_v<Number> ? "a whole number" : "a number");
}
void assign(std::string &member, const std::string &, const std::string &value) { member = value; }
void assign(bool &member, const std::string &key, const std::string &value) {
    if (value != "true" && value != "false") not_a(key, value, "true or false");
    member = value == "true";
}

template <class Spec> struct Key {
    const char *name;
    void (*set)(Spec &, const std::string &key, const std::string &value);
};

/// A row of the table of keys, which reads and writes the member of that name.
template <auto member, class Spec> constexpr Key<Spec> key(const char *name) {
    return {name, [](Spec &spec, const std::string &k, const std::string &value) {
                assign(spec.*member, k, value);
            }};
}

template <class Table, class Spec>
void set_in(const Table &table, Spec &spec, const std::string &name, const std::string &value) {
    for (const auto &row : table)
        if (name == row.name) return row.set(spec, name, value);
    std::vector<std::string> names;
    for (const auto &row : table) names.emplace_back(row.name);
    throw Error(fmt::format("there is no key \"{}\"; {}", name, near_and_all(name, names)));
}

constexpr Key<SessionSpec> in_session[] = {
    key<&SessionSpec::servers, SessionSpec>("servers"),
    key<&SessionSpec::servers_per_node, SessionSpec>("servers_per_node"),
    key<&SessionSpec::groups, SessionSpec>("groups"),
    key<&SessionSpec::assignment, SessionSpec>("assignment"),
    key<&SessionSpec::shared_memory, SessionSpec>("shared_memory"),
    key<&SessionSpec::staging_limit, SessionSpec>("staging_limit"),
    key<&SessionSpec::watchdog, SessionSpec>("watchdog"),
    key<&SessionSpec::timeout, SessionSpec>("timeout"),
    key<&SessionSpec::report, SessionSpec>("report"),
};

constexpr Key<StreamSpec> in_stream[] = {
    key<&StreamSpec::engine, StreamSpec>("engine"),
    key<&StreamSpec::placement, StreamSpec>("placement"),
    key<&StreamSpec::codec, StreamSpec>("codec"),
    key<&StreamSpec::frames_per_file, StreamSpec>("frames_per_file"),
    key<&StreamSpec::replace, StreamSpec>("replace"),
    key<&StreamSpec::burst_dir, StreamSpec>("burst_dir"),
    key<&StreamSpec::staging_limit, StreamSpec>("staging_limit"),
    key<&StreamSpec::when_full, StreamSpec>("when_full"),
    key<&StreamSpec::spill_dir, StreamSpec>("spill_dir"),
    key<&StreamSpec::on_error, StreamSpec>("on_error"),
    key<&StreamSpec::on_lost_server, StreamSpec>("on_lost_server"),
    key<&StreamSpec::record_dimension, StreamSpec>("record_dimension"),
    key<&StreamSpec::calendar, StreamSpec>("calendar"),
    key<&StreamSpec::append, StreamSpec>("append"),
    key<&StreamSpec::reduce, StreamSpec>("reduce"),
};

constexpr Key<Reduction> in_reduction[] = {
    key<&Reduction::weight, Reduction>("weight"),
    key<&Reduction::mask, Reduction>("mask"),
    key<&Reduction::quantile, Reduction>("quantile"),
    key<&Reduction::low, Reduction>("low"),
    key<&Reduction::high, Reduction>("high"),
    key<&Reduction::bins, Reduction>("bins"),
    key<&Reduction::at, Reduction>("at"),
    key<&Reduction::onto, Reduction>("onto"),
    key<&Reduction::coordinate, Reduction>("coordinate"),
    key<&Reduction::scale, Reduction>("scale"),
    key<&Reduction::outside, Reduction>("outside"),
};

} // namespace

void set_key(SessionSpec &spec, const std::string &key, const std::string &value) {
    set_in(in_session, spec, key, value);
}
void set_key(StreamSpec &spec, const std::string &key, const std::string &value) {
    set_in(in_stream, spec, key, value);
}
void set_key(Reduction &reduction, const std::string &key, const std::string &value) {
    set_in(in_reduction, reduction, key, value);
}

} // namespace squall::io::capi
