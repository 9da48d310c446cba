/// Fields at places: each rank has the points of the source that are in its boxes. Where all points around a
/// place are, its value is made at once; the others travel as they are, so that the value is made by the same
/// operations in the same order whoever has them all in the end.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "declare/samples.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// Some of the points around a place.
struct Around {
    std::uint64_t came = 0;     ///< in byte c: how often corner c was put
    std::vector<double> values; ///< corner by corner
};

/// Of one field in one frame.
struct AtPlaces {
    std::vector<std::int64_t> made;        ///< places, each once
    std::vector<double> values;            ///< of these, place by place all that each has
    std::vector<bool> put_whole;           ///< per place: whether it was made of one box; empty: none was
    std::map<std::int64_t, Around> partly; ///< by place

    void add(std::int64_t place, Around part, const Sample &sample);
    /// What another rank has.
    void take(AtPlaces &others, const Sample &sample);
    /// Brings what was made into the order of the places.
    void sort(std::size_t depth);
};

/// Of one field.
class Sampler {
  public:
    /// `missing`: what stands for no value in the result.
    Sampler(const Sample &sample, const std::vector<double> &positions, double missing)
        : sample_(sample), depth_(static_cast<std::size_t>(sample.depth())),
          corners_(static_cast<std::size_t>(sample.corners())), missing_(missing) {
        lie_at(positions);
    }

    const Sample &sample() const { return sample_; }
    /// Where the places are from now on.
    void lie_at(const std::vector<double> &positions);
    /// Takes a box of the source, and makes the values of places that have all their points in it. Throws
    /// Error: it does not have all of the dimensions that the places do not lie in.
    void put(const Put &put, AtPlaces &into);
    /// Makes the values of places to which all their points have come since.
    void make(AtPlaces &of) const;
    /// Adds the places that are nowhere; for one rank to do.
    void add_nowhere(AtPlaces &to) const;

  private:
    static constexpr std::size_t most = 8; ///< corners
    struct Spot {
        std::array<Between, 3> at;
        std::array<double, most> weight{};
        std::uint64_t whole = 0; ///< Around::came when all that count have come; 0: it is nowhere
    };
    struct Near { ///< a place of which some points are in a box
        std::int64_t place = 0;
        std::uint64_t came = 0;
    };
    struct Column {                                ///< of a place that is near a box
        std::size_t near = 0;                      ///< in the plan
        std::array<std::ptrdiff_t, most> corner{}; ///< where its corners lie, from the box's first point
    };
    struct Plan {
        Box box;
        Strides strides; ///< of the memory
        std::vector<Near> near;
        std::vector<Column> columns;
    };
    struct Slot { ///< for the values of a place that is whole in a box
        static constexpr auto none = static_cast<std::size_t>(-1);
        std::size_t at = none; ///< in AtPlaces::values
        bool twice = false;    ///< it was whole in another one already
    };

    const Plan &plan_for(const Box &box, const Strides &strides);
    std::vector<Near> near(const Box &box) const;
    std::vector<std::ptrdiff_t> depths(const Put &put, const Strides &strides) const;
    std::vector<Column> columns_in(const Plan &plan) const;
    std::vector<Slot> room_for(const Plan &plan, AtPlaces &of) const;
    std::int64_t index(const Spot &spot, std::size_t corner, std::size_t dimension) const;
    template <class T>
    void read(const T *corner, const std::vector<std::ptrdiff_t> &depths, double *to) const;
    template <class T>
    void fetch(const T *data, const Column &column, std::uint64_t came,
               const std::vector<std::ptrdiff_t> &depths) const;
    template <class At> void combine(const Spot &spot, const At &at, double *value) const;
    double *add_made(AtPlaces &of, std::int64_t place) const;

    const Sample &sample_;
    const std::size_t depth_, corners_;
    const double missing_;
    std::vector<Spot> spots_;
    std::vector<std::int64_t> nowhere_; ///< places that are none
    std::vector<Plan> plans_;
};

} // namespace squall::io
