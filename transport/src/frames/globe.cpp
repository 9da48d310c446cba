#include "frames/globe.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/see.hpp"
#include "output/stream.hpp"

namespace squall::transport {
namespace {

using Attributes = std::vector<io::Attribute>;
using Reals = std::vector<double>;

constexpr double degrees = 180 / pi;

Reals in_degrees(Reals radians) {
    for (double &x : radians) x *= degrees;
    return radians;
}

Reals middles(const Reals &interfaces) {
    Reals result;
    for (std::size_t k = 0; k + 1 < interfaces.size(); ++k)
        result.push_back(0.5 * (interfaces[k] + interfaces[k + 1]));
    return result;
}

io::Field coordinate(const std::string &name, const std::vector<std::string> &dimensions,
                     Attributes attributes) {
    return {name, io::Type::f64, dimensions, std::move(attributes), false};
}

Attributes level_attributes(const Settings &settings) {
    if (settings.levels.coordinate == "pressure")
        return {{"standard_name", "air_pressure"}, {"units", "Pa"}, {"positive", "down"}, {"axis", "Z"}};
    return {{"standard_name", "atmosphere_hybrid_sigma_pressure_coordinate"},
            {"units", "1"},
            {"positive", "down"},
            {"axis", "Z"},
            {"computed_standard_name", "air_pressure"},
            {"formula_terms", "ap: ap b: b ps: ps"}};
}

Reals level_values(const Settings &settings, const Levels &levels) {
    Reals values;
    const Reals a = middles(levels.a), b = middles(levels.b);
    const double unit = settings.levels.coordinate == "pressure" ? 1 : levels.reference;
    for (std::size_t k = 0; k < a.size(); ++k) values.push_back((a[k] + b[k] * levels.reference) / unit);
    return values;
}

void put_line(io::Stream &stream, const std::string &name, const Reals &values) {
    stream.put(name, {{0}, {std::ssize(values)}}, values.data());
}

void put_bounds(io::Stream &stream, const std::string &name, const Reals &faces) {
    Reals pairs;
    for (std::size_t i = 0; i + 1 < faces.size(); ++i)
        pairs.push_back(faces[i]), pairs.push_back(faces[i + 1]);
    stream.put(name, {{0, 0}, {std::ssize(faces) - 1, 2}}, pairs.data());
}

} // namespace

io::StreamSpec globe_spec(const StreamConfig &stream, const Settings &settings) {
    io::StreamSpec spec = stream_spec(stream, settings.common);
    spec.record_dimension = "time";
    std::string epoch = settings.common.run.start;
    std::ranges::replace(epoch, 'T', ' ');
    spec.time = io::TimeAxis{.units = "seconds since " + epoch};
    spec.attributes = {{"Conventions", "CF-1.8"},
                       {"title", settings.common.run.name},
                       {"source", "squall-transport " SQUALL_VERSION},
                       {"history", "written by squall-transport " SQUALL_VERSION},
                       {settings.wind.file.empty() ? "flow" : "winds",
                        settings.wind.file.empty() ? settings.wind.flow : settings.wind.file},
                       {"scheme", settings.advection.scheme},
                       {"limiter", settings.advection.limiter}};
    return spec;
}

void declare_grid(io::StreamSpec &spec, const Settings &settings, const GlobeGrid &globe, Axes axes) {
    spec.dimensions = {{level_dimension, settings.levels.nz},
                       {lat_dimension, globe.nlat},
                       {lon_dimension, globe.nlon},
                       {"bnds", 2}};
    spec.fields = {coordinate("lev", {"lev"}, level_attributes(settings)),
                   coordinate("ap", {"lev"}, {{"long_name", "a of p = a + b ps"}, {"units", "Pa"}}),
                   coordinate("b", {"lev"}, {{"long_name", "b of p = a + b ps"}, {"units", "1"}})};
    const auto add = [&](const std::string &name, const char *standard, const char *units, const char *axis) {
        spec.fields.push_back(coordinate(
            name, {name},
            {{"standard_name", standard}, {"units", units}, {"axis", axis}, {"bounds", name + "_bnds"}}));
        spec.fields.push_back(coordinate(name + "_bnds", {name, "bnds"}, {}));
    };
    if (axes.lat) add("lat", "latitude", "degrees_north", "Y");
    if (axes.lon) add("lon", "longitude", "degrees_east", "X");
    if (axes.lat && !axes.lon)
        spec.fields.push_back(
            coordinate("lon", {}, {{"standard_name", "longitude"}, {"units", "degrees_east"}}));
}

void forget_surface(io::StreamSpec &spec) {
    const std::vector<std::string> of_surface{"standard_name", "computed_standard_name", "formula_terms"};
    for (io::Field &field : spec.fields)
        if (field.name == "lev" && std::ranges::find(field.attributes, "formula_terms",
                                                     &io::Attribute::name) != field.attributes.end()) {
            std::erase_if(field.attributes, [&](const io::Attribute &a) {
                return std::ranges::find(of_surface, a.name) != of_surface.end();
            });
            field.attributes.emplace_back("long_name", "hybrid level");
        }
}

void put_grid(io::Stream &stream, const Settings &settings, const PatchOfGlobe &where, Axes axes) {
    if (where.patch().x0 != 0 || where.patch().y0 != 0) return;
    const GlobeGrid &globe = where.globe();
    put_line(stream, "lev", level_values(settings, where.levels()));
    put_line(stream, "ap", middles(where.levels().a));
    put_line(stream, "b", middles(where.levels().b));
    if (axes.lat) put_line(stream, "lat", in_degrees(globe.lat));
    if (axes.lat) put_bounds(stream, "lat_bnds", in_degrees(globe.lat_faces));
    if (axes.lon) put_line(stream, "lon", in_degrees(globe.lon));
    if (axes.lon) put_bounds(stream, "lon_bnds", in_degrees(globe.lon_faces));
    const double middle = 180;
    if (axes.lat && !axes.lon) stream.put("lon", {}, &middle);
}

io::Box box_of(const Patch &p, bool layers) {
    if (!layers) return {{p.y0, p.x0}, {p.shape.ny, p.shape.nx}};
    return {{0, p.y0, p.x0}, {p.shape.nz, p.shape.ny, p.shape.nx}};
}

io::Strides strides_of(const Patch &p, bool layers) {
    const std::ptrdiff_t row = p.shape.nx;
    if (!layers) return {row, 1};
    return {row, row * p.shape.nz, 1};
}

io::Stream open_globe_stream(io::Session &session, const StreamConfig &stream, const Settings &settings,
                             const io::StreamSpec &spec) {
    auto opened = spec;
    opened.append = !settings.common.run.restart_from.empty() && stream.frames_per_file > 1;
    try {
        return session.open(opened);
    } catch (const io::Error &e) {
        throw ConfigError(see(
            fmt::format("{}:{}: [output.{}]: {}", settings.common.file, stream.line, stream.name, e.what()),
            "output"));
    }
}

} // namespace squall::transport
