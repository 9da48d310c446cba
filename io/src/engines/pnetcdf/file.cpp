#include "engines/pnetcdf/file.hpp"

#include <map>

#include <fmt/format.h>
#include <pnetcdf.h>

#include "common/libraries.hpp"
#include "engines/netcdf/define.hpp" // whose flags PnetCDF shares
#include "engines/netcdf/hints.hpp"
#include "engines/netcdf/mpi_io.hpp"
#include "engines/netcdf/put_attribute.hpp"
#include "publish/cause.hpp"

namespace squall::io::pnetcdf {
namespace {

struct Pnetcdf {
    using Size = MPI_Offset;
    static constexpr auto inq_vartype = ncmpi_inq_vartype;
    static constexpr auto put_att_text = ncmpi_put_att_text;
    static constexpr auto put_att_float = ncmpi_put_att_float;
    static constexpr auto put_att_double = ncmpi_put_att_double;
    static constexpr auto put_att_int = ncmpi_put_att_int;
    static constexpr auto put_att_longlong = ncmpi_put_att_longlong;
};

void define_attribute(int file, int variable, const Attribute &a) {
    check(netcdf::put_attribute<Pnetcdf>(file, variable, a), "defining attribute " + a.name);
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
        check(ncmpi_def_var(file, field.name.c_str(), netcdf::nc_type_of(field.type),
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
