/// Fields that are made where their source is put, box by box: onto levels and over time. What they come to
/// is handed on as if the program had put it, so that others can be made of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "reduce/companions.hpp"
#include "reduce/onto_levels.hpp"
#include "reduce/over_time.hpp"

namespace squall::io {

class Makers {
  public:
    using Take = std::function<void(const Put &)>;

    /// `take` is given each field that is made.
    Makers(std::shared_ptr<const Layout> layout, Take take);

    /// Whether something is made of a field, or by its values.
    bool use(const std::string &field) const;

    /// A frame begins, or a sample.
    void begin(double seconds, bool sample);
    bool in_sample() const { return sample_; }
    /// A field of it, or (`per_frame` false) one that is fixed in time. The first mistake is kept for the
    /// frame.
    void put(const Put &put, bool per_frame);
    void put_points(const Put &put, bool per_frame);
    /// It is all put. Returns what is wrong with the frame; of a sample, nothing: the next frame has it.
    std::string end();
    /// It is abandoned: what was put has counted as a sample.
    void abandon();

    /// For a restart: see Stream. Before anything was put this is `rank`, of `ranks`, which takes its share.
    std::vector<Field> accumulators() const;
    void
    save(int rank, int ranks,
         const std::function<void(const std::string &name, const Box &box, const double *values)> &put) const;
    void restore(const std::shared_ptr<const Reader> &file, std::int64_t frame);

  private:
    void guarded(const std::string &field, const std::function<void()> &f);
    void make(const Put &put);
    void hand_on(const std::string &name, const Box &box, const std::vector<double> &values);
    bool matters(const std::string &field) const;
    std::string prefix_of(const OverTime &what) const;

    std::shared_ptr<const Layout> layout_;
    Take take_;
    Companions companions_;
    LevelFinder finder_;
    std::vector<Accumulator> accumulators_;
    Interval interval_;
    double seconds_ = 0; ///< of the frame or sample in the making
    bool sample_ = false;
    bool untouched_ = true; ///< no sample and no frame has ended yet
    std::string fault_;
};

} // namespace squall::io
