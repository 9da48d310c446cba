#include "frames/history.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "output/stations.hpp"
#include "tracers/state.hpp"

namespace squall::transport {
namespace {

/// Name under which a field is put of which the stream makes another.
std::string source_name(const std::string &name) { return name + "_on_grid"; }

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

GlobeHistory::GlobeHistory(io::Session &session, const StreamConfig &stream, const Settings &settings,
                           const PatchOfGlobe &where, const Flow *flow, MPI_Comm comm)
    : stream_(stream), settings_(settings), where_(where), comm_(comm), field_values_(settings, where, flow),
      stations_(find_stations(stream, settings, where.globe())),
      footprints_(footprints_of(stream, settings, where.globe())),
      fields_(fields_of_stream(stream, settings)),
      columns_(stations_.empty() ? all_columns(where.patch().shape)
                                 : rows_around(stations_, where.patch(), 0)),
      out_(open_globe_stream(session, stream, settings, declare())) {
    put_fixed();
}

io::StreamSpec GlobeHistory::declare() {
    io::StreamSpec spec = globe_spec(stream_, settings_);
    declare_grid(spec, settings_, where_.globe(), axes());
    if (std::ranges::none_of(fields_, [](const GlobeField &f) { return f.name == "ps"; }))
        forget_surface(spec);
    if (!stations_.empty()) declare_stations(spec);
    if (footprints_.any()) declare_footprints(spec);
    for (const GlobeField &field : fields_) declare_field(spec, field);
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
        select("lon", 0, where_.globe().nlon - 1, stride), select("lat", 0, where_.globe().nlat - 1, stride);
    return spec;
}

void GlobeHistory::declare_stations(io::StreamSpec &spec) {
    io::Places places{.name = "station", .dimensions = {"lat", "lon"}, .count = std::ssize(stations_)};
    std::size_t letters = 1;
    for (const Place &station : stations_) {
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

void GlobeHistory::declare_footprints(io::StreamSpec &spec) const {
    spec.dimensions.push_back({"footprint", footprints_.most()});
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

void GlobeHistory::declare_field(io::StreamSpec &spec, const GlobeField &field) const {
    std::vector<std::string> dimensions;
    if (!field.is_number())
        dimensions = footprints_.any() ? std::vector<std::string>{"footprint"}
                                       : std::vector<std::string>{"lat", "lon"};
    if (field.has_layers())
        dimensions.insert(footprints_.any() ? dimensions.end() : dimensions.begin(), "lev");
    io::Field declared{field.name,
                       field.is_number() ? io::Type::f64 : io::Type::f32,
                       dimensions,
                       {{"long_name", field.long_name}, {"units", field.units}}};
    if (!field.standard_name.empty()) declared.attributes.emplace_back("standard_name", field.standard_name);
    const auto precision = stream_.precision.find(field.name);
    if (precision != stream_.precision.end()) declared.precision = precision->second;
    if (footprints_.any() && !field.is_number())
        declared.attributes.emplace_back("coordinates", "footprint_time longitude latitude");
    if (makes() && !field.is_number()) {
        spec.sources.push_back({source_name(field.name), io::Type::f32, dimensions, {}});
        io::Reduction made{.of = source_name(field.name)};
        if (stations_.empty())
            made.method = stream_.statistic, made.over = {"lon"};
        else
            made.method = stream_.interpolation, made.at = "station";
        declared.dimensions.clear();
        declared.reduction = made;
        if (stations_.empty()) declared.attributes.emplace_back("coordinates", "lon");
        if (!stations_.empty())
            declared.attributes.emplace_back("coordinates", "longitude latitude station_name");
    }
    spec.fields.push_back(declared);
}

void GlobeHistory::put_fixed() {
    put_grid(out_, settings_, where_, axes());
    if (stations_.empty() || where_.patch().x0 != 0 || where_.patch().y0 != 0) return;
    std::vector<std::string> names;
    std::vector<double> lon, lat;
    for (const Place &station : stations_) {
        names.push_back(station.name);
        lon.push_back(station.longitude), lat.push_back(station.latitude);
    }
    const io::Box all{{0}, {std::ssize(stations_)}};
    out_.put("station_name", all, names.data());
    out_.put("longitude", all, lon.data());
    out_.put("latitude", all, lat.data());
}

/// What all ranks know, on the rank of the first patch.
void GlobeHistory::put_footprints(io::Frame &frame, std::span<const Footprint> seen) const {
    if (where_.patch().x0 != 0 || where_.patch().y0 != 0) return;
    std::vector<double> of_footprints;
    const auto put_all = [&](const char *name, auto value) {
        of_footprints.assign(static_cast<std::size_t>(footprints_.most()), std::nan(""));
        std::ranges::transform(seen, of_footprints.begin(), value);
        frame.put(name, {{0}, {footprints_.most()}}, of_footprints.data());
    };
    put_all("footprint_time", [](const Footprint &f) { return f.seconds; });
    put_all("longitude", [](const Footprint &f) { return f.longitude; });
    put_all("latitude", [](const Footprint &f) { return f.latitude; });
}

/// Of each footprint the rank that has its cell; what a frame has fewer than others is not a number.
void GlobeHistory::put_seen(io::Frame &frame, const GlobeField &field, std::span<const Footprint> seen) {
    const Patch &patch = where_.patch();
    const bool layered = field.has_layers();
    const int depth = layered ? patch.shape.nz : 1;
    std::vector<float> column(static_cast<std::size_t>(depth));
    const auto put_column = [&](std::int64_t n) {
        frame.put(field.name, layered ? io::Box{{n, 0}, {1, depth}} : io::Box{{n}, {1}}, column.data());
    };
    for (std::size_t n = 0; n < seen.size(); ++n) {
        const int i = seen[n].i - patch.x0, j = seen[n].j - patch.y0;
        if (i < 0 || i >= patch.shape.nx || j < 0 || j >= patch.shape.ny) continue;
        for (int k = 0; k < depth; ++k)
            column[static_cast<std::size_t>(k)] =
                static_cast<float>(values_[static_cast<std::size_t>((j * depth + k) * patch.shape.nx + i)]);
        put_column(static_cast<std::int64_t>(n));
    }
    std::ranges::fill(column, std::nanf(""));
    if (patch.x0 == 0 && patch.y0 == 0)
        for (std::int64_t n = std::ssize(seen); n < footprints_.most(); ++n) put_column(n);
}

/// The columns of cells of a patch in which footprints lie, each once.
Columns GlobeHistory::columns_of(std::span<const Footprint> seen) const {
    std::vector<Place> cells(seen.size());
    for (std::size_t n = 0; n < seen.size(); ++n) cells[n].i = seen[n].i, cells[n].j = seen[n].j;
    return rows_around(cells, where_.patch(), 0);
}

void GlobeHistory::put(io::Frame &frame, const GlobeField &field, double seconds, const Block &block,
                       std::span<const Footprint> seen) {
    using Kind = GlobeField::Kind;
    if (field.is_number()) {
        const int of =
            field.kind == Kind::air_mass ? 0 : field_of(settings_.advection.moments(), field.tracer, 0);
        frame.set(field.name, total_mass(block, of, comm_));
        return;
    }
    field_values_.set(field, seconds, block, columns_, values_);
    if (footprints_.any()) return put_seen(frame, field, seen);
    const Patch &patch = where_.patch();
    frame.put(makes() ? source_name(field.name) : field.name, box_of(patch, field.has_layers()),
              values_.data(), strides_of(patch, field.has_layers()));
}

void GlobeHistory::write(double seconds, const Block &block) {
    const auto seen = footprints_.of_frame(seconds);
    if (footprints_.any()) columns_ = columns_of(seen);
    auto frame = out_.begin({seconds, settings_.common.run.start});
    if (footprints_.any()) put_footprints(frame, seen);
    for (const GlobeField &field : fields_) put(frame, field, seconds, block, seen);
    frame.commit();
}

} // namespace squall::transport
