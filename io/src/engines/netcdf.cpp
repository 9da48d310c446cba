#include "engines/netcdf.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <netcdf.h>

#include "engines/classic.hpp"

namespace squall::io::netcdf {

void check(int status, const std::string &doing) {
    if (status != NC_NOERR) throw Error(fmt::format("{}: {}", doing, nc_strerror(status)));
}

namespace {

nc_type nc_type_of(Type type) {
    switch (type) {
    case Type::f32:
        return NC_FLOAT;
    case Type::f64:
        return NC_DOUBLE;
    case Type::i32:
        return NC_INT;
    case Type::character:
        break;
    }
    return NC_CHAR;
}

/// CDF-2 allows dimensions below 2^31 - 4 and 2^32 - 4 bytes in a variable or its record.
int format_for(const Layout &layout) {
    constexpr std::int64_t max_dimension = (std::int64_t(1) << 31) - 4,
                           max_bytes = (std::int64_t(1) << 32) - 8;
    const bool large = std::ranges::any_of(layout.spec.dimensions,
                                           [](const Dimension &d) { return d.size > max_dimension; }) ||
                       std::ranges::any_of(layout.fields, [](const FieldLayout &f) {
                           return f.points * static_cast<std::int64_t>(size_of(f.field.type)) > max_bytes;
                       });
    return large ? NC_64BIT_DATA : NC_64BIT_OFFSET;
}

class NetcdfWriter final : public Writer {
  public:
    NetcdfWriter(const Layout &layout, std::string file) : layout_(layout), file_(std::move(file)) {
        std::size_t buffer = 4 << 20; // few large writes instead of many of a disk block
        check(nc__create(file_.c_str(), NC_CLOBBER | format_for(layout), 0, &buffer, &id_),
              "creating the file");
        open_ = true;
        try {
            define();
        } catch (...) {
            nc_abort(id_); // no destructor runs for an object that was not made
            throw;
        }
    }
    ~NetcdfWriter() override {
        if (open_) nc_close(id_);
    }

    void write(int field, std::int64_t frame, const Box &box, const void *points) override {
        const auto &f = layout_.fields[field].field;
        std::vector<std::size_t> start, count;
        if (f.per_frame) {
            start.push_back(static_cast<std::size_t>(frame));
            count.push_back(1);
            written_ = std::max(written_, frame + 1);
        }
        start.insert(start.end(), box.start.begin(), box.start.end());
        count.insert(count.end(), box.count.begin(), box.count.end());
        check(nc_put_vara(id_, variables_[field], start.data(), count.data(), points),
              "writing field " + f.name);
    }

    void flush() override { check(nc_sync(id_), "flushing the file"); }

    void close(std::int64_t frames) override {
        open_ = false;
        const int status = nc_close(id_);
        if (written_ == frames) return check(status, "closing the file");
        // A frame was cut short; those before it were flushed. Make the header say so.
        set_records(file_, frames);
    }

  private:
    void define() {
        int old = 0;
        check(nc_set_fill(id_, NC_NOFILL, &old),
              "defining the file"); // every point is written: commit saw to it
        for (const auto &a : layout_.spec.attributes) define(NC_GLOBAL, a);
        int record = 0;
        check(nc_def_dim(id_, layout_.spec.record_dimension.c_str(), NC_UNLIMITED, &record),
              "defining the file");
        std::map<std::string, int> dimensions;
        for (const auto &d : layout_.spec.dimensions)
            check(nc_def_dim(id_, d.name.c_str(), static_cast<std::size_t>(d.size), &dimensions[d.name]),
                  "defining dimension " + d.name);
        for (const auto &f : layout_.fields) define(f.field, record, dimensions);
        check(nc_enddef(id_), "writing the header");
    }

    void define(const Field &field, int record, const std::map<std::string, int> &dimensions) {
        std::vector<int> ids;
        if (field.per_frame) ids.push_back(record);
        for (const auto &d : field.dimensions) ids.push_back(dimensions.at(d));
        int variable = 0;
        check(nc_def_var(id_, field.name.c_str(), nc_type_of(field.type), static_cast<int>(ids.size()),
                         ids.data(), &variable),
              "defining field " + field.name);
        for (const auto &a : field.attributes) define(variable, a);
        variables_.push_back(variable);
    }

    void define(int variable, const Attribute &a) {
        const char *name = a.name.c_str();
        const auto put = [&](const auto &values) {
            using T = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_same_v<T, char>)
                return nc_put_att_text(id_, variable, name, values.size(), values.data());
            if constexpr (std::is_same_v<T, float>)
                return nc_put_att_float(id_, variable, name, NC_FLOAT, values.size(), values.data());
            if constexpr (std::is_same_v<T, double>)
                return nc_put_att_double(id_, variable, name, NC_DOUBLE, values.size(), values.data());
            if constexpr (std::is_same_v<T, std::int32_t>)
                return nc_put_att_int(id_, variable, name, NC_INT, values.size(), values.data());
        };
        check(std::visit(put, a.value), "defining attribute " + a.name);
    }

    const Layout &layout_;
    std::string file_;
    int id_ = 0;
    bool open_ = false;
    std::int64_t written_ = 0; ///< frames begun
    std::vector<int> variables_;
};

} // namespace

std::unique_ptr<Writer> create(const Layout &layout, const std::string &file) {
    return std::make_unique<NetcdfWriter>(layout, file);
}

} // namespace squall::io::netcdf
