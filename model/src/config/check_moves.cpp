#include "config/check_moves.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "config/nest_places.hpp"
#include "config/units.hpp"
#include "initial/place_in_file.hpp"

namespace squall {
namespace {

std::string trim(const std::string &text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// The three parts of "10 min, 1, 0". Throws std::invalid_argument.
std::array<std::string, 3> three_parts(const std::string &text, const char *wanted) {
    std::array<std::string, 3> parts;
    std::size_t from = 0;
    for (std::size_t n = 0; n < 3; ++n) {
        const auto comma = text.find(',', from);
        if ((comma == std::string::npos) != (n == 2))
            throw std::invalid_argument(fmt::format("\"{}\" is not {}", text, wanted));
        parts[n] = trim(text.substr(from, comma - from));
        from = comma + 1;
    }
    return parts;
}

int whole_number(const std::string &text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(fmt::format("\"{}\" is not a whole number of cells", text));
    return value;
}

/// A time, and a point in cells of the outermost domain from its corner.
struct TrackPoint {
    double seconds, x, y;
};

TrackPoint read_track_point(const Config &config, const std::string &text) {
    const bool on_earth = !config.initial.file.empty();
    const auto parts =
        three_parts(text, on_earth ? "a time, a latitude and a longitude, such as "
                                     "\"6 h, 34.5 degrees, -97 degrees\""
                                   : "a time and metres east and north of the outermost domain's "
                                     "south-western corner, such as \"10 min, 41 km, 30 km\"");
    const double seconds = parse_quantity(parts[0], "s");
    if (!on_earth)
        return {seconds, parse_quantity(parts[1], "m") / config.domain.dx,
                parse_quantity(parts[2], "m") / config.domain.dy};
    const auto [x, y] = place_in_file(config.initial.file, parse_quantity(parts[1], "degrees"),
                                      parse_quantity(parts[2], "degrees"));
    return {seconds, x, y};
}

/// Straight from point to point; before the first and after the last there.
TrackPoint at_time(const std::vector<TrackPoint> &track, double seconds) {
    const auto after = std::ranges::upper_bound(track, seconds, {}, &TrackPoint::seconds);
    if (after == track.begin()) return track.front();
    if (after == track.end()) return track.back();
    const TrackPoint &a = *(after - 1), &b = *after;
    const double share = (seconds - a.seconds) / (b.seconds - a.seconds);
    return {seconds, a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

std::vector<NestMove> plan_of_track(const Config &config, const NestConfig &nest) {
    std::vector<TrackPoint> track;
    for (const std::string &text : nest.track) track.push_back(read_track_point(config, text));
    if (!std::ranges::is_sorted(track, std::less_equal<>{}, &TrackPoint::seconds))
        throw std::invalid_argument("the times do not increase from point to point");
    std::vector<NestMove> plan;
    const double last = std::min(config.run.duration, track.back().seconds);
    for (double t = nest.start; plan.empty() || t < last + config.run.time_step; t += config.run.time_step) {
        const TrackPoint now = at_time(track, t);
        const auto [i, j] = start_around(config, nest, now.x, now.y);
        if (plan.empty() || plan.back().i_parent_start != i || plan.back().j_parent_start != j)
            plan.push_back({t, i, j});
    }
    return plan;
}

std::vector<NestMove> plan_of_moves(const NestConfig &nest) {
    std::vector<NestMove> plan{{nest.start, nest.i_parent_start, nest.j_parent_start}};
    for (const std::string &text : nest.moves) {
        const auto [time, east, north] =
            three_parts(text, "a time and parent cells to the east and north, such as \"10 min, 1, 0\"");
        const NestMove next{parse_quantity(time, "s"), plan.back().i_parent_start + whole_number(east),
                            plan.back().j_parent_start + whole_number(north)};
        if (next.seconds <= plan.back().seconds)
            throw std::invalid_argument(fmt::format(
                "\"{}\": each move must come after the one before it and after the nest's start", text));
        plan.push_back(next);
    }
    return plan;
}

/// Throws std::invalid_argument: a place too near to the parent's sides.
void check_plan(const Config &config, const NestConfig &nest) {
    const auto last = last_start(nest, extent_of_parent(config, nest));
    for (const NestMove &m : nest.plan) {
        const bool inside = m.i_parent_start > cells_beside_nest && m.i_parent_start <= last[0] &&
                            m.j_parent_start > cells_beside_nest && m.j_parent_start <= last[1];
        if (!inside)
            throw std::invalid_argument(
                fmt::format("after {:g} s the nest would begin at the parent's cell {}, {}; valid are {} to "
                            "{} and {} to {}, which keep three cells between it and the parent's sides",
                            m.seconds, m.i_parent_start, m.j_parent_start, cells_beside_nest + 1, last[0],
                            cells_beside_nest + 1, last[1]));
    }
}

/// Whether a domain around a nest moves.
bool is_carried(const Config &config, const NestConfig &nest) {
    const NestConfig *parent = parent_of(config, nest);
    return parent && (parent->moves_itself() || is_carried(config, *parent));
}

void check_following(Reading &r, const NestConfig &nest) {
    const std::string table = "nest." + nest.name + ".";
    for (const char *key : {"follow_interval", "follow_start", "follow_speed", "follow_margin"})
        if (r.has(table + key) && !nest.follows())
            r.problems.add(r.place(table + key), table + key + " has no effect without follow; leave it out");
    if (r.has(table + "follow_level") && nest.follow != "vortex")
        r.problems.add(r.place(table + "follow_level"),
                       table + "follow_level has no effect without follow = \"vortex\"; leave it out");
    if (!nest.follows()) return;
    if (r.has(table + "follow_interval")) check_multiple(r, table + "follow_interval", nest.follow_interval);
    if (r.has(table + "follow_start") && nest.follow_start > 0)
        check_multiple(r, table + "follow_start", nest.follow_start);
}

} // namespace

void derive_moves(Reading &r, NestConfig &nest) {
    const std::string table = "nest." + nest.name;
    const auto given = [&](const char *key) { return r.has(table + "." + key); };
    const auto refuse = [&](const std::string &key, const std::string &what) {
        r.problems.add(r.place(table + "." + key), fmt::format("{}.{}: {}", table, key, what));
    };
    const int ways = int(given("moves")) + int(given("track")) + int(nest.follows());
    if (ways > 1) return refuse("moves", "moves, track and follow exclude each other");
    check_following(r, nest);
    const char *key = given("track") ? "track" : given("moves") ? "moves" : "follow";
    if (given("track") && is_carried(r.config, nest))
        return refuse(key, "its parent moves: only the outermost moving nest can have a track over the "
                           "ground; this one moves with its parent");
    if (ways > 0 && !nest.initial_file.empty())
        return refuse(key, "a moving nest takes its ground from its parent, so that the ground is the same "
                           "before and after a move; leave out initial_file");
    if (is_carried(r.config, nest) && !nest.initial_file.empty())
        return refuse("initial_file",
                      "its parent moves, so the nest takes its ground from the parent; leave it out");
    if ((ways > 0 || is_carried(r.config, nest)) && !nest.lower_file.empty())
        return refuse("lower_file", "the file is for one place, but the nest moves; leave it out");
    if ((ways > 0 || is_carried(r.config, nest)) && !nest.aerosol_file.empty())
        return refuse("aerosol_file", "the file is for one place, but the nest moves; leave it out");
    try {
        if (given("track") && nest.track.empty()) throw std::invalid_argument("the list is empty");
        if (given("track")) nest.plan = plan_of_track(r.config, nest);
        if (given("moves")) nest.plan = plan_of_moves(nest);
        check_plan(r.config, nest);
    } catch (const std::exception &error) {
        return refuse(key, error.what());
    }
    if (given("track"))
        nest.i_parent_start = nest.plan[0].i_parent_start, nest.j_parent_start = nest.plan[0].j_parent_start;
}

void check_moving_neighbours(Reading &r) {
    const auto everywhere = [](const NestConfig &nest) {
        std::vector<NestConfig> places{nest};
        for (const NestMove &move : nest.plan) {
            places.push_back(nest);
            places.back().i_parent_start = move.i_parent_start;
            places.back().j_parent_start = move.j_parent_start;
        }
        return places;
    };
    const auto refuse = [&](const NestConfig &nest, const std::string &what) {
        r.problems.add(r.place("nest." + nest.name), fmt::format("nest.{} {}", nest.name, what));
    };
    for (const NestConfig &a : r.config.nests)
        for (const NestConfig &b : r.config.nests) {
            if (&a == &b || a.parent != b.parent || a.plan.empty()) continue;
            if (b.follows()) {
                refuse(a, fmt::format("moves by a plan and nest.{} follows a storm, so they could collide; "
                                      "of the moving nests of one parent, either all follow or none does",
                                      b.name));
                continue;
            }
            if (overlap(a, b)) continue; // told already
            for (const NestConfig &here : everywhere(a)) {
                const auto there = everywhere(b);
                if (std::ranges::none_of(there, [&](const auto &other) { return overlap(here, other); }))
                    continue;
                refuse(a,
                       fmt::format("would move over nest.{}; nests of one parent must not overlap", b.name));
                break;
            }
        }
}

void check_moving_streams(Reading &r) {
    for (const StreamConfig &stream : r.config.nest_streams) {
        const NestConfig *nest = nest_of(r.config, stream);
        const bool moves = nest && (nest->moves_itself() || is_carried(r.config, *nest));
        const auto refuse = [&](const std::string &what) {
            r.problems.add(r.place("output." + stream.name), fmt::format("output.{}: {}", stream.name, what));
        };
        if (moves && stream.needs_ground())
            refuse("its domain moves, but averages, coarse cells, places and fields made over time need one "
                   "place on the ground; take them from the parent");
        if (moves && stream.constants == "once")
            refuse("its domain moves, so the position of its cells is written with every frame; leave out "
                   "constants");
    }
}

} // namespace squall
