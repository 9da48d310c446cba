/// How types and attributes come to the functions of NetCDF-C and PnetCDF, which differ in their names.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>

#include <netcdf.h>

#include "declare/layout.hpp"

namespace squall::io::netcdf {

inline nc_type nc_type_of(Type type) {
    switch (type) {
    case Type::f32:
        return NC_FLOAT;
    case Type::f64:
        return NC_DOUBLE;
    case Type::i16:
        return NC_SHORT;
    case Type::i32:
        return NC_INT;
    case Type::i8:
        return NC_BYTE;
    case Type::u8:
        return NC_UBYTE;
    case Type::i64:
        return NC_INT64;
    case Type::character:
    case Type::text:
        break;
    }
    return NC_CHAR;
}

/// Puts an attribute of a variable, or of the file (NC_GLOBAL), by the functions that `Library` names;
/// returns their status. An attribute that has the type of its variable (_FillValue) gets it.
template <class Library> int put_attribute(int file, int variable, const Attribute &a) {
    const char *name = a.name.c_str();
    nc_type fill = NC_NAT;
    if (is_of_its_field(a.name) && variable != NC_GLOBAL) Library::inq_vartype(file, variable, &fill);
    const auto as = [&](nc_type type) { return fill == NC_NAT ? type : fill; };
    const auto put = [&](const auto &values) {
        using T = std::decay_t<decltype(values[0])>;
        const auto n = static_cast<typename Library::Size>(values.size());
        if constexpr (std::is_same_v<T, char>)
            return Library::put_att_text(file, variable, name, n, values.data());
        if constexpr (std::is_same_v<T, float>)
            return Library::put_att_float(file, variable, name, as(NC_FLOAT), n, values.data());
        if constexpr (std::is_same_v<T, double>)
            return Library::put_att_double(file, variable, name, as(NC_DOUBLE), n, values.data());
        if constexpr (std::is_same_v<T, std::int32_t>)
            return Library::put_att_int(file, variable, name, as(NC_INT), n, values.data());
        if constexpr (std::is_same_v<T, std::int64_t>)
            return Library::put_att_longlong(file, variable, name, as(NC_INT64), n,
                                             reinterpret_cast<const long long *>(values.data()));
    };
    return std::visit(put, a.value);
}

} // namespace squall::io::netcdf
