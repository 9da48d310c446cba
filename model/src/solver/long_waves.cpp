#include "solver/long_waves.hpp"

#include <numbers>

namespace squall {

LongWaves::Waves::Waves(int begin, int patch, int domain, int waves)
    : count(2 * waves + 1), points(domain + 1), value(static_cast<std::size_t>(patch + 1) * count),
      whole(static_cast<std::size_t>(count) * patch) {
    for (int n = 0; n <= patch; ++n)
        for (int c = 0; c < count; ++c) {
            const int wave = (c + 1) / 2;
            const double phase = 2 * std::numbers::pi * wave * (begin + n) / points;
            const double of_wave = c % 2 == 1 ? std::cos(phase) : c == 0 ? 1 : std::sin(phase);
            value[first(n) + static_cast<std::size_t>(c)] = of_wave;
            if (n < patch)
                whole[static_cast<std::size_t>(c) * patch + n] =
                    static_cast<std::int32_t>(std::lrint(std::ldexp(of_wave, wave_bits)));
        }
}

LongWaves::LongWaves(const Patch &patch, MPI_Comm comm, int waves_x, int waves_y, int fields, int levels)
    : patch_(patch), comm_(comm), fields_(fields), levels_(levels),
      x_(patch.x0, patch.shape.nx, patch.nx_domain, waves_x),
      y_(patch.y0, patch.shape.ny, patch.ny_domain, waves_y), scale_(static_cast<std::size_t>(fields)),
      sums_(static_cast<std::size_t>(2 * x_.count * y_.count) * fields * levels),
      rows_(static_cast<std::size_t>(fields) * levels * (patch.shape.ny + 1) * x_.count),
      row_(static_cast<std::size_t>(omp_get_max_threads()),
           std::vector<std::int32_t>(static_cast<std::size_t>(patch.shape.nx))) {}

void LongWaves::clear(int field, int k) {
    std::fill_n(sums(field, k), 2 * x_.count * y_.count, std::int64_t(0));
}

/// A row's sum has up to 57 bits; its high and low bits are added up on their own, so that products with
/// waves of the other direction fit.
void LongWaves::add_row(int field, int k, int j, const std::vector<std::int32_t> &row) {
    std::int64_t *into = sums(field, k);
    const int nx = patch_.shape.nx;
    for (int m = 0; m < x_.count; ++m) {
        const std::int32_t *wave = &x_.whole[static_cast<std::size_t>(m) * nx], *value = row.data();
        std::int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < nx; ++i) sum += static_cast<std::int64_t>(value[i]) * wave[i];
        const std::int64_t high = sum >> low_bits, low = sum - (high << low_bits);
        for (int n = 0; n < y_.count; ++n) {
            const std::int64_t across = y_.whole[static_cast<std::size_t>(n) * patch_.shape.ny + j];
            std::int64_t *of = into + 2 * (n * x_.count + m);
            of[0] += across * high, of[1] += across * low;
        }
    }
}

void LongWaves::gather() {
    if (patch_.px * patch_.py > 1)
        MPI_Allreduce(MPI_IN_PLACE, sums_.data(), static_cast<int>(sums_.size()), MPI_INT64_T, MPI_SUM,
                      comm_);
    for_each_task(fields_ * levels_, [&](int n) { resolve(n / levels_, n % levels_); });
}

/// From sums to the amplitudes of waves along each row.
void LongWaves::resolve(int field, int k) {
    const std::int64_t *from = sums(field, k);
    const double unit = std::ldexp(scale_[static_cast<std::size_t>(field)], -2 * wave_bits);
    for (int j = 0; j <= patch_.shape.ny; ++j) {
        double *row = &rows_[(level_of(field, k) * (patch_.shape.ny + 1) + j) * x_.count];
        for (int m = 0; m < x_.count; ++m) {
            double amplitude = 0;
            for (int n = 0; n < y_.count; ++n) {
                const std::int64_t *part = from + 2 * (n * x_.count + m);
                const std::int64_t carry = part[1] >> low_bits;
                const double sum = std::ldexp(static_cast<double>(part[0] + carry), low_bits) +
                                   static_cast<double>(part[1] - (carry << low_bits));
                amplitude += y_.norm(n) * y_.value[y_.first(j) + static_cast<std::size_t>(n)] * sum;
            }
            row[m] = x_.norm(m) * unit * amplitude;
        }
    }
}

} // namespace squall
