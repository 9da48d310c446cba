/// The reference page of the fields of histories.
#pragma once

#include <string>

namespace squall {

/// Markdown: every field that a history can hold but for those that an initial file brings.
/// docs/reference/fields.md is this text.
std::string field_reference();

} // namespace squall
