#include "publish/append.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace squall::io {
namespace {

std::string field_fault(const Field &declared, const Source &file) {
    const auto f = std::ranges::find(file.fields, declared.name, &Field::name);
    if (f == file.fields.end()) return fmt::format("it has no field {}", declared.name);
    if (f->type != declared.type)
        return fmt::format("its field {} is {} and not {}", f->name, name_of(f->type),
                           name_of(declared.type));
    if (f->per_frame != declared.per_frame || f->dimensions != declared.dimensions)
        return fmt::format("its field {} has the dimensions {}, not {}{}", f->name, list(f->dimensions),
                           list(declared.dimensions), f->per_frame == declared.per_frame ? "" : " per frame");
    return "";
}

} // namespace

std::string append_fault(const Layout &layout, const Source &file) {
    std::string fault;
    if (file.record_dimension != layout.spec.record_dimension)
        fault = fmt::format("its record dimension is {} and not {}", file.record_dimension,
                            layout.spec.record_dimension);
    for (const auto &d : layout.spec.dimensions) {
        const auto there = std::ranges::find(file.dimensions, d.name, &Dimension::name);
        if (fault.empty() && (there == file.dimensions.end() || there->size != d.size))
            fault = there == file.dimensions.end()
                        ? fmt::format("it has no dimension {}", d.name)
                        : fmt::format("its dimension {} is {} and not {}", d.name, there->size, d.size);
    }
    for (const auto &f : layout.fields)
        if (fault.empty()) fault = field_fault(f.field, file);
    if (fault.empty() && file.fields.size() != layout.fields.size())
        fault = fmt::format("it has {} fields and not {}", file.fields.size(), layout.fields.size());
    if (fault.empty()) return "";
    return fmt::format("cannot append: {}; declare the stream as the file is, or write to another", fault);
}

} // namespace squall::io
