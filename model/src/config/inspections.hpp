/// What the reader of run files knows of the initial files that they name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "initial/initial.hpp"

namespace squall {

/// Headers of initial files, each looked at once, however many checks ask for it.
class Inspections {
  public:
    /// As inspect_wrfinput: what it returned or threw when first asked about `file`.
    const WrfInputInfo &of(const std::string &file);

    /// All that was seen so far, as bytes (CBOR), for a rank that then need not look itself.
    std::vector<std::uint8_t> packed() const;

    /// What another rank packed.
    static Inspections unpacked(const std::vector<std::uint8_t> &bytes);

  private:
    struct Seen {
        WrfInputInfo info;
        std::string error; ///< what was thrown; empty: nothing
    };
    std::map<std::string, Seen> seen_;
};

} // namespace squall
