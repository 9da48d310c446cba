/// Patch-local storage: arrays with a halo, and the views kernels take by value.
///
/// Indices are patch-local and 0-based: cell (0, 0, 0) is the first owned cell, the
/// halo has negative indices and indices >= nx. Memory order is i (west-east) fastest,
/// then k (bottom-top), then j (south-north). A face index names the face on the low
/// side of the cell of the same index: u(i) lies between cells i-1 and i.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "core/device.hpp"
#include "core/real.hpp"

namespace squall {

/// Rim of copied points around a patch: what 6th-order stencils need.
inline constexpr int halo_width = 3;

/// A 3-D window onto patch storage. Copies share the data.
template <class T> struct View3 {
    T *origin = nullptr;   ///< address of (0, 0, 0)
    std::ptrdiff_t sk = 0; ///< elements from k to k+1
    std::ptrdiff_t sj = 0; ///< elements from j to j+1
    T &operator()(int i, int k, int j) const { return origin[i + sk * k + sj * j]; }
    T *row(int k, int j) const { return origin + sk * k + sj * j; } ///< row[i] is (i, k, j)
    operator View3<const T>() const { return {origin, sk, sj}; }
};

/// A 2-D window onto patch storage.
template <class T> struct View2 {
    T *origin = nullptr;
    std::ptrdiff_t sj = 0;
    T &operator()(int i, int j) const { return origin[i + sj * j]; }
    T *row(int j) const { return origin + sj * j; } ///< row[i] is (i, j)
    operator View2<const T>() const { return {origin, sj}; }
};

using Field3 = View3<real>;
using ConstField3 = View3<const real>;
using Field2 = View2<real>;
using ConstField2 = View2<const real>;
/// A vertical profile, indexed by k.
using ConstProfile = const real *;

/// Owned points of a patch and how its arrays lie in memory. All arrays of a patch share
/// one shape, with room for one extra face in each direction.
struct Shape {
    int nx = 0; ///< owned cells west-east
    int ny = 0; ///< owned cells south-north
    int nz = 0; ///< layers
};

/// Where the writing of a row must end if `halo` points of the next one, which follows without a gap, are to
/// stay as they are.
int row_end(Shape shape, int halo);

namespace detail {

/// Lets go of the block of memory that an array lies in, with the last of its arrays.
struct Release {
    std::shared_ptr<void> block;
    std::size_t bytes = 0;
    void operator()(real *) const;
};

/// Zero-filled storage of n elements on a cache-line boundary, in huge pages where the system has them; first
/// written by the threads that compute on it, near to which the system puts it then.
std::unique_ptr<real[], Release> allocate(std::size_t n);
} // namespace detail

/// Bytes of all arrays that this process has now.
std::size_t allocated_bytes();

/// An owning 3-D array of nx x (nz+1) x ny points plus halo and one face, zero-filled.
class Array3 {
  public:
    Array3() = default;
    explicit Array3(Shape shape);
    Field3 view() { return view_; }
    ConstField3 view() const { return view_; }
    real &operator()(int i, int k, int j) { return view_(i, k, j); }
    const real &operator()(int i, int k, int j) const { return view_(i, k, j); }
    std::size_t bytes() const { return size_ * sizeof(real); }
    /// Copies all points, halo included, from an array of the same shape.
    void copy_from(const Array3 &other) {
        device::finish();
        std::copy_n(other.data_.get(), size_, data_.get());
    }
    void fill(real value) {
        device::finish();
        std::fill_n(data_.get(), size_, value);
    }

  private:
    std::unique_ptr<real[], detail::Release> data_;
    std::size_t size_ = 0;
    Field3 view_;
};

/// An owning 2-D array of nx x ny points plus halo and one face, zero-filled.
class Array2 {
  public:
    Array2() = default;
    explicit Array2(Shape shape);
    Field2 view() { return view_; }
    ConstField2 view() const { return view_; }
    real &operator()(int i, int j) { return view_(i, j); }
    const real &operator()(int i, int j) const { return view_(i, j); }
    std::size_t bytes() const { return size_ * sizeof(real); }
    void copy_from(const Array2 &other) {
        device::finish();
        std::copy_n(other.data_.get(), size_, data_.get());
    }
    void fill(real value) {
        device::finish();
        std::fill_n(data_.get(), size_, value);
    }

  private:
    std::unique_ptr<real[], detail::Release> data_;
    std::size_t size_ = 0;
    Field2 view_;
};

} // namespace squall
