#include "tracers/releases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tracers/overlap.hpp"

namespace squall::transport {
namespace {

constexpr double degrees = 180 / pi;
/// Of a line, in so many pieces of equal length is each stretch between two corners.
constexpr int pieces = 2000;

/// Longitude from 0 to 360.
double around(double lon) { return std::fmod(std::fmod(lon, 360) + 360, 360); }

/// On the great circle from a to b, which are `angle` apart.
Direction3 between(const Direction3 &a, const Direction3 &b, double angle, double share) {
    if (angle < 1e-9) return a;
    Direction3 r{};
    for (std::size_t n = 0; n < 3; ++n)
        r[n] = (std::sin((1 - share) * angle) * a[n] + std::sin(share * angle) * b[n]) / std::sin(angle);
    return r;
}

} // namespace

ReleaseSettings eruption_of(const SourceSettings &s) {
    ReleaseSettings r;
    r.name = "eruption", r.mass = s.eruption_mass;
    r.longitude = {s.eruption_longitude}, r.latitude = {s.eruption_latitude};
    r.bottom = s.eruption_bottom, r.top = s.eruption_top;
    r.start = s.eruption_start, r.duration = s.eruption_duration;
    return r;
}

Release::Release(const ReleaseSettings &settings, const PatchOfGlobe &where) : settings_(settings) {
    if (settings_.profile.empty()) settings_.profile = {1};
    settings.region.empty() ? place_line(where) : place_area(where);
}

void Release::place_area(const PatchOfGlobe &where) {
    const double west = settings_.region[0], wide = settings_.region[1] - west;
    const double south = std::sin(settings_.region[2] / degrees),
                 north = std::sin(settings_.region[3] / degrees);
    const double width = 360.0 / where.globe().nlon;
    for (int j = 0; j < where.patch().shape.ny; ++j) {
        const double high = overlap(std::sin(where.south(j)), std::sin(where.south(j + 1)), south, north);
        for (int i = 0; i < where.patch().shape.nx && high > 0; ++i) {
            const double begin = (where.patch().x0 + i) * width;
            double common = 0;
            for (const double turn : {-720.0, -360.0, 0.0, 360.0, 720.0})
                common += overlap(begin, begin + width, west + turn, west + wide + turn);
            if (common > 0) cells_.push_back({i, j, high / (north - south) * common / wide});
        }
    }
}

/// A point is a line of one corner.
void Release::place_line(const PatchOfGlobe &where) {
    const auto &lon = settings_.longitude, &lat = settings_.latitude;
    if (lon.size() == 1) return add_point(where, around(lon[0]), lat[0], 1);
    std::vector<Direction3> corners;
    std::vector<double> angles;
    for (std::size_t n = 0; n < lon.size(); ++n) {
        corners.push_back(to_direction(lon[n] / degrees, lat[n] / degrees));
        if (n > 0) angles.push_back(std::acos(std::clamp(dot(corners[n - 1], corners[n]), -1.0, 1.0)));
    }
    const double length = std::accumulate(angles.begin(), angles.end(), 0.0);
    for (std::size_t n = 0; n < angles.size(); ++n)
        for (int piece = 0; piece < pieces; ++piece) {
            const Direction3 r = between(corners[n], corners[n + 1], angles[n], (piece + 0.5) / pieces);
            add_point(where, around(std::atan2(r[1], r[0]) * degrees),
                      std::asin(std::clamp(r[2], -1.0, 1.0)) * degrees, angles[n] / length / pieces);
        }
}

/// `lon`: 0 to 360.
void Release::add_point(const PatchOfGlobe &where, double lon, double lat, double share) {
    const GlobeGrid &globe = where.globe();
    const int column = std::min(static_cast<int>(lon / 360 * globe.nlon), globe.nlon - 1);
    const auto face = std::upper_bound(globe.lat_faces.begin() + 1, globe.lat_faces.end() - 1, lat / degrees);
    const auto row = static_cast<int>(face - globe.lat_faces.begin()) - 1;
    const int i = column - where.patch().x0, j = row - where.patch().y0;
    const Shape &s = where.patch().shape;
    if (i < 0 || i >= s.nx || j < 0 || j >= s.ny) return;
    const auto same = [&](const Cell &cell) { return cell.i == i && cell.j == j; };
    const auto known = std::ranges::find_if(cells_, same);
    known == cells_.end() ? cells_.push_back({i, j, share}) : void(known->share += share);
}

/// The share of the mass between two heights above the sea.
double Release::profile_between(double low, double high) const {
    const auto parts = static_cast<double>(settings_.profile.size());
    const double all = std::accumulate(settings_.profile.begin(), settings_.profile.end(), 0.0);
    const double thickness = (settings_.top - settings_.bottom) / parts;
    if (thickness == 0) return low <= settings_.bottom && settings_.bottom < high ? 1 : 0;
    double share = 0, begin = settings_.bottom;
    for (const double weight : settings_.profile) {
        share += weight / all * overlap(low, high, begin, begin + thickness) / thickness;
        begin += thickness;
    }
    return share;
}

void Release::apply(const TracerRow &row, double begin, double step) const {
    const double end = settings_.start + settings_.duration;
    const double mass =
        settings_.mass / settings_.duration * overlap(begin, begin + step, settings_.start, end);
    if (mass == 0) return;
    constexpr double far = std::numeric_limits<double>::max();
    for (const Cell &cell : cells_) {
        if (cell.j != row.j) continue;
        const double ground = row.air.ground(cell.i);
        for (int k = 0; k < row.nz(); ++k) {
            const double low = k == 0 ? -far : ground + row.air.height(cell.i, k);
            const double high = k + 1 == row.nz() ? far : ground + row.air.height(cell.i, k + 1);
            row.mass(k)[cell.i] += mass * cell.share * profile_between(low, high);
        }
    }
}

} // namespace squall::transport
