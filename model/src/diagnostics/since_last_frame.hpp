/// What a stream keeps from step to step for its fields of what happened since its last frame. Part of a
/// restart.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/running_field.hpp"

namespace squall {

class SinceLastFrame {
  public:
    /// `fields` must stay.
    SinceLastFrame(Shape shape, std::vector<Range> tiles, const std::vector<const RunningField *> &fields);

    bool empty() const { return kept_.empty(); }

    /// The air at the end of a step, or at the start of the run, counts.
    void take(const SeenAir &air);

    /// A field of the time of the last take(), `hours` after the last frame; valid until the next call.
    ConstField2 of(const RunningField &field, double hours);

    /// A frame was written.
    void begin_anew();

    /// What a restart holds for it, by the names of the fields.
    struct Kept {
        const RunningField *field;
        Array2 value;
    };
    const std::vector<Kept> &kept() const { return kept_; }
    std::vector<Kept> &kept() { return kept_; }

  private:
    std::vector<Range> tiles_;
    std::vector<Kept> kept_;
    std::vector<Array2> now_; ///< as kept_: of those that keep a change, the value now
    Array2 shown_;
};

} // namespace squall
