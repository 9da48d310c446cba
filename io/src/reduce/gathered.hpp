/// Points of fields as they were put, to be sent whole: the way of programs that reduce nothing where it
/// lies.
#pragma once

#include <string>
#include <vector>

#include "reduce/packed.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// Boxes of fields in the order in which they were put, with memory of their own.
class Gathered {
  public:
    void add(const Put &put, bool per_frame);
    /// Forgets the frame; what is fixed in time stays until it was sent.
    void clear_frame();
    bool empty() const { return boxes_.empty(); }

    void pack(Packer &to) const;
    static Gathered unpack(Unpacker &from);

    template <class F> void for_each(F f) const {
        for (const auto &b : boxes_) f(Put{b.field, b.box, b.points.data(), b.memory, {}});
    }

  private:
    struct OfField {
        std::string field;
        bool per_frame = true;
        Box box;
        Type memory = Type::f64;
        std::string points;
    };
    std::vector<OfField> boxes_;
};

} // namespace squall::io
