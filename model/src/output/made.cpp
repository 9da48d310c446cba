#include "output/made.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "output/cell_mask.hpp"
#include "output/history_fields.hpp"
#include "output/location.hpp"
#include "output/lonlatbox.hpp"
#include "output/made_axes.hpp"
#include "output/made_names.hpp"
#include "physics/declared_state.hpp"

namespace squall {
namespace {

std::vector<io::Attribute> vertical(const char *standard_name, const char *units, const char *positive) {
    return {{"standard_name", standard_name}, {"units", units}, {"axis", "Z"}, {"positive", positive}};
}

/// On the ground [m2].
double area_of_cell(const Grid &g, int i, int j) {
    return static_cast<double>(g.dx) / static_cast<double>(g.msftx(i, j)) *
           (static_cast<double>(g.dy) / static_cast<double>(g.msfty(i, j)));
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

WeightKind weight_kind(const StreamConfig &stream) {
    if (stream.weight == "area") return WeightKind::area;
    return stream.average == "column" ? WeightKind::mass_per_area : WeightKind::mass;
}

std::string weight_name(WeightKind kind, Location where) {
    if (kind == WeightKind::area)
        return fmt::format("area of {}", where.faces == Faces::x   ? "x faces"
                                         : where.faces == Faces::y ? "y faces"
                                                                   : "cells");
    return fmt::format("{} of dry air {}", kind == WeightKind::mass ? "mass" : "mass per area",
                       where.levels == Levels::layers       ? "in cells"
                       : where.levels == Levels::interfaces ? "around interfaces"
                                                            : "in columns");
}

std::string unit_of(WeightKind kind) {
    return kind == WeightKind::area ? "m2" : kind == WeightKind::mass ? "kg" : "kg m-2";
}

std::optional<PlaceSet> places_of(const std::vector<Place> &stations, const Tracks *tracks) {
    if (tracks) return PlaceSet{true, tracks->have_altitudes(), tracks->names(), {}};
    if (stations.empty()) return std::nullopt;
    PlaceSet set;
    for (const auto &s : stations) {
        set.names.push_back(s.name);
        set.positions.insert(set.positions.end(), {s.j, s.i});
        set.own_altitudes = !std::isnan(s.own_altitude);
    }
    return set;
}

Made::Made(const StreamConfig &stream, const Config &config, const Patch &patch, const Grid &grid,
           MPI_Comm comm)
    : stream_(stream), config_(config), patch_(patch), grid_(grid), comm_(comm) {
    if (!stream.stations.empty()) stations_ = locate_stations(stream, config, grid, patch, comm);
    if (!stream.trajectories.empty()) tracks_.emplace(stream, config).check(grid, patch, comm);
    places_ = places_of(stations_, tracks_ ? &*tracks_ : nullptr);
    if (stream.mask != "none") mask_ = read_cell_mask(stream, config, patch, comm);
    if (stream.coarsen > 1) {
        middle_ = patch.cx == 0 && patch.cy == 0 ? static_cast<double>(grid.lon(0, 0)) : -1e3;
        MPI_Allreduce(MPI_IN_PLACE, &middle_, 1, MPI_DOUBLE, MPI_MAX, comm);
    }
    if (stream.on_levels()) layers_ = Array3(patch.shape), interfaces_ = Array3(patch.shape);
}

void Made::declare(io::StreamSpec &spec) {
    declare_made(spec, stream_, config_, places_);
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
    if (first) put_axes(stream, spec_, stream_, config_.domain, grid_);
    put_areas(stream);
    put_counting(stream);
    if (!places_ || !first) return;
    put_names(stream, *places_);
    if (!places_->move) put_where(stream, *places_, stations_, grid_);
}

void Made::put_areas(io::Stream &stream) const {
    const Grid &g = grid_;
    const auto put = [&](Location where, ConstField2 mx, ConstField2 my) {
        const auto name = weight_name(WeightKind::area, where);
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

/// Of an average or a coarser grid: cells in the region, in the lonlatbox, and of the mask.
void Made::put_counting(io::Stream &stream) const {
    if (!puts(counting_name)) return;
    const auto box = box_of(patch_, at::plane);
    std::vector<std::int8_t> counting(static_cast<std::size_t>(box.count[0] * box.count[1]), 1);
    const auto keep = [&](auto counts) {
        auto cell = counting.begin();
        for (int j = 0; j < box.count[0]; ++j)
            for (int i = 0; i < box.count[1]; ++i, ++cell) *cell = *cell != 0 && counts(i, j);
    };
    const auto &region = stream_.region;
    if (!region.empty())
        keep([&](int i, int j) {
            const int x = patch_.x0 + i, y = patch_.y0 + j;
            return x >= region[0] && x <= region[1] && y >= region[2] && y <= region[3];
        });
    if (!stream_.lonlatbox.empty())
        keep([&](int i, int j) {
            return lies_in(stream_.lonlatbox, static_cast<double>(grid_.lon(i, j)),
                           static_cast<double>(grid_.lat(i, j)));
        });
    if (!mask_.empty())
        keep([&](int i, int j) { return mask_[static_cast<std::size_t>(j * box.count[1] + i)] != 0; });
    stream.put(counting_name, box, counting.data());
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

/// Of dry air, of which a layer's pressure is C1H (MU + MUB) + C2H times its depth in the coordinate, and a
/// column's MU + MUB. Around an interface there is half of the layer on either side.
void Made::put_masses(io::Frame &frame, const State &state) const {
    if (stream_.weight != "mass") return;
    const Grid &grid = grid_;
    const auto &v = grid.vertical;
    const auto layer = [&](std::size_t k, double column) {
        return k < v.dnw.size() ? -static_cast<double>(v.dnw[k]) *
                                      (static_cast<double>(v.c1h[k]) * column + static_cast<double>(v.c2h[k]))
                                : 0;
    };
    const auto put = [&](Location where, auto pressure) {
        const auto kind = weight_kind(stream_);
        const auto name = weight_name(kind, where);
        if (!puts(name)) return;
        const auto box = box_of(patch_, where);
        const std::int64_t levels = where.levels == Levels::none ? 1 : box.count[0];
        const std::int64_t ny = *(box.count.end() - 2), nx = box.count.back();
        std::vector<double> mass;
        mass.reserve(static_cast<std::size_t>(levels * ny * nx));
        for (std::int64_t k = 0; k < levels; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i) {
                    const double area = kind == WeightKind::mass ? area_of_cell(grid, i, j) : 1;
                    const double column = static_cast<double>(state.mu(i, j) + grid.mub(i, j));
                    mass.push_back(pressure(static_cast<std::size_t>(k), column) * area /
                                   static_cast<double>(constants::g));
                }
        frame.put(name, box, mass.data());
    };
    put(at::plane, [](std::size_t, double column) { return column; });
    put(at::cells, layer);
    put(at::interfaces, [&](std::size_t k, double column) {
        return (layer(k, column) + (k > 0 ? layer(k - 1, column) : 0)) / 2;
    });
}

/// Where they are, before any field. With the halo of `state.ph`.
void Made::put_trajectories(io::Frame &frame, double seconds, const State &state) const {
    const auto places = tracks_->at(seconds, grid_, patch_, comm_);
    std::vector<double> layers, positions;
    if (places_->between_layers) layers = layers_at(places, state, grid_, patch_, comm_);
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (!layers.empty()) positions.push_back(layers[p]);
        positions.insert(positions.end(), {places[p].j, places[p].i});
    }
    frame.places(places_->dimension(), positions);
    if (patch_.cx == 0 && patch_.cy == 0) put_where(frame, *places_, places, grid_, seconds);
}

void Made::put_first(io::Frame &frame, double seconds, const State &state, const Array3 &p) {
    if (tracks_) put_trajectories(frame, seconds, state);
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
    const bool moist = integrates_moist_theta(config_); // isentropes are of dry air's, as T in the file
    constexpr real ratio = constants::r_v / constants::r_d;
    const auto vapour =
        moist ? state.scalars[static_cast<std::size_t>(scalars_of(config_).vapour)].view() : theta;
    const auto terrain = grid_.terrain.view();
    const real weight_low = grid_.vertical.cf1, weight_next = grid_.vertical.cf2,
               weight_third = grid_.vertical.cf3;
    for_each_column({-1, patch_.shape.nx + 1, -1, patch_.shape.ny + 1, 0, 1}, [=, this](int i, int j) {
        if (kind == LevelKind::theta) {
            for (int k = 0; k < nz; ++k)
                low(i, k, j) =
                    (theta(i, k, j) + constants::theta0) / (moist ? 1 + ratio * vapour(i, k, j) : 1);
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
