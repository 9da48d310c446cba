#include "engines/netcdf/define.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_filter.h>

#include "engines/netcdf/kind.hpp"
#include "engines/netcdf/library.hpp"
#include "engines/netcdf/put_attribute.hpp"
#include "engines/netcdf/zstd_filter.hpp"

namespace squall::io::netcdf {
namespace {

struct NetcdfC {
    using Size = std::size_t;
    static constexpr auto inq_vartype = nc_inq_vartype;
    static constexpr auto put_att_text = nc_put_att_text;
    static constexpr auto put_att_float = nc_put_att_float;
    static constexpr auto put_att_double = nc_put_att_double;
    static constexpr auto put_att_int = nc_put_att_int;
    static constexpr auto put_att_longlong = nc_put_att_longlong;
};

void define_attribute(int file, int variable, const Attribute &a) {
    check(put_attribute<NetcdfC>(file, variable, a), "defining attribute " + a.name);
}

void define_codec(int file, int variable, const Codec &codec) {
    if (codec.name == "none") return;
    const bool deflate = codec.name == "deflate";
    check(nc_def_var_deflate(file, variable, 1, deflate, deflate ? std::max(codec.level, 1) : 0),
          "asking for byte shuffle and deflate");
    if (codec.name != "zstd") return;
    const unsigned level = codec.level < 0 ? 3 : static_cast<unsigned>(codec.level);
    check(nc_def_var_filter(file, variable, zstd_filter, 1, &level), "asking for zstd");
}

/// About n / pieces, by at most a factor of 2, such that as few rows as can be stick out at the end.
std::int64_t rows_of_chunk(std::int64_t n, std::int64_t pieces) {
    std::int64_t best = 1, least = n;
    for (auto p = std::max<std::int64_t>(pieces / 2, 1); p <= std::min(2 * pieces, n); ++p) {
        const auto rows = (n + p - 1) / p, over = (n + rows - 1) / rows * rows - n;
        if (over <= least) {
            best = rows;
            least = over;
        }
    }
    return best;
}

/// Chunks and codec of a variable of a netCDF-4 file; what is small or a scalar gets no codec.
void define_storage(int file, int variable, const Layout &layout, const Field &field,
                    const std::vector<std::int64_t> &shape) {
    constexpr std::int64_t worth_a_codec = 1024;
    std::int64_t bytes = static_cast<std::int64_t>(size_of(field.type));
    for (const auto n : shape) bytes *= n;
    const bool encoded = layout.codec.name != "none" && bytes >= worth_a_codec;
    if (!field.per_frame && !encoded) return; // contiguous
    const auto cut = chunk_shape(shape, field.type);
    std::vector<std::size_t> chunks(field.per_frame, 1);
    chunks.insert(chunks.end(), cut.begin(), cut.end());
    check(nc_def_var_chunking(file, variable, NC_CHUNKED, chunks.data()), "choosing chunks");
    if (encoded) define_codec(file, variable, layout.codec);
    // A field is written at once and not read again: a cache would only hold on to memory. (A size of 0
    // would stand for the library's own, which holds every field of a frame until the file is closed.)
    check(nc_set_var_chunk_cache(file, variable, 1, 1, 0), "choosing the size of the chunk cache");
}

} // namespace

std::string objection(const Layout &layout) {
    begin(); // here, where the stream is opened, and not in a thread that writes
    const auto format = layout.option("format", "netcdf4");
    const auto &codec = layout.codec;
    if (codec.name != "none" && format != "netcdf4")
        return fmt::format("format {} has no codec \"{}\"; set format to netcdf4 or codec to none", format,
                           codec.name);
    if (codec.name == "deflate" && (codec.level == 0 || codec.level > 9))
        return fmt::format("codec deflate has no level {}; choose one from 1 to 9", codec.level);
    if (codec.name == "zstd" && codec.level == 0) return "codec zstd has no level 0; choose one from 1 to 22";
    return kind_fault(layout);
}

int format_flags(const Layout &layout) {
    switch (kind_of(layout)) {
    case Kind::cdf1:
        break;
    case Kind::cdf2:
        return NC_64BIT_OFFSET;
    case Kind::cdf5:
        return NC_64BIT_DATA;
    case Kind::netcdf4:
        return NC_NETCDF4;
    }
    return 0;
}

std::vector<std::int64_t> chunk_shape(const std::vector<std::int64_t> &shape, Type type) {
    constexpr std::int64_t target = 2 << 20;
    std::vector<std::int64_t> chunk(shape.size(), 1);
    std::int64_t inner = static_cast<std::int64_t>(size_of(type));
    for (auto d = shape.size(); d-- > 0;) {
        const auto bytes = inner * shape[d];
        chunk[d] = bytes < 2 * target ? shape[d] : rows_of_chunk(shape[d], bytes / target);
        if (chunk[d] < shape[d]) break;
        inner = bytes;
    }
    return chunk;
}

std::map<std::string, int> define_dimensions(int file, const Layout &layout) {
    int old = 0;
    check(nc_set_fill(file, NC_NOFILL, &old),
          "defining the file"); // every point is written: commit saw to it
    for (const auto &a : layout.spec.attributes) define_attribute(file, NC_GLOBAL, a);
    int record = 0;
    if (!layout.spec.record_dimension.empty())
        check(nc_def_dim(file, layout.spec.record_dimension.c_str(), NC_UNLIMITED, &record),
              "defining the record dimension");
    std::map<std::string, int> ids;
    for (const auto &d : layout.spec.dimensions)
        check(nc_def_dim(file, d.name.c_str(), static_cast<std::size_t>(d.size), &ids[d.name]),
              "defining dimension " + d.name);
    return ids;
}

int define_variable(int file, const Layout &layout, const Field &field, const std::string &name,
                    const std::vector<int> &dimensions, const std::vector<std::int64_t> &shape) {
    int variable = 0;
    check(nc_def_var(file, name.c_str(), nc_type_of(field.type), static_cast<int>(dimensions.size()),
                     dimensions.data(), &variable),
          "defining field " + name);
    for (const auto &a : field.attributes) define_attribute(file, variable, a);
    int format = 0;
    check(nc_inq_format(file, &format), "defining the file");
    if (format == NC_FORMAT_NETCDF4) define_storage(file, variable, layout, field, shape);
    return variable;
}

void define_missing(int file, const Layout &layout) {
    const auto lacks = [&](const FieldLayout &f) {
        int variable = 0;
        return nc_inq_varid(file, f.field.name.c_str(), &variable) != NC_NOERR;
    };
    if (!layout.files_of_client() && std::ranges::none_of(layout.fields, lacks)) return;
    int old = 0;
    check(nc_redef(file), "changing the header");
    check(nc_set_fill(file, NC_FILL, &old), "changing the header");
    if (layout.files_of_client())
        for (const auto &a : layout.spec.attributes) define_attribute(file, NC_GLOBAL, a);
    const auto dimension = [&](const std::string &name, std::size_t size) {
        int id = 0;
        if (nc_inq_dimid(file, name.c_str(), &id) != NC_NOERR)
            check(nc_def_dim(file, name.c_str(), size, &id), "defining dimension " + name);
        return id;
    };
    for (const auto &f : layout.fields) {
        if (!lacks(f)) continue;
        std::vector<int> ids;
        if (f.field.per_frame) ids.push_back(dimension(layout.spec.record_dimension, NC_UNLIMITED));
        for (std::size_t d = 0; d < f.shape.size(); ++d)
            ids.push_back(dimension(f.field.dimensions[d], static_cast<std::size_t>(f.shape[d])));
        define_variable(file, layout, f.field, f.field.name, ids, f.shape);
    }
    check(nc_enddef(file), "writing the header");
    check(nc_set_fill(file, NC_NOFILL, &old), "changing the header");
}

std::vector<int> define_all(int file, const Layout &layout) {
    const auto ids = define_dimensions(file, layout);
    std::vector<int> variables;
    for (const auto &f : layout.fields) {
        std::vector<int> dimensions(f.field.per_frame, 0);
        for (const auto &d : f.field.dimensions) dimensions.push_back(ids.at(d));
        variables.push_back(define_variable(file, layout, f.field, f.field.name, dimensions, f.shape));
    }
    return variables;
}

void put(int file, int variable, const Field &field, std::int64_t frame, const Box &box, const void *points) {
    std::vector<std::size_t> start, count;
    if (field.per_frame) {
        start.push_back(static_cast<std::size_t>(frame));
        count.push_back(1);
    }
    start.insert(start.end(), box.start.begin(), box.start.end());
    count.insert(count.end(), box.count.begin(), box.count.end());
    check(nc_put_vara(file, variable, start.data(), count.data(), points), "writing field " + field.name);
}

} // namespace squall::io::netcdf
