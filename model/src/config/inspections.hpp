/// What the reader of run files knows of the files that they name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "initial/initial.hpp"

namespace squall {

/// Headers of initial files, and whether there is a file: each looked at once, however many checks ask for
/// it.
class Inspections {
  public:
    /// As inspect_wrfinput: what it returned or threw when first asked about `file`.
    const WrfInputInfo &of(const std::string &file);

    /// Whether there is anything of this name, and whether it is a file.
    bool exists(const std::string &name) { return kind_of(name) != Kind::nothing; }
    bool is_file(const std::string &name) { return kind_of(name) == Kind::file; }

    /// All that was seen so far, as bytes (CBOR), for a rank that then need not look itself.
    std::vector<std::uint8_t> packed() const;

    /// What another rank packed.
    static Inspections unpacked(const std::vector<std::uint8_t> &bytes);

  private:
    struct Seen {
        WrfInputInfo info;
        std::string error; ///< what was thrown; empty: nothing
    };
    enum class Kind { nothing, file, other };
    Kind kind_of(const std::string &name);

    std::map<std::string, Seen> seen_;
    std::map<std::string, Kind> kinds_;
};

} // namespace squall
