/// Fields that are made over time: what their samples have come to since the last frame, on this rank.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "declare/intervals.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// Since when, in how many samples: the same for all such fields of a stream.
struct Interval {
    double begun = 0;         ///< seconds, of the frame before
    bool first = true;        ///< there was none
    std::int64_t samples = 0; ///< that are done
};

class Accumulator {
  public:
    explicit Accumulator(const OverTime &what) : what_(what) {}
    const OverTime &what() const { return what_; }

    /// Takes a box of a sample. Throws Error: a box that was not in the samples before.
    void add(const Put &put, const Interval &interval);
    /// What a box has come to with the sample that it was in last, at a time.
    std::vector<double> result(const Box &box, const Interval &interval, double seconds) const;
    /// The sample is all put. Throws Error: this was not in it.
    void sample_done(const Interval &interval) const;
    /// A frame has it: a new interval begins.
    void begin_anew();

    /// For a restart: names of what is kept of each point, ...
    std::vector<std::string> planes() const;
    /// ... the values of each,
    template <class F> void for_parts(F f) const {
        for (const auto &part : parts_)
            for (std::size_t p = 0; p < what_.kept(); ++p)
                f(p, part.box, part.values.data() + static_cast<std::ptrdiff_t>(p) * part.points);
    }
    /// the same before anything was put, of this rank's share of the field: what was restored, or the start,
    void for_share(int rank, int ranks,
                   const std::function<void(std::size_t, const Box &, const double *)> &f) const;
    /// and where they are read from when a box is first put.
    void read_from(std::shared_ptr<const Reader> file, std::int64_t frame, const std::string &prefix,
                   std::int64_t samples);

  private:
    struct Part {
        Box box;
        std::int64_t points = 0, samples = 0;
        std::vector<double> values; ///< plane by plane
    };
    Part &part_of(const Box &box, const Interval &interval);
    Part new_part(const Box &box) const;
    void read(Part &part) const;
    void take(Part &part, const std::vector<double> &x) const;

    const OverTime &what_;
    std::vector<Part> parts_;
    std::shared_ptr<const Reader> file_; ///< of the restart; null: none, or it was all read
    std::int64_t frame_ = 0, restored_ = 0;
    std::string prefix_;
};

} // namespace squall::io
