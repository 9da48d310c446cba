#include "frames/history.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "output/stations.hpp"
#include "tracers/amounts.hpp"
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

/// Values of all layers, as (j, k, i), of which `make` sets a row of i.
template <class Make> std::vector<double> of_layers(const Shape &s, Make make) {
    std::vector<double> values(static_cast<std::size_t>(s.nx) * s.ny * s.nz);
    double *row = values.data();
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k, row += s.nx) make(j, k, row);
    return values;
}

} // namespace

GlobeHistory::GlobeHistory(io::Session &session, const StreamConfig &stream, const Settings &settings,
                           const PatchOfGlobe &where, const Flow *flow, MPI_Comm comm)
    : stream_(stream), settings_(settings), where_(where), flow_(flow), comm_(comm),
      stations_(find_stations(stream, settings, where.globe())), fields_(fields_of_stream(stream, settings)),
      out_(open_globe_stream(session, stream, settings, declare())) {
    put_fixed();
}

io::StreamSpec GlobeHistory::declare() {
    io::StreamSpec spec = globe_spec(stream_, settings_);
    declare_grid(spec, settings_, where_.globe(), axes());
    if (std::ranges::none_of(fields_, [](const GlobeField &f) { return f.name == "ps"; }))
        forget_surface(spec);
    if (!stations_.empty()) declare_stations(spec);
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

void GlobeHistory::declare_field(io::StreamSpec &spec, const GlobeField &field) const {
    std::vector<std::string> dimensions;
    if (!field.is_number()) dimensions = {"lat", "lon"};
    if (field.has_layers()) dimensions.insert(dimensions.begin(), "lev");
    io::Field declared{field.name,
                       field.is_number() ? io::Type::f64 : io::Type::f32,
                       dimensions,
                       {{"long_name", field.long_name}, {"units", field.units}}};
    if (!field.standard_name.empty()) declared.attributes.emplace_back("standard_name", field.standard_name);
    const auto precision = stream_.precision.find(field.name);
    if (precision != stream_.precision.end()) declared.precision = precision->second;
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

/// The mean of each cell, as (j, k, i).
std::vector<double> GlobeHistory::mixing_ratios(const Block &block, int tracer) const {
    const int mass_of = field_of(settings_.advection.moments(), tracer, 0), nx = block.shape().nx;
    return of_layers(block.shape(), [&](int j, int k, double *row) {
        const double *air = block.row(0, k, j), *mass = block.row(mass_of, k, j);
        for (int i = 0; i < nx; ++i) row[i] = mass[i] / air[i];
    });
}

/// As (j, i) [kg m-2], or Dobson units of a mixing ratio of moles.
std::vector<double> GlobeHistory::columns(const Block &block, int tracer) const {
    const Shape &s = block.shape();
    const bool moles = settings_.tracers[static_cast<std::size_t>(tracer)].amount == "mole";
    std::vector<double> values;
    for (int j = 0; j < s.ny; ++j)
        for (int i = 0; i < s.nx; ++i) {
            double mass = 0;
            for (int k = 0; k < s.nz; ++k)
                mass += block.row(field_of(settings_.advection.moments(), tracer, 0), k, j)[i];
            values.push_back(mass / where_.area(j) * (moles ? dobson_per_mole / molar_mass_of_air : 1));
        }
    return values;
}

/// By the air that is there, as (j, i).
std::vector<double> GlobeHistory::surface_pressures(const Block &block) const {
    const Shape &s = block.shape();
    const double top = where_.levels().a.back();
    std::vector<double> values;
    for (int j = 0; j < s.ny; ++j)
        for (int i = 0; i < s.nx; ++i) {
            double mass = 0;
            for (int k = 0; k < s.nz; ++k) mass += block.row(0, k, j)[i];
            values.push_back(top + mass * gravity / where_.area(j));
        }
    return values;
}

/// Of layers, as (j, k, i) [kg m-2].
std::vector<double> GlobeHistory::air(const Block &block) const {
    return of_layers(block.shape(), [&](int j, int k, double *row) {
        for (int i = 0; i < block.shape().nx; ++i) row[i] = block.row(0, k, j)[i] / where_.area(j);
    });
}

/// Of the middles of layers, as (j, k, i) [Pa].
std::vector<double> GlobeHistory::pressures(const Block &block) const {
    const std::vector<double> surface = surface_pressures(block);
    const int nx = block.shape().nx;
    return of_layers(block.shape(), [&](int j, int k, double *row) {
        const Levels &levels = where_.levels();
        for (int i = 0; i < nx; ++i) {
            const double ps = surface[static_cast<std::size_t>(j * nx + i)];
            row[i] = 0.5 * (levels.pressure(k, ps) + levels.pressure(k + 1, ps));
        }
    });
}

/// NaN where there is no formula at this time.
std::vector<double> GlobeHistory::exact(const Block &block, int number, double seconds) const {
    const TracerSettings &tracer = settings_.tracers[static_cast<std::size_t>(number)];
    std::vector<double> values = exact_solution(where_, *flow_, shape_of(tracer.shape), seconds);
    for (double &value : values) value *= tracer.scale;
    values.resize(mixing_ratios(block, number).size(), std::nan(""));
    return values;
}

/// As (j, k, i) or (j, i); a term without layers is the same in all.
std::vector<double> GlobeHistory::derived(const GlobeField &field, double seconds, const Block &block) const {
    const Shape &s = block.shape();
    std::vector<std::vector<double>> terms;
    for (const GlobeField &term : field.terms) terms.push_back(values_of(term, seconds, block));
    const int layers = field.has_layers() ? s.nz : 1;
    std::vector<double> values, here(terms.size());
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < layers; ++k)
            for (int i = 0; i < s.nx; ++i) {
                for (std::size_t n = 0; n < terms.size(); ++n) {
                    const int row = field.terms[n].has_layers() ? j * s.nz + k : j;
                    here[n] = terms[n][static_cast<std::size_t>(row * s.nx + i)];
                }
                values.push_back(field.expression(here));
            }
    return values;
}

std::vector<double> GlobeHistory::values_of(const GlobeField &field, double seconds,
                                            const Block &block) const {
    using Kind = GlobeField::Kind;
    switch (field.kind) {
    case Kind::mixing_ratio:
        return mixing_ratios(block, field.tracer);
    case Kind::column:
        return columns(block, field.tracer);
    case Kind::surface_pressure:
        return surface_pressures(block);
    case Kind::air:
        return air(block);
    case Kind::pressure:
        return pressures(block);
    case Kind::derived:
        return derived(field, seconds, block);
    default:
        return exact(block, field.tracer, seconds);
    }
}

void GlobeHistory::put(io::Frame &frame, const GlobeField &field, double seconds, const Block &block) const {
    using Kind = GlobeField::Kind;
    if (field.is_number()) {
        const int of =
            field.kind == Kind::air_mass ? 0 : field_of(settings_.advection.moments(), field.tracer, 0);
        frame.set(field.name, total_mass(block, of, comm_));
        return;
    }
    const std::vector<double> values = values_of(field, seconds, block);
    const Patch &patch = where_.patch();
    frame.put(makes() ? source_name(field.name) : field.name, box_of(patch, field.has_layers()),
              values.data(), strides_of(patch, field.has_layers()));
}

void GlobeHistory::write(double seconds, const Block &block) {
    auto frame = out_.begin({seconds, settings_.common.run.start});
    for (const GlobeField &field : fields_) put(frame, field, seconds, block);
    frame.commit();
}

} // namespace squall::transport
