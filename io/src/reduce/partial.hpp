/// What some of the points of a source have come to: in one box of the result, from part of what it is made
/// of.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "declare/folds.hpp"
#include "reduce/sum.hpp"

namespace squall::io {

struct Partial {
    Box box; ///< of the result
    /// Of which points it is made, of those that belong to each point of the box: a number that adds up to
    /// that of them all when each has come once; see Tallies.
    std::uint64_t points = 0;
    // Per point of the box, of each kind as many as the method keeps.
    std::vector<Sum> sums;
    std::vector<double> extremes;
    std::vector<std::int64_t> counts; ///< of values; of a quantile without weight: in its bins

    void add(const Fold &fold, const Partial &same_box);
    /// The part of it that lies in a box within its own.
    Partial part(const Box &box) const;
};

/// Tells boxes of a source apart by a number each, which is a sum over their points that are reduced: of
/// random numbers of 64 bits. Where the numbers of several boxes add up to that of the whole, each point
/// was in one of them, but for a chance of 2^-64.
class Tallies {
  public:
    explicit Tallies(const Fold &fold);
    /// Of dimensions that become coarser the box has whole blocks, or a part of one.
    std::uint64_t of(const Box &source) const;
    std::uint64_t whole() const { return whole_; }

  private:
    /// A dimension of the source that is reduced, or of which each block is.
    struct Reduced {
        std::size_t dimension = 0;
        std::int64_t size = 0, block = 0; ///< of the dimension; of a block of it, or of all
        std::vector<std::uint64_t> up_to; ///< sums of those before, in a block
    };
    static std::uint64_t of(const Reduced &d, const Box &source);

    std::vector<Reduced> reduced_;
    std::uint64_t whole_ = 0;
};

/// Partials of one result whose boxes are apart.
class Partials {
  public:
    void add(const Fold &fold, Partial partial);
    /// Takes out those to which every point has come.
    std::vector<Partial> take_complete(std::uint64_t whole);
    std::vector<Partial> take_all() { return std::exchange(list_, {}); }
    bool empty() const { return list_.empty(); }
    const std::vector<Partial> &list() const { return list_; }

  private:
    std::vector<Partial> list_;
};

/// Makes the results of complete partials: `fill` where nothing counted.
class Finish {
  public:
    Finish(const Fold &fold, double fill)
        : fold_(fold), fill_(fill), sums_(fold.sums()), counts_(fold.counts()) {}
    /// Of point number n.
    double operator()(const Partial &partial, std::size_t n) const;

  private:
    double moment(const Sum *sums, std::int64_t count) const;
    double quantile(const Sum *sums, const std::int64_t *counts) const;

    const Fold &fold_;
    double fill_;
    std::size_t sums_, counts_;
};
/// In the order of the points.
std::vector<double> results(const Fold &fold, const Partial &partial, double fill);

} // namespace squall::io
