/// Files of any engine, read one after the other as if they were one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "read/source.hpp"

namespace squall::io::tools {

/// Frames start, ..., stop - 1; negative ones count from the end, as in Python.
struct FrameRange {
    std::optional<std::int64_t> start, stop;
};

/// "2:5", ":5", "-1:", "3". Throws Error.
FrameRange parse_frames(const std::string &text);

class Inputs {
  public:
    /// Opens all of them. Throws Error unless they have the same fields in the same dimensions.
    Inputs(std::vector<std::string> paths, const FrameRange &range);

    std::int64_t frames() const { return stop_ - start_; }
    const std::vector<std::string> &paths() const { return paths_; }
    const Source &first() const { return *sources_.front(); } ///< to which the others are alike
    /// Throws Error, naming it, if an input has what no Source gives as it is: of the file, or of these
    /// fields; of no fields: of any.
    void require_held(const std::vector<std::string> &fields) const;

    /// Reads a box of a field of first() at a frame of the range. Throws Error with the file.
    void read(int field, std::int64_t frame, const Box &box, void *contiguous) const;

  private:
    void require_alike(std::size_t n) const;

    std::vector<std::string> paths_;
    std::vector<std::unique_ptr<Source>> sources_;
    std::vector<std::int64_t> ends_;    ///< per input, how many frames there are up to its end
    std::int64_t start_ = 0, stop_ = 0; ///< the range, of the frames of all inputs
};

} // namespace squall::io::tools
