#include "columns/matrices.hpp"

#include <algorithm>

namespace squall::transport {
namespace {

constexpr Doubles zeros{}, ones = zeros + 1.0;

/// `rows` rows of A times `count` fields, all sums in registers.
template <int rows, int count>
void multiply_rows(const Doubles *a, std::ptrdiff_t stride, int n, const Doubles *x, Doubles *out) {
    Doubles sums[rows][count] = {};
    for (int j = 0; j < n; ++j)
        for (int r = 0; r < rows; ++r)
            for (int f = 0; f < count; ++f) sums[r][f] += a[r * stride + j] * x[f * n + j];
    for (int r = 0; r < rows; ++r)
        for (int f = 0; f < count; ++f) out[f * n + r] = sums[r][f];
}

template <int count>
void multiply_all(const Doubles *a, std::ptrdiff_t stride, int n, const Doubles *x, Doubles *out) {
    constexpr int rows = 4;
    int k = 0;
    for (; k + rows <= n; k += rows) multiply_rows<rows, count>(a + k * stride, stride, n, x, out + k);
    for (; k < n; ++k) multiply_rows<1, count>(a + k * stride, stride, n, x, out + k);
}

} // namespace

MixingMatrices::MixingMatrices(int nz)
    : nz_(nz), b_(at(nz, 0)), a_(b_.size()), pivot_(static_cast<std::size_t>(nz)), stayed_(pivot_.size()) {
    clear();
}

void MixingMatrices::clear() {
    std::ranges::fill(b_, zeros);
    depth_ = 0;
}

/// Elements of the diagonal follow from those of their column: the sum is 1.
void MixingMatrices::pass(int lane, int from, int to, double share) {
    if (from == to || share <= 0) return;
    b_[at(to, from)][lane] -= share;
    depth_ = std::max({depth_, from + 1, to + 1});
}

void MixingMatrices::invert() {
    for (int j = 0; j < depth_; ++j) {
        Doubles left = ones;
        for (int i = 0; i < depth_; ++i) left -= b_[at(i, j)];
        stayed_[static_cast<std::size_t>(j)] = ones / left;
    }
    eliminate();
    solve_lower();
    solve_upper();
}

/// Gauss's elimination, in the form of Grassmann, Taksar and Heyman (1985, Oper. Res. 33, 1107-1116): pivots
/// are sums of what is in their columns, so that nothing but numbers of one sign is ever added, and each
/// element is right to rounding. `sum` of a column of what is left to eliminate grows from 1 on.
void MixingMatrices::eliminate() {
    const int n = depth_;
    Scratch<Doubles> sum(static_cast<std::size_t>(n), ones);
    for (int p = 0; p < n; ++p) {
        const auto q = static_cast<std::size_t>(p);
        Doubles pivot = sum[q];
        for (int i = p + 1; i < n; ++i) pivot -= b_[at(i, p)];
        pivot_[q] = pivot;
        for (int i = p + 1; i < n; ++i) b_[at(i, p)] /= pivot;
        for (int j = p + 1; j < n; ++j) sum[static_cast<std::size_t>(j)] -= sum[q] * b_[at(p, j)] / pivot;
        for (int i = p + 1; i < n; ++i) {
            const Doubles factor = b_[at(i, p)];
            for (int j = p + 1; j < n; ++j)
                if (j != i) b_[at(i, j)] -= factor * b_[at(p, j)];
        }
    }
}

/// a = L^-1, of which what is above the diagonal is 0.
void MixingMatrices::solve_lower() {
    for (int i = 0; i < depth_; ++i) {
        for (int j = 0; j < depth_; ++j) a_[at(i, j)] = i == j ? ones : zeros;
        for (int p = 0; p < i; ++p) {
            const Doubles factor = b_[at(i, p)];
            for (int j = 0; j <= p; ++j) a_[at(i, j)] -= factor * a_[at(p, j)];
        }
    }
}

/// a = U^-1 a.
void MixingMatrices::solve_upper() {
    for (int i = depth_ - 1; i >= 0; --i) {
        for (int p = i + 1; p < depth_; ++p) {
            const Doubles factor = b_[at(i, p)];
            for (int j = 0; j < depth_; ++j) a_[at(i, j)] -= factor * a_[at(p, j)];
        }
        for (int j = 0; j < depth_; ++j) a_[at(i, j)] /= pivot_[static_cast<std::size_t>(i)];
    }
}

void MixingMatrices::multiply(const Doubles *x, Doubles *out, int count) const {
    for (; count >= fields_at_once; count -= fields_at_once) {
        multiply_all<fields_at_once>(a_.data(), nz_, depth_, x, out);
        x += fields_at_once * depth_, out += fields_at_once * depth_;
    }
    if (count > 0) multiply_all<fewer_fields>(a_.data(), nz_, depth_, x, out);
}

} // namespace squall::transport
