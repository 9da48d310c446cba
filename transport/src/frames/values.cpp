#include "frames/values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "globe/ask_ahead.hpp"
#include "globe/rows.hpp"
#include "globe/scratch.hpp"
#include "tracers/amounts.hpp"
#include "tracers/state.hpp"

namespace squall::transport {
namespace {

std::size_t at(std::ptrdiff_t n) { return static_cast<std::size_t>(n); }

} // namespace

Columns all_columns(const Shape &s) {
    Columns rows;
    for (int j = 0; j < s.ny; ++j) rows.push_back({0, s.nx, j, j + 1, 0, s.nz});
    return rows;
}

/// `make(cells, k, row)` sets row[i] for cells.i0 <= i < cells.i1 in row cells.j0.
template <class T, class Make>
void FieldValues::layers(const Columns &columns, std::vector<T> &values, const Make &make) const {
    const Shape &s = where_.patch().shape;
    values.resize(at(s.nx) * at(s.ny) * at(s.nz));
    for_each_tile(columns, [&](const Range &c) {
        for (int k = 0; k < s.nz; ++k) make(c, k, values.data() + at(c.j0 * s.nz + k) * at(s.nx));
    });
}

/// Sums of a field of the block over layers, from the ground up, made a value by `end(sum, j)`.
template <class T, class End>
void FieldValues::sums(const Block &block, int field, const Columns &columns, std::vector<T> &values,
                       const End &end) const {
    const Shape &s = block.shape();
    values.resize(at(s.nx) * at(s.ny));
    for_each_tile(columns, [&](const Range &c) {
        std::vector<double> row(at(s.nx), 0.0);
        T *ends = values.data() + at(c.j0) * at(s.nx);
        for (int k = 0; k < s.nz; ++k) {
            const double *more = block.row(field, k, c.j0);
            ask_for_next(block, field, c, k);
            for (int i = c.i0; i < c.i1; ++i) row[at(i)] += more[i];
        }
        for (int i = c.i0; i < c.i1; ++i) ends[i] = static_cast<T>(end(row[at(i)], c.j0));
    });
}

/// The mean of each cell: times 1 / air, as for all tracers of some rows.
template <class T>
void FieldValues::mixing_ratios(const Block &block, int tracer, const Columns &columns,
                                std::vector<T> &values) const {
    const int mass_of = field_of(settings_.advection.moments(), tracer, 0);
    layers(columns, values, [&](const Range &c, int k, T *row) {
        const double *air = block.row(0, k, c.j0), *mass = block.row(mass_of, k, c.j0);
        ask_for_next(block, 0, c, k), ask_for_next(block, mass_of, c, k);
        for (int i = c.i0; i < c.i1; ++i) row[i] = static_cast<T>(mass[i] * (1 / air[i]));
    });
}

/// Row by row, in the order of the memory, 1 / air once for all tracers. What is wanted a few rows later is
/// asked for meanwhile: the processor finds it too late, since a tracer's other moments lie between.
void FieldValues::set_ratios(const std::vector<int> &tracers, const Block &block, int j0, int rows,
                             std::vector<float> &values) const {
    constexpr int piece = 16, cache_line = 8; // cells
    const Shape &s = block.shape();
    const Scheme scheme = settings_.advection.moments();
    values.resize(at(s.nx) * at(s.nz) * at(rows) * tracers.size());
    const std::ptrdiff_t ahead = 2 * std::ptrdiff_t(moments_of(scheme)) * s.nx;
    for_each_row(rows, [&](int r) {
        const int j = j0 + r;
        Scratch<double> per_air(at(s.nx));
        for (int k = 0; k < s.nz; ++k) {
            const double *air = block.row(0, k, j);
            for (int i = 0; i < s.nx; ++i) per_air[at(i)] = 1 / air[i];
            for (std::size_t n = 0; n < tracers.size(); ++n) {
                const double *mass = block.row(field_of(scheme, tracers[n], 0), k, j);
                float *to = values.data() + (at(rows) * n + at(r)) * at(s.nz * s.nx) + at(k * s.nx);
                for (int first = 0; first < s.nx; first += piece) {
                    const int last = std::min(first + piece, s.nx);
                    for (int i = first; i < last; i += cache_line) __builtin_prefetch(mass + ahead + i);
                    for (int i = first; i < last; ++i) to[i] = static_cast<float>(mass[i] * per_air[at(i)]);
                }
            }
        }
    });
}

/// [kg m-2], or Dobson units of a mixing ratio of moles.
template <class T>
void FieldValues::column_masses(const Block &block, int tracer, const Columns &columns,
                                std::vector<T> &values) const {
    const int mass_of = field_of(settings_.advection.moments(), tracer, 0);
    const bool moles = settings_.tracers[at(tracer)].amount == "mole";
    const double unit = moles ? dobson_per_mole / molar_mass_of_air : 1;
    sums(block, mass_of, columns, values, [&](double mass, int j) { return mass / where_.area(j) * unit; });
}

/// By the air that is there.
template <class T>
void FieldValues::surface_pressures(const Block &block, const Columns &columns,
                                    std::vector<T> &values) const {
    const double top = where_.levels().a.back();
    sums(block, 0, columns, values,
         [&](double mass, int j) { return top + mass * gravity / where_.area(j); });
}

/// Of layers [kg m-2].
template <class T>
void FieldValues::air(const Block &block, const Columns &columns, std::vector<T> &values) const {
    layers(columns, values, [&](const Range &c, int k, T *row) {
        for (int i = c.i0; i < c.i1; ++i)
            row[i] = static_cast<T>(block.row(0, k, c.j0)[i] / where_.area(c.j0));
    });
}

/// Of the middles of layers [Pa].
template <class T>
void FieldValues::pressures(const Block &block, const Columns &columns, std::vector<T> &values) const {
    std::vector<double> surface;
    surface_pressures(block, columns, surface);
    const int nx = block.shape().nx;
    const Levels &levels = where_.levels();
    layers(columns, values, [&](const Range &c, int k, T *row) {
        for (int i = c.i0; i < c.i1; ++i) {
            const double ps = surface[at(c.j0 * nx + i)];
            row[i] = static_cast<T>(0.5 * (levels.pressure(k, ps) + levels.pressure(k + 1, ps)));
        }
    });
}

/// NaN where there is no formula at this time.
template <class T> void FieldValues::exact(int number, double seconds, std::vector<T> &values) const {
    const TracerSettings &tracer = settings_.tracers[at(number)];
    const Shape &s = where_.patch().shape;
    const std::vector<double> ratios = exact_solution(where_, *flow_, shape_of(tracer.shape), seconds);
    values.resize(ratios.size());
    std::ranges::transform(ratios, values.begin(),
                           [&](double ratio) { return static_cast<T>(ratio * tracer.scale); });
    values.resize(at(s.nx) * at(s.ny) * at(s.nz), std::numeric_limits<T>::quiet_NaN());
}

/// A term without layers is the same in all.
template <class T>
void FieldValues::derived(const GlobeField &field, double seconds, const Block &block, const Columns &columns,
                          std::vector<T> &values) const {
    const Shape &s = block.shape();
    std::vector<std::vector<double>> terms(field.terms.size());
    for (std::size_t n = 0; n < terms.size(); ++n) set(field.terms[n], seconds, block, columns, terms[n]);
    const bool layered = std::ranges::any_of(field.terms, &GlobeField::has_layers);
    const int depth = layered ? s.nz : 1;
    std::vector<double> made(at(s.nx) * at(s.ny) * at(depth));
    for_each_tile(columns, [&](const Range &c) {
        std::vector<double> here(terms.size());
        for (int k = 0; k < depth; ++k)
            for (int i = c.i0; i < c.i1; ++i) {
                for (std::size_t n = 0; n < terms.size(); ++n) {
                    const int row = field.terms[n].has_layers() ? c.j0 * s.nz + k : c.j0;
                    here[n] = terms[n][at(row * s.nx + i)];
                }
                made[at((c.j0 * depth + k) * s.nx + i)] = field.expression(here);
            }
    });
    if (field.kernel) return seen(field, block, columns, made, values);
    values.resize(made.size());
    std::ranges::transform(made, values.begin(), [](double value) { return static_cast<T>(value); });
}

/// The mean over the layers of a column by their air, each times what the kernel has at its pressure.
template <class T>
void FieldValues::seen(const GlobeField &field, const Block &block, const Columns &columns,
                       const std::vector<double> &ratios, std::vector<T> &values) const {
    const Shape &s = block.shape();
    std::vector<double> pressure;
    pressures(block, columns, pressure);
    values.resize(at(s.nx) * at(s.ny));
    for_each_tile(columns, [&](const Range &c) {
        for (int i = c.i0; i < c.i1; ++i) {
            double sum = 0, mass = 0;
            for (int k = 0; k < s.nz; ++k) {
                const double own = block.row(0, k, c.j0)[i];
                const std::size_t n = at((c.j0 * s.nz + k) * s.nx + i);
                sum += field.kernel->at(pressure[n]) * ratios[n] * own;
                mass += own;
            }
            values[at(c.j0 * s.nx + i)] = static_cast<T>(sum / mass);
        }
    });
}

template <class T>
void FieldValues::set(const GlobeField &field, double seconds, const Block &block, const Columns &columns,
                      std::vector<T> &values) const {
    using Kind = GlobeField::Kind;
    switch (field.kind) {
    case Kind::mixing_ratio:
        return mixing_ratios(block, field.tracer, columns, values);
    case Kind::column:
        return column_masses(block, field.tracer, columns, values);
    case Kind::surface_pressure:
        return surface_pressures(block, columns, values);
    case Kind::air:
        return air(block, columns, values);
    case Kind::pressure:
        return pressures(block, columns, values);
    case Kind::derived:
        return derived(field, seconds, block, columns, values);
    default:
        return exact(field.tracer, seconds, values);
    }
}

template void FieldValues::set(const GlobeField &, double, const Block &, const Columns &,
                               std::vector<float> &) const;

} // namespace squall::transport
