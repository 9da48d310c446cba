/// The air and the tracers of a patch: arrays of cells with one more row to the south and to the north.
#pragma once

#include <cstddef>
#include <vector>

#include "globe/huge_pages.hpp"
#include "parallel/decomposition.hpp"

namespace squall::transport {

/// `fields` values in each cell of a patch; i fastest, then fields, then k, then j from -1 to ny: what a
/// sweep takes of a row lies in one piece.
class Block {
  public:
    Block() = default;
    Block(Shape shape, int fields)
        : shape_(shape), fields_(fields), sk_(static_cast<std::ptrdiff_t>(shape.nx) * fields),
          sj_(sk_ * shape.nz), data_(static_cast<std::size_t>(sj_ * (shape.ny + 2)), 0.0) {}

    /// row(f, k, j)[i]
    double *row(int f, int k, int j) { return data_.data() + offset(f, k, j); }
    const double *row(int f, int k, int j) const { return data_.data() + offset(f, k, j); }
    const Shape &shape() const { return shape_; }
    int fields() const { return fields_; }
    std::ptrdiff_t level_stride() const { return sk_; }
    std::ptrdiff_t row_stride() const { return sj_; }

  private:
    std::ptrdiff_t offset(int f, int k, int j) const {
        return (j + 1) * sj_ + k * sk_ + static_cast<std::ptrdiff_t>(f) * shape_.nx;
    }
    Shape shape_;
    int fields_ = 0;
    std::ptrdiff_t sk_ = 0, sj_ = 0;
    std::vector<double, HugePages<double>> data_;
};

/// Mass of air that passes each face of the cells of a patch in a step [kg]: east(i, k, j) through the
/// western face of cell (i, k, j) eastward, i from 0 to nx; north likewise, j from 0 to ny; up, k from 0 to
/// nz.
struct MassFluxes {
    explicit MassFluxes(Shape s)
        : shape(s), east(count(s.nx + 1, s.nz, s.ny)), north(count(s.nx, s.nz, s.ny + 1)),
          up(count(s.nx, s.nz + 1, s.ny)) {}

    double *east_row(int k, int j) { return &east[count(shape.nx + 1, 1, 1) * rows(k, j, shape.nz)]; }
    double *north_row(int k, int j) { return &north[count(shape.nx, 1, 1) * rows(k, j, shape.nz)]; }
    double *up_row(int k, int j) { return &up[count(shape.nx, 1, 1) * rows(k, j, shape.nz + 1)]; }
    const double *east_row(int k, int j) const { return const_cast<MassFluxes *>(this)->east_row(k, j); }
    const double *north_row(int k, int j) const { return const_cast<MassFluxes *>(this)->north_row(k, j); }
    const double *up_row(int k, int j) const { return const_cast<MassFluxes *>(this)->up_row(k, j); }

    Shape shape;
    std::vector<double> east, north, up;

  private:
    static std::size_t count(int a, int b, int c) {
        return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
    }
    static std::size_t rows(int k, int j, int levels) {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(levels) + static_cast<std::size_t>(k);
    }
};

} // namespace squall::transport
