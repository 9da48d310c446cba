#include "output/made.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "output/location.hpp"
#include "output/lonlatbox.hpp"
#include "output/made_names.hpp"
#include "output/trajectories.hpp"

namespace squall {
namespace {

std::vector<io::Attribute> vertical(const char *standard_name, const char *units, const char *positive) {
    return {{"standard_name", standard_name}, {"units", units}, {"axis", "Z"}, {"positive", positive}};
}

} // namespace

std::optional<LevelSet> levels_of(const StreamConfig &s) {
    if (!s.pressure_levels.empty())
        return LevelSet{LevelKind::pressure, "pressure_level", s.pressure_levels,
                        vertical("air_pressure", "Pa", "down")};
    if (!s.height_levels.empty())
        return LevelSet{LevelKind::height, "height_level", s.height_levels, vertical("altitude", "m", "up")};
    if (!s.ground_levels.empty())
        return LevelSet{LevelKind::ground, "ground_level", s.ground_levels, vertical("height", "m", "up")};
    if (!s.theta_levels.empty())
        return LevelSet{LevelKind::theta, "theta_level", s.theta_levels,
                        vertical("air_potential_temperature", "K", "up")};
    return std::nullopt;
}

std::string coordinate_name(Location where) {
    const char *points = where.faces == Faces::x              ? "on x faces"
                         : where.faces == Faces::y            ? "on y faces"
                         : where.levels == Levels::interfaces ? "between layers"
                                                              : "on layers";
    return fmt::format("the coordinate of the levels {}", points);
}

std::string weight_name(const std::string &weight, Faces faces) {
    return fmt::format("{} of {}", weight,
                       faces == Faces::x   ? "x faces"
                       : faces == Faces::y ? "y faces"
                                           : "cells");
}

Made::Made(const StreamConfig &stream, const Config &config, const Patch &patch, const Grid &grid,
           MPI_Comm comm)
    : stream_(stream), config_(config), patch_(patch), grid_(grid), comm_(comm) {
    if (!stream.stations.empty()) stations_ = locate_stations(stream, config, grid, patch, comm);
    if (!stream.trajectories.empty()) tracks_.emplace(stream, config).check(grid, patch, comm);
    if (stream.coarsen > 1) {
        middle_ = static_cast<double>(grid.lon(0, 0));
        MPI_Bcast(&middle_, 1, MPI_DOUBLE, 0, comm);
    }
    if (stream.on_levels()) layers_ = Array3(patch.shape), interfaces_ = Array3(patch.shape);
}

void Made::declare(io::StreamSpec &spec) {
    declare_made(spec, stream_, config_, stations_, tracks_ ? &*tracks_ : nullptr);
    spec_ = spec;
}

bool Made::puts(const std::string &name) const {
    return std::ranges::find(spec_.sources, name, &io::Field::name) != spec_.sources.end();
}

std::string Made::put_name(const std::string &field) const {
    if (!stream_.makes()) return field;
    if (const auto source = source_name(field); puts(source)) return source;
    const auto written = std::ranges::find(spec_.fields, field, &io::Field::name);
    return written == spec_.fields.end() || written->reduction ? "" : field;
}

void Made::put_fixed(io::Stream &stream) const {
    const bool first = patch_.cx == 0 && patch_.cy == 0;
    if (const auto levels = levels_of(stream_); levels && first)
        stream.put(levels->dimension, {{0}, {std::ssize(levels->values)}}, levels->values.data());
    put_areas(stream);
    put_inside(stream);
    if (tracks_ && first) stream.put("trajectory_name", {{0}, {tracks_->count()}}, tracks_->names().data());
    if (stations_.empty() || !first) return;
    const io::Box all{{0}, {std::ssize(stations_)}};
    std::vector<std::string> names;
    std::vector<double> longitude, latitude, altitude, x, y;
    for (const auto &s : stations_) {
        names.push_back(s.name);
        longitude.push_back(s.longitude), latitude.push_back(s.latitude), altitude.push_back(s.altitude);
        x.push_back((s.i + 0.5) * config_.domain.dx), y.push_back((s.j + 0.5) * config_.domain.dy);
    }
    stream.put("station_name", all, names.data());
    stream.put("longitude", all, longitude.data());
    stream.put("latitude", all, latitude.data());
    stream.put("altitude", all, altitude.data());
    stream.put("x", all, x.data());
    stream.put("y", all, y.data());
}

void Made::put_areas(io::Stream &stream) const {
    const Grid &g = grid_;
    const auto put = [&](Location where, ConstField2 mx, ConstField2 my) {
        const auto name = weight_name("area", where.faces);
        if (!puts(name)) return;
        const auto box = box_of(patch_, where);
        std::vector<double> area;
        for (int j = 0; j < box.count[0]; ++j)
            for (int i = 0; i < box.count[1]; ++i)
                area.push_back(static_cast<double>(g.dx) / static_cast<double>(mx(i, j)) *
                               (static_cast<double>(g.dy) / static_cast<double>(my(i, j))));
        stream.put(name, box, area.data());
    };
    put(at::plane, g.msftx.view(), g.msfty.view());
    put(at::plane_x_faces, g.msfux.view(), g.msfuy.view());
    put(at::plane_y_faces, g.msfvx.view(), g.msfvy.view());
}

void Made::put_inside(io::Stream &stream) const {
    if (!puts(inside_name)) return;
    const auto box = box_of(patch_, at::plane);
    std::vector<std::int8_t> inside;
    for (int j = 0; j < box.count[0]; ++j)
        for (int i = 0; i < box.count[1]; ++i)
            inside.push_back(lies_in(stream_.lonlatbox, static_cast<double>(grid_.lon(i, j)),
                                     static_cast<double>(grid_.lat(i, j))));
    stream.put(inside_name, box, inside.data());
}

/// Longitudes go on across the date line, so that their mean lies between them.
void Made::put_coordinates(io::Frame &frame) const {
    if (stream_.coarsen == 1) return;
    const auto box = box_of(patch_, at::plane);
    std::vector<double> latitude, longitude;
    for (int j = 0; j < box.count[0]; ++j)
        for (int i = 0; i < box.count[1]; ++i) {
            latitude.push_back(static_cast<double>(grid_.lat(i, j)));
            const auto lon = static_cast<double>(grid_.lon(i, j));
            longitude.push_back(lon - 360 * std::round((lon - middle_) / 360));
        }
    frame.put(source_name("XLAT"), box, latitude.data());
    frame.put(source_name("XLONG"), box, longitude.data());
}

void Made::put_masses(io::Frame &frame, const State &state) const {
    const auto name = weight_name("mass", Faces::none);
    if (!puts(name)) return;
    const auto box = box_of(patch_, at::plane);
    std::vector<double> mass; // of dry air, per gravity
    for (int j = 0; j < box.count[0]; ++j)
        for (int i = 0; i < box.count[1]; ++i)
            mass.push_back(static_cast<double>(state.mu(i, j) + grid_.mub(i, j)) /
                           (static_cast<double>(grid_.msftx(i, j)) * static_cast<double>(grid_.msfty(i, j))));
    frame.put(name, box, mass.data());
}

void Made::put_first(io::Frame &frame, double seconds, const State &state, const Array3 &p) {
    if (tracks_) put_trajectories(frame, seconds, *tracks_, state, grid_, patch_, comm_);
    put_coordinates(frame);
    put_masses(frame, state);
    if (!stream_.on_levels()) return;
    find_coordinate(state, p);
    const auto put = [&](Location where, ConstField3 values) {
        if (const auto name = coordinate_name(where); puts(name))
            put_points(frame, name, patch_, where, values);
    };
    put(at::cells, layers_.view());
    put(at::interfaces, interfaces_.view());
    for (const Location where : {at::x_faces, at::y_faces}) {
        if (!puts(coordinate_name(where))) continue;
        move_to_faces(where.faces);
        put(where, interfaces_.view()); // whose values have been put
    }
}

/// Between two cells, and at a side of the domain that is not periodic as in the last one.
void Made::move_to_faces(Faces faces) {
    const bool x = faces == Faces::x;
    const auto from = layers_.view();
    const auto to = interfaces_.view();
    const int last = x ? patch_.nx_domain : patch_.ny_domain, first = x ? patch_.x0 : patch_.y0;
    const bool around = x ? config_.domain.boundaries.west == Boundary::periodic
                          : config_.domain.boundaries.south == Boundary::periodic;
    for_each({0, patch_.shape.nx + x, 0, patch_.shape.ny + !x, 0, patch_.shape.nz}, [=](int i, int k, int j) {
        const int face = first + (x ? i : j);
        const int low = face == 0 && !around ? 0 : 1, high = face == last && !around ? 1 : 0;
        to(i, k, j) = x ? (from(i - low, k, j) + from(i - high, k, j)) / 2
                        : (from(i, k, j - low) + from(i, k, j - high)) / 2;
    });
}

/// With one row of the halo, for faces. Heights between layers are the model's own, those of layers lie in
/// the middle; with pressure it is the other way round, and at the ground and the top it goes on as between
/// the last two layers (WRF's cf1 to cf3 are for the ground alone).
void Made::find_coordinate(const State &state, const Array3 &p) {
    const auto kind = levels_of(stream_)->kind;
    const int nz = patch_.shape.nz;
    const auto low = layers_.view(), high = interfaces_.view();
    const auto ph = state.ph.view(), phb = grid_.phb.view(), pp = p.view(), pb = grid_.pb.view(),
               theta = state.theta.view();
    const auto terrain = grid_.terrain.view();
    const real weight_low = grid_.vertical.cf1, weight_next = grid_.vertical.cf2,
               weight_third = grid_.vertical.cf3;
    for_each_column({-1, patch_.shape.nx + 1, -1, patch_.shape.ny + 1, 0, 1}, [=, this](int i, int j) {
        if (kind == LevelKind::theta) {
            for (int k = 0; k < nz; ++k) low(i, k, j) = theta(i, k, j) + constants::theta0;
        } else if (kind == LevelKind::pressure) {
            for (int k = 0; k < nz; ++k) low(i, k, j) = pp(i, k, j) + pb(i, k, j);
            const auto &v = grid_.vertical;
            high(i, 0, j) =
                weight_low * low(i, 0, j) + weight_next * low(i, 1, j) + weight_third * low(i, 2, j);
            for (int k = 1; k < nz; ++k)
                high(i, k, j) = v.fnm[static_cast<std::size_t>(k)] * low(i, k, j) +
                                v.fnp[static_cast<std::size_t>(k)] * low(i, k - 1, j);
            high(i, nz, j) = v.p_top;
        } else {
            const real ground = kind == LevelKind::ground ? terrain(i, j) : 0;
            for (int k = 0; k <= nz; ++k)
                high(i, k, j) = (ph(i, k, j) + phb(i, k, j)) / constants::g - ground;
            for (int k = 0; k < nz; ++k) low(i, k, j) = (high(i, k, j) + high(i, k + 1, j)) / 2;
        }
    });
}

} // namespace squall
