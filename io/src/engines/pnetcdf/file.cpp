#include "engines/pnetcdf/file.hpp"

#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <pnetcdf.h>

#include "common/libraries.hpp"
#include "engines/netcdf/define.hpp" // whose flags PnetCDF shares
#include "engines/netcdf/hints.hpp"
#include "engines/netcdf/mpi_io.hpp"
#include "publish/cause.hpp"

namespace squall::io::pnetcdf {
namespace {

nc_type nc_type_of(Type type) {
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

void define_attribute(int file, int variable, const Attribute &a) {
    const char *name = a.name.c_str();
    nc_type fill = NC_NAT;
    if (is_of_its_field(a.name) && variable != NC_GLOBAL) ncmpi_inq_vartype(file, variable, &fill);
    const auto as = [&](nc_type type) { return fill == NC_NAT ? type : fill; };
    const auto define = [&](const auto &values) {
        using T = std::decay_t<decltype(values[0])>;
        const auto n = static_cast<MPI_Offset>(values.size());
        if constexpr (std::is_same_v<T, char>)
            return ncmpi_put_att_text(file, variable, name, n, values.data());
        if constexpr (std::is_same_v<T, float>)
            return ncmpi_put_att_float(file, variable, name, as(NC_FLOAT), n, values.data());
        if constexpr (std::is_same_v<T, double>)
            return ncmpi_put_att_double(file, variable, name, as(NC_DOUBLE), n, values.data());
        if constexpr (std::is_same_v<T, std::int32_t>)
            return ncmpi_put_att_int(file, variable, name, as(NC_INT), n, values.data());
        if constexpr (std::is_same_v<T, std::int64_t>)
            return ncmpi_put_att_longlong(file, variable, name, as(NC_INT64), n,
                                          reinterpret_cast<const long long *>(values.data()));
    };
    check(std::visit(define, a.value), "defining attribute " + a.name);
}

std::vector<int> define(int file, const Layout &layout) {
    for (const auto &a : layout.spec.attributes) define_attribute(file, NC_GLOBAL, a);
    int record = 0;
    if (!layout.spec.record_dimension.empty())
        check(ncmpi_def_dim(file, layout.spec.record_dimension.c_str(), NC_UNLIMITED, &record),
              "defining the record dimension");
    std::map<std::string, int> ids;
    for (const auto &d : layout.spec.dimensions)
        check(ncmpi_def_dim(file, d.name.c_str(), d.size, &ids[d.name]), "defining dimension " + d.name);
    std::vector<int> variables;
    for (const auto &f : layout.fields) {
        const auto &field = f.field;
        std::vector<int> dimensions(field.per_frame, record);
        for (const auto &d : field.dimensions) dimensions.push_back(ids.at(d));
        check(ncmpi_def_var(file, field.name.c_str(), nc_type_of(field.type),
                            static_cast<int>(dimensions.size()), dimensions.data(),
                            &variables.emplace_back()),
              "defining field " + field.name);
        for (const auto &a : field.attributes) define_attribute(file, variables.back(), a);
    }
    check(ncmpi_enddef(file), "writing the header");
    return variables;
}

} // namespace

std::unique_lock<std::recursive_mutex> alone() { return std::unique_lock(pnetcdf_mutex()); }

void check(int status, const std::string &doing) {
    if (status != NC_NOERR) throw Error(fmt::format("{}: {}", doing, ncmpi_strerror(status)));
}

MPI_Datatype mpi_type_of(Type type) {
    switch (type) {
    case Type::f32:
        return MPI_FLOAT;
    case Type::f64:
        return MPI_DOUBLE;
    case Type::i16:
        return MPI_SHORT;
    case Type::i32:
        return MPI_INT;
    case Type::i8:
        return MPI_SIGNED_CHAR;
    case Type::u8:
        return MPI_UNSIGNED_CHAR;
    case Type::i64:
        return MPI_LONG_LONG_INT;
    case Type::character:
    case Type::text:
        break;
    }
    return MPI_CHAR;
}

File create_file(const Layout &layout, const std::string &path, MPI_Comm writers) {
    netcdf::Hints hints(layout);
    hints.suggest("nc_header_align_size", "4096"); // data begin on a page of memory and disk
    File file;
    check(ncmpi_create(writers, netcdf::name_for_mpi(path).c_str(), NC_CLOBBER | netcdf::format_flags(layout),
                       hints, &file.id),
          "creating the file");
    std::string fault;
    try {
        naming_cause(path, [&] { file.variables = define(file.id, layout); }); // while it takes the room
    } catch (const Error &e) {
        fault = e.what();
    }
    // One of them writes the header, and only it knows whether that went well. All let go of the file
    // together.
    int bad = !fault.empty();
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, writers);
    if (!bad) return file;
    ncmpi_abort(file.id);
    throw Error(fault.empty() ? "another writer could not write the header" : fault);
}

} // namespace squall::io::pnetcdf
