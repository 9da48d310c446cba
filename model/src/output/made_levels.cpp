#include "output/made_levels.hpp"

#include <fmt/format.h>

#include "core/constants.hpp"
#include "core/loop.hpp"
#include "output/history_fields.hpp"
#include "output/made.hpp"
#include "physics/declared_state.hpp"

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
    constexpr real ratio = constants::rv_over_rd;
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
