/// What a patch of the globe needs of others: rows to the south and north, and cells to the west and east, as
/// many as the wind crosses in a step, over the date line.
#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include "globe/block.hpp"
#include "globe/scratch.hpp"
#include "globe/sides.hpp"

namespace squall::transport {

/// One patch's neighbours. Deterministic: what arrives does not depend on the decomposition.
class Neighbours {
  public:
    /// Collective over `comm`, whose rank r computes make_patch(r, ...) of a domain that is periodic from
    /// west to east.
    Neighbours(MPI_Comm comm, const Patch &patch);
    ~Neighbours();
    Neighbours(const Neighbours &) = delete;
    Neighbours &operator=(const Neighbours &) = delete;

    /// Fills rows -1 and ny of all fields. Faces at the poles have no area, and no air comes from beyond:
    /// there the rows get mass 1 (field 0) and nothing else. Collective.
    void fill_rows(Block &block);

    /// The largest of each number over the patches in the same rows. Collective over these.
    void largest_in_rows(std::span<double> numbers) const;

    /// The largest of a number over the globe. Collective.
    double largest(double number) const;

    /// Fetches `reach[j]` cells of all fields on either side of row j, as many as the row has at most.
    /// `reach` is the same on the patches in the same rows. Collective over these.
    void fetch_sides(const Block &block, const std::vector<int> &reach);
    /// The cells of a row with those that were fetched for it: reach[j] + nx + reach[j] of them, from west
    /// on.
    void copy_row(const Block &block, int f, int k, int j, double *cells) const;
    /// Those that were fetched alone, to where copy_row() would have them.
    void copy_sides(const Block &block, int f, int k, int j, double *cells) const;

    const Patch &patch() const { return patch_; }
    const Sides &sides() const { return wanted_; } ///< those that were fetched last
    MPI_Comm comm() const { return comm_; }

  private:
    void pack_for(int rank, const Block &block, Scratch<double> &message) const;
    void unpack_from(int rank, const double *message);
    double *side(int j, int place, int f, int k);

    MPI_Comm comm_ = MPI_COMM_NULL, row_comm_ = MPI_COMM_NULL;
    Patch patch_;
    Sides wanted_;
    std::vector<std::size_t> offsets_; ///< of each row in sides_
    std::vector<double> sides_;        ///< row, field, layer; then cells to the west, cells to the east
    int nz_ = 0, fields_ = 0;
};

} // namespace squall::transport
