#include "output/tracks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "settings/calendar.hpp"

namespace squall {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

/// A fraction of the way along the great circle.
void go_along(Place &place, const Place &from, const Place &to, double fraction) {
    const auto a = on_sphere(from.longitude, from.latitude), b = on_sphere(to.longitude, to.latitude);
    const double angle = std::acos(std::clamp(dot(a, b), -1.0, 1.0)), sine = std::sin(angle);
    const double first = sine > 1e-9 ? std::sin((1 - fraction) * angle) / sine : 1 - fraction;
    const double second = sine > 1e-9 ? std::sin(fraction * angle) / sine : fraction;
    const double x = first * a.x + second * b.x, y = first * a.y + second * b.y,
                 z = first * a.z + second * b.z;
    const double degree = std::acos(-1.0) / 180;
    place.longitude = std::atan2(y, x) / degree;
    place.latitude = std::atan2(z, std::hypot(x, y)) / degree;
}

} // namespace

Tracks::Tracks(const StreamConfig &stream, const Config &config)
    : config_(config), stream_(stream.name), line_(stream.line),
      leave_out_(stream.places_outside == "leave-out") {
    PlaceTable table(config.files, stream.trajectories);
    if (!table.has("time")) table.refuse("no column `time`, with dates or seconds since run.start");
    columns_ = table.columns();
    have_altitudes_ = table.has("altitude");
    read(table, config.run.start);
    if (tracks_.empty()) table.refuse("the table has no places");
}

void Tracks::read(PlaceTable &table, const std::string &start) {
    while (table.next()) {
        auto place = table.place();
        if (columns_ == PlaceColumns::x_y) {
            place.i = place.i / config_.domain.dx - 0.5;
            place.j = place.j / config_.domain.dy - 0.5;
        }
        place.altitude = have_altitudes_ ? table.number("altitude") : nowhere;
        const double time = table.time(start);
        auto &track = track_of(place.name);
        if (!track.times.empty() && !(track.times.back() < time))
            table.refuse(fmt::format("{} has a time that is not after the one before it", place.name));
        track.times.push_back(time);
        track.points.push_back(std::move(place));
    }
}

Tracks::Track &Tracks::track_of(const std::string &name) {
    const auto known = std::ranges::find(tracks_, name, &Track::name);
    return known != tracks_.end() ? *known : tracks_.emplace_back(Track{name, {}, {}});
}

std::vector<std::string> Tracks::names() const {
    std::vector<std::string> names;
    for (const auto &track : tracks_) names.push_back(track.name);
    return names;
}

Place Tracks::between(const Track &track, double seconds) const {
    Place place{track.name, nowhere, nowhere, nowhere, nowhere, nowhere};
    if (!(seconds >= track.times.front() && seconds <= track.times.back())) return place;
    const auto after = std::ranges::lower_bound(track.times, seconds);
    const auto n = static_cast<std::size_t>(after - track.times.begin());
    if (*after == seconds) return track.points[n];
    const auto &from = track.points[n - 1], &to = track.points[n];
    const double fraction = (seconds - track.times[n - 1]) / (track.times[n] - track.times[n - 1]);
    place.altitude = from.altitude + fraction * (to.altitude - from.altitude);
    if (columns_ == PlaceColumns::longitude_latitude) {
        go_along(place, from, to, fraction);
    } else {
        place.i = from.i + fraction * (to.i - from.i);
        place.j = from.j + fraction * (to.j - from.j);
    }
    return place;
}

bool Tracks::outside(const Place &place) const {
    return !(place.i >= 0 && place.i <= config_.domain.nx - 1 && place.j >= 0 &&
             place.j <= config_.domain.ny - 1);
}

/// By longitude and latitude; or by i and j, for which the grid knows these.
void Tracks::locate(std::vector<Place> &places, const Grid &grid, const Patch &patch, MPI_Comm comm) const {
    if (columns_ == PlaceColumns::longitude_latitude) {
        std::vector<Place> there;
        for (const auto &place : places)
            if (!std::isnan(place.longitude)) there.push_back(place);
        locate_on_the_sphere(there, grid, patch, comm);
        auto next = there.begin();
        for (auto &place : places)
            if (!std::isnan(place.longitude)) place = *next++;
    }
    for (auto &place : places)
        if (outside(place)) place.i = place.j = nowhere;
    if (columns_ == PlaceColumns::longitude_latitude) return;
    const auto found = values_at(places, {&grid.lon, &grid.lat}, patch, comm);
    for (std::size_t p = 0; p < places.size(); ++p)
        if (!std::isnan(places[p].i))
            places[p].longitude = found[2 * p], places[p].latitude = found[2 * p + 1];
}

std::vector<Place> Tracks::at(double seconds, const Grid &grid, const Patch &patch, MPI_Comm comm) const {
    std::vector<Place> places;
    for (const auto &track : tracks_) places.push_back(between(track, seconds));
    locate(places, grid, patch, comm);
    return places;
}

void Tracks::check(const Grid &grid, const Patch &patch, MPI_Comm comm) const {
    const auto refuse = [&](const std::string &what) {
        throw ConfigError(
            fmt::format("{}:{}: output.{}.trajectories: {}", config_.file, line_, stream_, what));
    };
    const double end = config_.run.duration;
    std::string absent, outside;
    for (const auto &track : tracks_) {
        if (track.times.back() < 0 || track.times.front() > end) {
            absent += (absent.empty() ? "" : ", ") + track.name;
            continue;
        }
        std::vector<Place> met; // while the run lasts
        std::vector<double> when;
        const auto meet = [&](double time) { met.push_back(between(track, time)), when.push_back(time); };
        meet(std::max(track.times.front(), 0.0));
        for (const double time : track.times)
            if (time > 0 && time < end) meet(time);
        meet(std::min(track.times.back(), end));
        locate(met, grid, patch, comm);
        const auto first = std::ranges::find_if(met, [](const Place &p) { return std::isnan(p.i); });
        if (first != met.end())
            outside +=
                fmt::format("{}{} at {}", outside.empty() ? "" : ", ", track.name,
                            format_iso(add_seconds(parse_time(config_.run.start),
                                                   when[static_cast<std::size_t>(first - met.begin())])));
    }
    if (leave_out_) return;
    if (!absent.empty())
        refuse(fmt::format(
            "the table has no times of {} during the run; remove it, or set places_outside = \"leave-out\"",
            absent));
    if (!outside.empty())
        refuse(fmt::format("these lie outside the centres of the outermost cells: {}; remove them, or set "
                           "places_outside = \"leave-out\", which writes missing values there",
                           outside));
}

std::vector<double> layers_at(const std::vector<Place> &places, const State &state, const Grid &grid,
                              const Patch &patch, MPI_Comm comm) {
    const int nz = patch.shape.nz;
    std::vector<double> layers(places.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < places.size(); ++p) {
        const auto around = cells_around(places[p], patch);
        if (!around) continue;
        const auto interface = [&](int k) {
            return around->mean([&](int i, int j) { return state.ph(i, k, j) + grid.phb(i, k, j); }) /
                   static_cast<double>(constants::g);
        };
        const double altitude = places[p].altitude;
        if (!(altitude >= interface(0) && altitude <= interface(nz))) continue;
        const auto middle = [&](int k) { return (interface(k) + interface(k + 1)) / 2; };
        int k = 0;
        while (k < nz - 2 && middle(k + 1) < altitude) ++k;
        layers[p] = std::clamp((altitude - middle(k)) / (middle(k + 1) - middle(k)) + k, 0.0, nz - 1.0);
    }
    MPI_Allreduce(MPI_IN_PLACE, layers.data(), static_cast<int>(layers.size()), MPI_DOUBLE, MPI_MAX, comm);
    for (auto &layer : layers)
        if (std::isinf(layer)) layer = nowhere;
    return layers;
}

} // namespace squall
