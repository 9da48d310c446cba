/// A failure of one rank, of which the others know nothing: they may wait for it, so that whoever catches it
/// must end them all, and nothing collective is possible.
#pragma once

#include <stdexcept>
#include <string>

namespace squall {

class LocalError : public std::runtime_error {
  public:
    explicit LocalError(const std::string &what) : std::runtime_error(what) {}
};

} // namespace squall
