/// The long waves of fields of a whole domain: what is left of them by a filter that takes out all Fourier
/// components but the first few of its width and length (Miguez-Macho, Stenchikov and Robock 2004,
/// J. Geophys. Res. 109, D13104; WRF's spectral nudging).
///
/// The filter is a projection in each direction: of n cells, and one more point that counts as 0, as in WRF,
///   f(x) = 1/N sum_x' (1 + 2 sum_m cos(2 pi m (x - x') / N)) f(x'),  N = n + 1, m = 1 ... waves
/// Only 2 waves + 1 components are wanted, so they are summed up directly. Terms are rounded to whole
/// numbers, whose sums are the same in any order: the bits depend neither on ranks, threads nor tiles. A
/// field's values have 27 bits, between plus and minus what it is at most; waves have 18 bits after the
/// point.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <mpi.h>
#include <omp.h>

#include "core/real.hpp"
#include "parallel/decomposition.hpp"
#include "parallel/tasks.hpp"

namespace squall {

class LongWaves {
  public:
    /// Domains are at most so many cells wide and long, that sums fit.
    static constexpr int most_cells = 8192;

    /// Of `fields` fields with `levels` levels. `waves_x`, `waves_y`: the shortest that are left, 0 for the
    /// mean alone, at most half of the cells.
    LongWaves(const Patch &patch, MPI_Comm comm, int waves_x, int waves_y, int fields, int levels);

    /// Takes the owned cells of a field, at level k the value value(i, k, j), of which what is beyond
    /// `largest` counts as that.
    template <class F> void take(int field, double largest, F value) {
        const Whole whole(largest);
        scale_[static_cast<std::size_t>(field)] = whole.quantum;
        for_each_task(levels_, [&](int k) {
            std::vector<std::int32_t> &row = row_[static_cast<std::size_t>(omp_get_thread_num())];
            clear(field, k);
            for (int j = 0; j < patch_.shape.ny; ++j) {
                for (int i = 0; i < patch_.shape.nx; ++i)
                    row[static_cast<std::size_t>(i)] = whole.of(value(i, k, j));
                add_row(field, k, j, row);
            }
        });
    }

    /// After all fields are taken. Collective over the ranks of the domain.
    void gather();

    /// After gather(), of the patch's points, on the faces after its last cells too.
    real at(int field, int i, int k, int j) const {
        const double *amplitude = amplitudes(field, k, j), *wave = &x_.value[x_.first(i)];
        double sum = 0;
        for (int m = 0; m < x_.count; ++m) sum += amplitude[m] * wave[m];
        return static_cast<real>(sum);
    }

  private:
    static constexpr int value_bits = 26, wave_bits = 18, low_bits = 28;

    /// From a value to a whole number of quanta.
    struct Whole {
        double largest, quantum, per_unit;
        explicit Whole(double most)
            : largest(most), quantum(std::ldexp(most, -value_bits)), per_unit(1 / quantum) {}
        std::int32_t of(double value) const {
            // Not a number becomes the limit: the run's own checks see to that.
            const double bounded = std::min(largest, std::max(-largest, value));
            return static_cast<std::int32_t>(std::lrint(bounded * per_unit));
        }
    };

    /// 1, and the cosine and sine of each wave, at the patch's points of one direction.
    struct Waves {
        int count;                       ///< of components
        int points;                      ///< N
        std::vector<double> value;       ///< [point][component]
        std::vector<std::int32_t> whole; ///< [component][point]

        Waves(int begin, int patch, int domain, int waves);
        std::size_t first(int point) const { return static_cast<std::size_t>(point) * count; }
        /// By which a component's sum is multiplied.
        double norm(int component) const { return (component == 0 ? 1.0 : 2.0) / points; }
    };

    void clear(int field, int k);
    void add_row(int field, int k, int j, const std::vector<std::int32_t> &row);
    void resolve(int field, int k);
    std::size_t level_of(int field, int k) const { return static_cast<std::size_t>(field) * levels_ + k; }
    /// High and low part of the sums of a level, [component of y][component of x][part].
    std::int64_t *sums(int field, int k) {
        return &sums_[level_of(field, k) * static_cast<std::size_t>(2 * x_.count * y_.count)];
    }
    const double *amplitudes(int field, int k, int j) const {
        return &rows_[(level_of(field, k) * (patch_.shape.ny + 1) + j) * x_.count];
    }

    Patch patch_;
    MPI_Comm comm_;
    int fields_, levels_;
    Waves x_, y_;
    std::vector<double> scale_; ///< of each field, a whole number's unit
    std::vector<std::int64_t> sums_;
    std::vector<double> rows_;                   ///< [field][k][j][component of x]
    std::vector<std::vector<std::int32_t>> row_; ///< one per thread
};

} // namespace squall
