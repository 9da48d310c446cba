#include "tracers/state.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "globe/rows.hpp"
#include "globe/scratch.hpp"
#include "tracers/terminator.hpp"

namespace squall::transport {
namespace {

/// Gauss's points from -1 to 1, and their weights, of which the sum is 1.
constexpr std::array<double, 3> points{-0.77459666924148338, 0, 0.77459666924148338};
constexpr std::array<double, 3> weights{5.0 / 18, 8.0 / 18, 5.0 / 18};

double p2(double x) { return 0.5 * (3 * x * x - 1); }

double middle(double low, double high, double x) { return 0.5 * (low + high) + 0.5 * (high - low) * x; }

/// The faces of a cell, in coordinates in which its mass is even: longitude, sine of latitude, pressure.
struct CellBox {
    double west, east, south, north, bottom, top;

    CellBox(const PatchOfGlobe &w, int i, int k, int j)
        : west(w.west(i)), east(west + 2 * pi / w.globe().nlon), south(std::sin(w.south(j))),
          north(std::sin(w.south(j + 1))), bottom(w.levels().pressure(k, w.surface(i, j))),
          top(w.levels().pressure(k + 1, w.surface(i, j))) {}
};

/// f(value, weight, xi, eta, zeta) at each of Gauss's points. `shape` gives the value at a place.
template <class Value, class F> void for_each_point(const CellBox &box, Value value, F f) {
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) {
            const double lat = std::asin(middle(box.south, box.north, points[b]));
            const Direction3 there = to_direction(middle(box.west, box.east, points[a]), lat);
            for (std::size_t c = 0; c < 3; ++c)
                f(value(there, height_of(middle(box.bottom, box.top, points[c]))),
                  weights[a] * weights[b] * weights[c], points[a], points[b], points[c]);
        }
}

/// In the order of memory, of mass 1.
std::array<double, 10> moments_in(const CellBox &box, const Shape3 &shape) {
    std::array<double, 10> m{};
    for_each_point(box, shape, [&](double q, double weight, double x, double y, double z) {
        const std::array<double, 10> basis{1,         3 * x,     3 * y,     3 * z,     5 * p2(x),
                                           5 * p2(y), 5 * p2(z), 9 * x * y, 9 * x * z, 9 * y * z};
        for (std::size_t n = 0; n < m.size(); ++n) m[n] += weight * q * basis[n];
    });
    return m;
}

} // namespace

void set_air(Block &block, const PatchOfGlobe &where) {
    const Shape &s = block.shape();
    for (int j = 0; j < s.ny; ++j)
        for (int k = 0; k < s.nz; ++k)
            for (int i = 0; i < s.nx; ++i) block.row(0, k, j)[i] = where.air(k, j, where.surface(i, j));
}

void set_tracer(Block &block, const PatchOfGlobe &where, Scheme scheme, int tracer, const NamedShape &shape,
                double scale) {
    const Shape &s = block.shape();
    const auto scaled = [&](const Direction3 &there, double z) { return scale * shape.value(there, z); };
    for_each_row(s.ny, [&](int j) {
        for (int i = 0; i < s.nx; ++i) {
            std::array<double, 10> moments{};
            for (int k = 0; k < s.nz; ++k) {
                if (shape.layered || k == 0) moments = moments_in(CellBox(where, i, k, j), scaled);
                for (int m = 0; m < moments_of(scheme); ++m)
                    block.row(field_of(scheme, tracer, m), k, j)[i] =
                        block.row(0, k, j)[i] * moments[static_cast<std::size_t>(m)];
            }
        }
    });
}

std::vector<double> exact_solution(const PatchOfGlobe &where, const Flow &flow, const NamedShape &shape,
                                   double time) {
    if (!flow.origin(to_direction(0, 0), time)) return {};
    const Shape &s = where.patch().shape;
    std::vector<double> values(static_cast<std::size_t>(s.nx * s.nz * s.ny));
    const auto now = [&](const Direction3 &there, double z) {
        return shape.value(*flow.origin(there, time), z);
    };
    for_each_row(s.ny, [&](int j) {
        for (int i = 0; i < s.nx; ++i) {
            double mean_value = 0;
            for (int k = 0; k < s.nz; ++k) {
                if (shape.layered || k == 0) {
                    mean_value = 0;
                    for_each_point(
                        CellBox(where, i, k, j), now,
                        [&](double q, double weight, double, double, double) { mean_value += weight * q; });
                }
                values[static_cast<std::size_t>((j * s.nz + k) * s.nx + i)] = mean_value;
            }
        }
    });
    return values;
}

namespace {

/// What reacts away takes its share of all moments along, and what it becomes has them.
void hand_over(const Scratch<double *> &from, const Scratch<double *> &to, int i, double kept,
               double per_unit) {
    for (std::size_t m = 0; m < from.size(); ++m) {
        to[m][i] += (1 - kept) * from[m][i] * per_unit;
        from[m][i] *= kept;
    }
}

Scratch<double *> moment_rows(Block &block, Scheme scheme, int tracer, int k, int j) {
    Scratch<double *> rows;
    for (int m = 0; m < moments_of(scheme); ++m) rows.push_back(block.row(field_of(scheme, tracer, m), k, j));
    return rows;
}

} // namespace

void react_terminator(Block &block, const PatchOfGlobe &where, Scheme scheme, int atoms, int molecules,
                      double step) {
    const Shape &s = block.shape();
    for_each_row(s.ny, [&](int j) {
        for (int k = 0; k < s.nz; ++k) {
            const double *air = block.row(0, k, j);
            const auto cl = moment_rows(block, scheme, atoms, k, j),
                       cl2 = moment_rows(block, scheme, molecules, k, j);
            for (int i = 0; i < s.nx; ++i) {
                const Chlorine before{cl[0][i] / air[i], cl2[0][i] / air[i]};
                const Chlorine after = react(before, where.lon(i), where.lat(j), step);
                if (after.molecules < before.molecules)
                    hand_over(cl2, cl, i, after.molecules / before.molecules, 2);
                else if (after.atoms < before.atoms)
                    hand_over(cl, cl2, i, after.atoms / before.atoms, 0.5);
            }
        }
    });
}

double total_mass(const Block &block, int field, MPI_Comm comm) {
    const Shape &s = block.shape();
    Scratch<ExactSum> of_rows(static_cast<std::size_t>(s.ny));
    for_each_row(s.ny, [&](int j) {
        ExactSum &sum = of_rows[static_cast<std::size_t>(j)];
        for (int k = 0; k < s.nz; ++k) sum.add(block.row(field, k, j), static_cast<std::size_t>(s.nx));
    });
    ExactSum sum;
    for (const ExactSum &of_row : of_rows) sum += of_row;
    std::array<std::int64_t, 2> parts{sum.coarse(), sum.fine()};
    MPI_Allreduce(MPI_IN_PLACE, parts.data(), 2, MPI_INT64_T, MPI_SUM, comm);
    return ExactSum::of(parts[0], parts[1]).value();
}

std::string find_fault(const Block &block, const Patch &patch, Scheme scheme,
                       const std::vector<std::string> &names) {
    const Shape &s = block.shape();
    for (int f = 0; f < block.fields(); f += f == 0 ? 1 : moments_of(scheme))
        for (int j = 0; j < s.ny; ++j)
            for (int k = 0; k < s.nz; ++k)
                for (int i = 0; i < s.nx; ++i) {
                    const double value = block.row(f, k, j)[i];
                    if (std::isfinite(value) && (f > 0 || value > 0)) continue;
                    const std::string what =
                        f == 0 ? "the air"
                               : fmt::format("tracer \"{}\"",
                                             names[static_cast<std::size_t>((f - 1) / moments_of(scheme))]);
                    return fmt::format("{} is {} kg in cell ({}, {}, {}), counted from 0 east, north and up",
                                       what, value, patch.x0 + i, patch.y0 + j, k);
                }
    return "";
}

} // namespace squall::transport
