/// Reading what the engine `netcdf`, or anybody else, wrote: netCDF-4 through netCDF-C, the classic formats
/// without (classic_source.cpp).

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <netcdf.h>

#include "engines/netcdf/classic.hpp"
#include "engines/netcdf/library.hpp"
#include "engines/netcdf/netcdf.hpp"

namespace squall::io::netcdf {
namespace {

/// The type that holds every value of a netCDF type, or nothing for text of variable length and
/// user-defined types.
std::optional<Type> type_from(nc_type type) {
    switch (type) {
    case NC_CHAR:
        return Type::character;
    case NC_BYTE:
        return Type::i8;
    case NC_UBYTE:
        return Type::u8;
    case NC_SHORT:
        return Type::i16;
    case NC_USHORT:
    case NC_INT:
        return Type::i32;
    case NC_FLOAT:
        return Type::f32;
    case NC_UINT:
    case NC_INT64:
        return Type::i64;
    case NC_UINT64:
    case NC_DOUBLE:
        return Type::f64;
    default:
        return std::nullopt;
    }
}

class NetcdfSource final : public Source {
  public:
    explicit NetcdfSource(const std::string &file) {
        std::error_code ignored; // what is no file netCDF-C refuses in its words
        file_bytes_ = std::filesystem::file_size(file, ignored);
        const auto lock = alone();
        check(nc_open(file.c_str(), NC_NOWRITE, &id_), "opening the file");
        try {
            survey();
        } catch (...) {
            nc_close(id_); // no destructor runs for an object that was not made
            throw;
        }
    }
    ~NetcdfSource() override {
        const auto lock = alone();
        nc_close(id_);
    }

    void read(int field, std::int64_t frame, const Box &box, void *contiguous, Type memory) const override {
        const auto &f = fields[field];
        std::vector<std::size_t> start, count;
        if (f.per_frame) {
            start.push_back(static_cast<std::size_t>(frame));
            count.push_back(1);
        }
        start.insert(start.end(), box.start.begin(), box.start.end());
        count.insert(count.end(), box.count.begin(), box.count.end());
        const auto lock = alone();
        check(get(variables_[field], start.data(), count.data(), contiguous, memory), "reading");
    }

  private:
    int get(int variable, const std::size_t *start, const std::size_t *count, void *to, Type memory) const {
        switch (memory) {
        case Type::f32:
            return nc_get_vara_float(id_, variable, start, count, static_cast<float *>(to));
        case Type::f64:
            return nc_get_vara_double(id_, variable, start, count, static_cast<double *>(to));
        case Type::i16:
            return nc_get_vara_short(id_, variable, start, count, static_cast<short *>(to));
        case Type::i32:
            return nc_get_vara_int(id_, variable, start, count, static_cast<int *>(to));
        case Type::i8:
            return nc_get_vara_schar(id_, variable, start, count, static_cast<signed char *>(to));
        case Type::u8:
            return nc_get_vara_uchar(id_, variable, start, count, static_cast<unsigned char *>(to));
        case Type::i64:
            return nc_get_vara_longlong(id_, variable, start, count, static_cast<long long *>(to));
        case Type::character:
        case Type::text:
            break;
        }
        return nc_get_vara_text(id_, variable, start, count, static_cast<char *>(to));
    }

    void survey() {
        int number_of_dimensions = 0, number_of_variables = 0, number_of_attributes = 0, record = -1;
        check(nc_inq(id_, &number_of_dimensions, &number_of_variables, &number_of_attributes, &record),
              "reading the header");
        std::vector<int> ids(static_cast<std::size_t>(number_of_dimensions)); // groups share one numbering
        check(nc_inq_dimids(id_, &number_of_dimensions, ids.data(), 0), "reading the header");
        for (const auto d : ids) {
            char name[NC_MAX_NAME + 1];
            std::size_t size = 0;
            check(nc_inq_dim(id_, d, name, &size), "reading the header");
            if (size > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()))
                throw Error(fmt::format("dimension {} has the size {}; the file is damaged, use another copy",
                                        name, size));
            names_[d] = name;
            if (d == record) {
                record_dimension = name;
                frames = static_cast<std::int64_t>(size);
            } else
                dimensions.push_back({name, static_cast<std::int64_t>(size)});
        }
        if (record >= 0 && !leads(record, number_of_variables)) { // then it is a dimension as others are
            dimensions.push_back({record_dimension, frames});
            record = -1;
        }
        if (record < 0) {
            record_dimension.clear();
            frames = 0;
        }
        attributes = read_attributes(NC_GLOBAL, number_of_attributes, "");
        for (int v = 0; v < number_of_variables; ++v) survey_variable(v, record);
        survey_groups();
    }

    /// Whether a dimension is the first of all variables that have it.
    bool leads(int dimension, int number_of_variables) const {
        for (int v = 0; v < number_of_variables; ++v) {
            int rank = 0, ids[NC_MAX_VAR_DIMS];
            check(nc_inq_varndims(id_, v, &rank), "reading the header");
            check(nc_inq_vardimid(id_, v, ids), "reading the header");
            for (int d = 1; d < rank; ++d)
                if (ids[d] == dimension) return false;
        }
        return true;
    }

    void survey_groups() {
        int number = 0;
        check(nc_inq_grps(id_, &number, nullptr), "reading the header");
        std::vector<int> groups(static_cast<std::size_t>(number));
        if (number > 0) check(nc_inq_grps(id_, &number, groups.data()), "reading the header");
        for (const auto group : groups) {
            char name[NC_MAX_NAME + 1];
            check(nc_inq_grpname(group, name), "reading the header");
            unheld.push_back({"", fmt::format("the group {}", name)});
        }
    }

    void survey_variable(int v, int record) {
        char name[NC_MAX_NAME + 1];
        nc_type type = NC_NAT;
        int rank = 0, number_of_attributes = 0, ids[NC_MAX_VAR_DIMS];
        check(nc_inq_var(id_, v, name, &type, &rank, ids, &number_of_attributes), "reading the header");
        const auto known = type_from(type);
        if (!known || type == NC_UINT64)
            unheld.push_back({name, fmt::format("field {}, {}", name, kind_of(type))});
        if (!known) return;
        Field field{
            name, *known, {}, read_attributes(v, number_of_attributes, name), rank > 0 && ids[0] == record};
        for (int d = field.per_frame ? 1 : 0; d < rank; ++d) {
            const auto known_dimension = names_.find(ids[d]);
            if (known_dimension == names_.end())
                throw Error(
                    fmt::format("field {} has a dimension that the file does not declare; it is damaged, "
                                "use another copy",
                                name));
            field.dimensions.push_back(known_dimension->second);
        }
        fields.push_back(std::move(field));
        variables_.push_back(v);
    }

    /// In words.
    std::string kind_of(nc_type type) const {
        if (type == NC_STRING) return "of strings of variable length";
        if (type == NC_UINT64) return "of unsigned 64-bit integers";
        char name[NC_MAX_NAME + 1];
        int kind = 0;
        check(nc_inq_user_type(id_, type, name, nullptr, nullptr, nullptr, &kind), "reading the header");
        const auto *what = kind == NC_COMPOUND ? "compound"
                           : kind == NC_VLEN   ? "variable-length"
                           : kind == NC_ENUM   ? "enumerated"
                                               : "opaque";
        return fmt::format("of the {} type {}", what, name);
    }

    /// owner: the field's name; "": of the file.
    std::vector<Attribute> read_attributes(int variable, int number, const std::string &owner) {
        std::vector<Attribute> all;
        for (int a = 0; a < number; ++a) {
            char name[NC_MAX_NAME + 1];
            nc_type type = NC_NAT;
            std::size_t length = 0;
            check(nc_inq_attname(id_, variable, a, name), "reading the header");
            check(nc_inq_att(id_, variable, name, &type, &length), "reading the header");
            if (length > file_bytes_)
                throw Error(fmt::format("attribute {} has {} values, more than the file has bytes; it is "
                                        "damaged, use another copy",
                                        name, length));
            const auto known = type_from(type);
            if (type == NC_STRING && length == 1)
                all.push_back(read_string(variable, name));
            else if (known && type != NC_UINT64)
                all.push_back(read_attribute(variable, name, *known, length));
            else if (!known || !read_unsigned(variable, name, length, all))
                unheld.push_back({owner, fmt::format("attribute {}{}, {}", owner.empty() ? "" : owner + ":",
                                                     name, kind_of(type))});
        }
        return all;
    }

    Attribute read_attribute(int variable, const char *name, Type type, std::size_t length) const {
        const auto with = [&](auto values, auto get_att) {
            check(get_att(id_, variable, name, values.data()), fmt::format("reading attribute {}", name));
            return Attribute(name, Value(std::move(values)));
        };
        switch (type) {
        case Type::f32:
            return with(std::vector<float>(length), nc_get_att_float);
        case Type::f64:
            return with(std::vector<double>(length), nc_get_att_double);
        case Type::i64:
            return with(std::vector<std::int64_t>(length),
                        [](int id, int v, const char *n, std::int64_t *to) {
                            return nc_get_att_longlong(id, v, n, reinterpret_cast<long long *>(to));
                        });
        case Type::i8:
        case Type::u8:
        case Type::i16:
        case Type::i32:
            return with(std::vector<std::int32_t>(length), nc_get_att_int);
        case Type::text:
        case Type::character:
            break;
        }
        return with(std::string(length, '\0'), nc_get_att_text);
    }

    /// Unsigned 64-bit integers, if all are such that signed ones hold them.
    bool read_unsigned(int variable, const char *name, std::size_t length, std::vector<Attribute> &to) const {
        std::vector<unsigned long long> values(length);
        check(nc_get_att_ulonglong(id_, variable, name, values.data()),
              fmt::format("reading attribute {}", name));
        std::vector<std::int64_t> held;
        for (const auto x : values) {
            if (x > static_cast<unsigned long long>(std::numeric_limits<std::int64_t>::max())) return false;
            held.push_back(static_cast<std::int64_t>(x));
        }
        to.emplace_back(name, Value(std::move(held)));
        return true;
    }

    Attribute read_string(int variable, const char *name) const {
        char *text = nullptr;
        check(nc_get_att_string(id_, variable, name, &text), fmt::format("reading attribute {}", name));
        Attribute a(name, text ? text : "");
        nc_free_string(1, &text);
        return a;
    }

    int id_ = 0;
    std::uint64_t file_bytes_ = 0;
    std::map<int, std::string> names_; ///< of all dimensions, by id
    std::vector<int> variables_;       ///< id per field
};

} // namespace

bool recognises(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    char magic[4] = {};
    in.read(magic, sizeof magic);
    return std::memcmp(magic, "CDF", 3) == 0 || std::memcmp(magic, "\x89HDF", 4) == 0;
}

std::unique_ptr<Source> open(const std::string &file) {
    if (!std::filesystem::exists(file)) throw Error("no such file; check the path");
    if (is_classic(file)) return open_classic(file);
    return std::make_unique<NetcdfSource>(file);
}

} // namespace squall::io::netcdf
