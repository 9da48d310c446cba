#include "common/types.hpp"

namespace squall::io {

std::size_t size_of(Type type) {
    switch (type) {
    case Type::f64:
    case Type::i64:
        return 8;
    case Type::character:
    case Type::i8:
    case Type::u8:
        return 1;
    case Type::i16:
        return 2;
    case Type::text:
        return sizeof(const char *);
    case Type::f32:
    case Type::i32:
        break;
    }
    return 4;
}

std::string name_of(Type type) {
    static const char *names[] = {"f32", "f64", "i16", "i32", "char", "i8", "u8", "i64", "text"};
    return names[static_cast<int>(type)];
}

std::optional<Type> stored_type_named(const std::string &name) {
    for (const auto type :
         {Type::f32, Type::f64, Type::i16, Type::i32, Type::character, Type::i8, Type::u8, Type::i64})
        if (name_of(type) == name) return type;
    return std::nullopt;
}

} // namespace squall::io
