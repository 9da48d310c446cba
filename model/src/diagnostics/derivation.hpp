/// Derived fields of a patch, made when they are asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/derived_field.hpp"

namespace squall {

/// Makes one field after the other in the same memory: what was asked for last is valid until the next
/// call. The bits depend on nothing but the air.
class Derivation {
  public:
    Derivation(Shape shape, std::vector<Range> tiles) : shape_(shape), tiles_(std::move(tiles)) {}

    /// From now on of the air that this tells of, once a field is asked for; its arrays must stay.
    void begin(std::function<SeenAir()> air);

    /// A field on layers, or of columns. After begin().
    ConstField3 layers(const DerivedField &field);
    ConstField2 columns(const DerivedField &field);

  private:
    const SeenAir &air();

    Shape shape_;
    std::vector<Range> tiles_;
    std::function<SeenAir()> look_;
    std::optional<SeenAir> air_;
    Array3 layers_;
    std::array<Array2, std::tuple_size_v<Planes>> columns_;
    std::string made_; ///< the computation whose results are in columns_; empty: of one result
};

} // namespace squall
