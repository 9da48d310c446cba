#include "output/made.hpp"

#include <algorithm>
#include <cmath>

#include "output/cell_mask.hpp"
#include "output/location.hpp"
#include "output/lonlatbox.hpp"
#include "output/made_axes.hpp"
#include "output/made_levels.hpp"
#include "output/made_names.hpp"

namespace squall {

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

} // namespace squall
