/// Types of elements, and lists of names for messages.

#include <fmt/ranges.h>

#include "layout.hpp"

namespace squall::io {

std::size_t size_of(Type type) {
    switch (type) {
    case Type::f64:
        return 8;
    case Type::character:
        return 1;
    case Type::i16:
        return 2;
    case Type::f32:
    case Type::i32:
        break;
    }
    return 4;
}

std::string name_of(Type type) {
    switch (type) {
    case Type::f32:
        return "f32";
    case Type::f64:
        return "f64";
    case Type::i16:
        return "i16";
    case Type::i32:
        return "i32";
    case Type::character:
        break;
    }
    return "char";
}

std::string list(const std::vector<std::string> &names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace squall::io
