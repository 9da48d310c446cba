/// A place in the source: who asks for a loop, for a profile.
#pragma once

#include <version>

#ifdef __cpp_lib_source_location
#include <source_location>
#endif

namespace squall {

#ifdef __cpp_lib_source_location
using CodePlace = std::source_location;
#else
/// What Clang before version 16 has of it with GCC's library, which asks for more: names without their
/// classes.
class CodePlace {
  public:
    static constexpr CodePlace current(const char *file = __builtin_FILE(),
                                       const char *function = __builtin_FUNCTION(),
                                       unsigned line = __builtin_LINE()) {
        return {file, function, line};
    }
    constexpr const char *file_name() const { return file_; }
    constexpr const char *function_name() const { return function_; }
    constexpr unsigned line() const { return line_; }

  private:
    constexpr CodePlace(const char *file, const char *function, unsigned line)
        : file_(file), function_(function), line_(line) {}
    const char *file_, *function_;
    unsigned line_;
};
#endif

} // namespace squall
