#include "frames/history_declaration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "frames/globe.hpp"
#include "output/stations.hpp"

namespace squall::transport {

std::string source_name(const std::string &name) { return name + "_on_grid"; }

namespace {

/// Where a station is, in rows and columns from the first cell's middle. Between the last and the first
/// column of the globe, and beyond the outermost rows, it is at the nearest cell.
void locate(Place &station, const GlobeGrid &globe) {
    const double degrees = 180 / pi, width = 360.0 / globe.nlon;
    const double east = std::fmod(std::fmod(station.longitude, 360) + 360, 360) / width - 0.5;
    const double last = globe.nlon - 1;
    station.i = east >= 0 && east <= last ? east : east < 0 || east > last + 0.5 ? 0 : last;
    const double lat = station.latitude / degrees;
    const auto above = std::ranges::lower_bound(globe.lat, lat);
    const auto row = above - globe.lat.begin();
    if (row == 0)
        station.j = 0;
    else if (above == globe.lat.end())
        station.j = globe.nlat - 1;
    else
        station.j = static_cast<double>(row - 1) + (lat - *(above - 1)) / (*above - *(above - 1));
}

std::vector<Place> find_stations(const StreamConfig &stream, const Settings &settings,
                                 const GlobeGrid &globe) {
    if (stream.stations.empty()) return {};
    auto stations = expect_stations(stream, settings.common);
    for (Place &station : stations) {
        if (!(std::abs(station.latitude) <= 90))
            throw ConfigError(fmt::format("{}:{}: output.{}.stations: {} is at latitude {}",
                                          settings.common.file, stream.line, stream.name, station.name,
                                          station.latitude));
        locate(station, globe);
    }
    return stations;
}

} // namespace

HistoryDeclaration::HistoryDeclaration(const StreamConfig &stream, const Settings &settings,
                                       const GlobeGrid &globe)
    : stations(find_stations(stream, settings, globe)), footprints(footprints_of(stream, settings, globe)),
      fields(fields_of_stream(stream, settings)), stream_(stream), settings_(settings), globe_(globe) {}

io::StreamSpec HistoryDeclaration::spec() const {
    io::StreamSpec spec = globe_spec(stream_, settings_);
    declare_grid(spec, settings_, globe_, axes());
    if (std::ranges::none_of(fields, [](const GlobeField &f) { return f.name == "ps"; }))
        forget_surface(spec);
    if (!stations.empty()) declare_stations(spec);
    if (footprints.any()) declare_footprints(spec);
    for (const GlobeField &field : fields) declare_field(spec, field);
    const auto select = [&](const char *dimension, std::int64_t first, std::int64_t last,
                            std::int64_t stride) {
        spec.subset.push_back({dimension, first, last + 1, stride});
    };
    const auto &levels = stream_.levels, &region = stream_.region;
    const int stride = stream_.stride;
    if (!levels.empty()) select("lev", levels[0], levels[1], levels.size() > 2 ? levels[2] : 1);
    if (!region.empty())
        select("lon", region[0], region[1], stride), select("lat", region[2], region[3], stride);
    if (region.empty() && stride > 1)
        select("lon", 0, globe_.nlon - 1, stride), select("lat", 0, globe_.nlat - 1, stride);
    return spec;
}

void HistoryDeclaration::declare_stations(io::StreamSpec &spec) const {
    io::Places places{.name = "station", .dimensions = {"lat", "lon"}, .count = std::ssize(stations)};
    std::size_t letters = 1;
    for (const Place &station : stations) {
        places.positions.push_back(station.j), places.positions.push_back(station.i);
        letters = std::max(letters, station.name.size());
    }
    spec.places.push_back(places);
    spec.dimensions.push_back({"station", places.count});
    io::Field name{"station_name", io::Type::text, {"station"}, {{"cf_role", "timeseries_id"}}, false};
    name.letters = static_cast<int>(letters);
    spec.fields.push_back(name);
    for (const auto &[what, units] : {std::pair("longitude", "degrees_east"), {"latitude", "degrees_north"}})
        spec.fields.push_back(
            {what, io::Type::f64, {"station"}, {{"standard_name", what}, {"units", units}}, false});
    spec.attributes.emplace_back("featureType", "timeSeriesProfile");
}

void HistoryDeclaration::declare_footprints(io::StreamSpec &spec) const {
    spec.dimensions.push_back({"footprint", footprints.most()});
    for (const auto &[what, units] : {std::pair("longitude", "degrees_east"), {"latitude", "degrees_north"}})
        spec.fields.push_back(
            {what, io::Type::f64, {"footprint"}, {{"standard_name", what}, {"units", units}}});
    std::string start = settings_.common.run.start;
    std::ranges::replace(start, 'T', ' ');
    spec.fields.push_back({"footprint_time",
                           io::Type::f64,
                           {"footprint"},
                           {{"long_name", "time of the footprint"}, {"units", "seconds since " + start}}});
}

void HistoryDeclaration::declare_field(io::StreamSpec &spec, const GlobeField &field) const {
    std::vector<std::string> dimensions;
    if (!field.is_number())
        dimensions =
            footprints.any() ? std::vector<std::string>{"footprint"} : std::vector<std::string>{"lat", "lon"};
    if (field.has_layers())
        dimensions.insert(footprints.any() ? dimensions.end() : dimensions.begin(), "lev");
    io::Field declared{field.name,
                       field.is_number() ? io::Type::f64 : io::Type::f32,
                       dimensions,
                       {{"long_name", field.long_name}, {"units", field.units}}};
    if (!field.standard_name.empty()) declared.attributes.emplace_back("standard_name", field.standard_name);
    const auto precision = stream_.precision.find(field.name);
    if (precision != stream_.precision.end()) declared.precision = precision->second;
    if (footprints.any() && !field.is_number())
        declared.attributes.emplace_back("coordinates", "footprint_time longitude latitude");
    if (makes() && !field.is_number()) {
        spec.sources.push_back({source_name(field.name), io::Type::f32, dimensions, {}});
        io::Reduction made{.of = source_name(field.name)};
        if (stations.empty())
            made.method = stream_.statistic, made.over = {"lon"};
        else
            made.method = stream_.interpolation, made.at = "station";
        declared.dimensions.clear();
        declared.reduction = made;
        if (stations.empty()) declared.attributes.emplace_back("coordinates", "lon");
        if (!stations.empty())
            declared.attributes.emplace_back("coordinates", "longitude latitude station_name");
    }
    spec.fields.push_back(declared);
}

} // namespace squall::transport
