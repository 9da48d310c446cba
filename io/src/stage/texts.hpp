/// Texts as the characters of a file, and back.
#pragma once

#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "stage/stage.hpp"

namespace squall::io {

/// A put of texts as one of characters: each fills up its letters with zeros.
class Letters {
  public:
    /// Of `const char *`, or of characters whose last dimension may be shorter than the field's letters;
    /// blanks at their end do not count. Throws Error on a text that is too long or null.
    Letters(const FieldLayout &field, const Put &put);
    Put put() const { return {name_, box_, characters_.data(), Type::character, strides_}; }

  private:
    const std::string &name_;
    Box box_;
    std::string characters_;
    Strides strides_; ///< none
};

/// One text from its letters, without blanks and zeros at the end.
std::string text_of(const char *letters, std::size_t n);

} // namespace squall::io
