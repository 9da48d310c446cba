#include "nesting/nest_map.hpp"

#include <array>
#include <cmath>

#include "core/loop.hpp"
#include "grid/on_earth.hpp"
#include "nesting/interpolation.hpp"

namespace squall {
namespace {

class MapOfNest {
  public:
    MapOfNest(const ParentWindow &window, const NestPlace &place, const Patch &patch)
        : window_(window), patch_(patch),
          interpolator_(place), vector_{component(), component(), component()}, there_(window.grid().shape) {}

    void take(const Array2 &from, Array2 &to, Points kind = Points::cells) {
        const Field2 v = to.view();
        const Range points{patch_.x0, patch_.x0 + patch_.shape.nx + (kind == Points::x_faces),
                           patch_.y0, patch_.y0 + patch_.shape.ny + (kind == Points::y_faces),
                           0,         1};
        interpolator_.set(kind, window_.in_parent(from.view()), points,
                          in_domain(Field3{v.origin, 0, v.sj}, patch_.x0, patch_.y0));
    }

    /// Hands the nest's cells, f(i, j, vector), what of(i, j) is in those of the window.
    template <class Of, class F> void with_vectors(Of of, F f) {
        const Shape &window = window_.grid().shape;
        for (std::size_t n = 0; n < 3; ++n) {
            for_each_column({0, window.nx, 0, window.ny},
                            [&](int i, int j) { there_(i, j) = real(of(i, j)[n]); });
            take(there_, vector_[n]);
        }
        for_each_column({0, patch_.shape.nx, 0, patch_.shape.ny}, [&](int i, int j) {
            f(i, j,
              EarthVector{double(vector_[0](i, j)), double(vector_[1](i, j)), double(vector_[2](i, j))});
        });
    }

  private:
    Array2 component() const { return Array2(patch_.shape); }

    const ParentWindow &window_;
    const Patch &patch_;
    Interpolator interpolator_;
    std::array<Array2, 3> vector_;
    Array2 there_;
};

} // namespace

void lay_map(const ParentWindow &window, const NestPlace &place, const Patch &patch, Grid &g) {
    const Grid &w = window.grid();
    MapOfNest map(window, place, patch);
    map.take(w.msftx, g.msftx), map.take(w.msfty, g.msfty);
    map.take(w.msfux, g.msfux, Points::x_faces), map.take(w.msfuy, g.msfuy, Points::x_faces);
    map.take(w.msfvx, g.msfvx, Points::y_faces), map.take(w.msfvy, g.msfvy, Points::y_faces);
    map.take(w.f, g.f);

    const auto at = [](const Grid &grid, int i, int j) {
        return PlaceOnEarth(double(grid.lat(i, j)), double(grid.lon(i, j)));
    };
    map.with_vectors([&](int i, int j) { return at(w, i, j).up; },
                     [&](int i, int j, const EarthVector &up) {
                         const auto [latitude, longitude] = place_of(up);
                         g.lat(i, j) = real(latitude), g.lon(i, j) = real(longitude);
                     });
    // Along x of the grid.
    map.with_vectors(
        [&](int i, int j) {
            const PlaceOnEarth here = at(w, i, j);
            return sum_of(double(w.cosa(i, j)), here.east, double(w.sina(i, j)), here.north);
        },
        [&](int i, int j, const EarthVector &along) {
            const PlaceOnEarth here = at(g, i, j);
            const double east = dot(along, here.east), north = dot(along, here.north);
            const double length = std::hypot(east, north);
            g.cosa(i, j) = real(length > 0 ? east / length : 1);
            g.sina(i, j) = real(length > 0 ? north / length : 0);
        });
    // The part of the Earth's rotation that lies in the ground.
    map.with_vectors(
        [&](int i, int j) { return sum_of(double(w.e(i, j)), at(w, i, j).north, 0, {}); },
        [&](int i, int j, const EarthVector &flat) { g.e(i, j) = real(std::sqrt(dot(flat, flat))); });
}

} // namespace squall
