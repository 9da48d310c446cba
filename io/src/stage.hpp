/// The stage: where a rank's boxes wait between put and store.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "layout.hpp"

namespace squall::io {

/// One box of one field, contiguous, in the field's type.
struct Block {
    int field = 0;
    Box box;
    std::vector<std::byte> bytes;
};

/// This rank's boxes. Memory is kept from one frame to the next.
class Stage {
  public:
    explicit Stage(const Layout &layout, bool per_frame) : layout_(layout), per_frame_(per_frame) {}

    /// Copies a box in. Does not throw: the first mistake is kept in fault().
    void put(const std::string &field, const Box &box, const void *data, Type memory,
             const Strides &strides) noexcept;

    void clear();
    const std::vector<Block> &blocks() const { return blocks_; }
    const std::string &fault() const { return fault_; }

  private:
    void copy_in(int field, const Box &box, const void *data, Type memory, const Strides &strides);
    std::string mistake(int field, const std::string &name, const Box &box, const void *data, Type memory,
                        const Strides &strides) const;

    const Layout &layout_;
    bool per_frame_; ///< takes per-frame fields, or those fixed in time
    std::vector<Block> blocks_;
    std::vector<std::vector<std::byte>> spare_; ///< memory of earlier frames, per field
    std::string fault_;
};

} // namespace squall::io
