#include "frames/footprints.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "settings/text_table.hpp"

namespace squall::transport {
namespace {

/// The interval between faces in which a value lies.
int cell_between(const std::vector<double> &faces, double x) {
    const auto after = std::ranges::upper_bound(faces, x) - faces.begin();
    return static_cast<int>(std::clamp<std::ptrdiff_t>(after - 1, 0, std::ssize(faces) - 2));
}

void locate(Footprint &footprint, const GlobeGrid &globe) {
    const double degree = pi / 180, turn = 2 * pi;
    footprint.i =
        cell_between(globe.lon_faces, std::fmod(std::fmod(footprint.longitude * degree, turn) + turn, turn));
    footprint.j = cell_between(globe.lat_faces, footprint.latitude * degree);
}

} // namespace

Footprints::Footprints(const SmallFiles &files, const std::string &file, const std::string &start,
                       double interval, const GlobeGrid &globe)
    : interval_(interval) {
    TextTable table(files, file, "footprints");
    table.require({"time", "longitude", "latitude"});
    while (table.next()) {
        Footprint one{table.time(start), table.number("longitude"), table.number("latitude")};
        if (std::abs(one.latitude) > 90 || std::abs(one.longitude) > 360)
            table.refuse(
                fmt::format("latitude {} and longitude {} are not possible", one.latitude, one.longitude));
        locate(one, globe);
        all_.push_back(one);
    }
    if (all_.empty()) table.refuse("the table has no footprints");
    std::ranges::stable_sort(all_, {}, &Footprint::seconds);
    for (std::size_t n = 0, first = 0; n < all_.size(); ++n) {
        if (frame_of(all_[n].seconds) != frame_of(all_[first].seconds)) first = n;
        most_ = std::max(most_, static_cast<std::int64_t>(n - first + 1));
    }
}

std::int64_t Footprints::frame_of(double seconds) const {
    return std::llround(std::floor(seconds / interval_ + 0.5));
}

std::span<const Footprint> Footprints::of_frame(double seconds) const {
    const std::int64_t wanted = frame_of(seconds);
    const auto frame = [this](const Footprint &footprint) { return frame_of(footprint.seconds); };
    return {std::ranges::lower_bound(all_, wanted, {}, frame),
            std::ranges::upper_bound(all_, wanted, {}, frame)};
}

Footprints footprints_of(const StreamConfig &stream, const Settings &settings, const GlobeGrid &globe) {
    const auto table = settings.footprints.find(stream.name);
    if (table == settings.footprints.end() || table->second.empty() || stream.interval <= 0) return {};
    return {settings.common.files, table->second, settings.common.run.start, stream.interval, globe};
}

} // namespace squall::transport
