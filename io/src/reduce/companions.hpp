/// Weights, masks and coordinates, as this rank has put them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "declare/made.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// The values of a companion for the points of a box of the source.
struct CompanionValues {
    const double *first = nullptr; ///< of the box's first point; null: there is no companion
    Strides strides;               ///< per dimension of the source; 0 along those that the companion has not
};

class Companions {
  public:
    void expect(const Companion &companion);

    /// Whether a field is one of those that are expected.
    bool want(const std::string &field) const { return values_.contains(field); }
    /// Keeps a copy. Throws Error.
    void keep(const Put &put);
    /// Keeps values that lie contiguous.
    void keep(const std::string &field, const Box &box, std::shared_ptr<const double> values);
    /// Whether any of it was kept.
    bool has(const std::string &field) const { return !values_.at(field).parts.empty(); }
    /// What was put for a box of the source. Throws Error where it was not, or not all.
    CompanionValues of(const Companion &companion, const Box &source) const;
    /// Forgets those of the frame that is done.
    void clear_frame();

  private:
    struct Part {
        Box box;
        std::shared_ptr<const double> values;
    };
    struct Kept {
        bool per_frame = false;
        std::vector<Part> parts;
    };
    std::map<std::string, Kept> values_;
};

} // namespace squall::io
