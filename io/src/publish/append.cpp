#include "publish/append.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "declare/time.hpp"
#include "read/times.hpp"
#include "squall/io_append.hpp"

namespace squall::io {
namespace {

/// Whether frames of an earlier run's file that are not before this run's make room for these.
bool makes_anew(const StreamSpec &spec) { return spec.append && spec.replace && spec.time; }

/// How many frames of a file are before a time.
std::int64_t count_before(const Time &time, const Source &file) {
    const TimeCoordinate times(file);
    const auto first = instant_of(time);
    std::int64_t before = 0;
    for (std::int64_t n = 0; n < file.frames; ++n) before += instant_of(times[n]) < first;
    return before;
}

bool has(const std::vector<Attribute> &attributes, const std::string &name) {
    return std::ranges::find(attributes, name, &Attribute::name) != attributes.end();
}

const Field *find(const Source &file, const std::string &name) {
    const auto f = std::ranges::find(file.fields, name, &Field::name);
    return f == file.fields.end() ? nullptr : &*f;
}

/// A file that the client opens may gain what its declaration has gained.
std::string field_fault(const Layout &layout, const Field &declared, const Source &file) {
    const auto *f = find(file, declared.name);
    if (!f) return layout.files_of_client() ? "" : fmt::format("it has no field {}", declared.name);
    if (f->type != declared.type)
        return fmt::format("its field {} is {}, not {}", f->name, name_of(f->type), name_of(declared.type));
    if (f->per_frame != declared.per_frame || f->dimensions != declared.dimensions)
        return fmt::format("its field {} has the dimensions {}, not {}{}", f->name, list(f->dimensions),
                           list(declared.dimensions), f->per_frame == declared.per_frame ? "" : " per frame");
    return "";
}

/// What of the file is not as the stream declares it, or "".
std::string declaration_fault(const Layout &layout, const Source &file) {
    std::string fault;
    if (file.record_dimension != layout.spec.record_dimension)
        fault = fmt::format("its record dimension is {}, not {}", file.record_dimension,
                            layout.spec.record_dimension);
    for (const auto &d : layout.spec.dimensions) {
        const auto there = std::ranges::find(file.dimensions, d.name, &Dimension::name);
        if (there == file.dimensions.end()) {
            if (fault.empty() && !layout.files_of_client())
                fault = fmt::format("it has no dimension {}", d.name);
        } else if (fault.empty() && there->size != d.size) {
            fault = fmt::format("its dimension {} is {}, not {}", d.name, there->size, d.size);
        }
    }
    for (const auto &f : layout.fields)
        if (fault.empty()) fault = field_fault(layout, f.field, file);
    for (const auto &f : file.fields)
        if (fault.empty() && layout.find(f.name) < 0)
            fault = fmt::format("it has a field {}, which is not declared", f.name);
    if (fault.empty()) return "";
    return fmt::format("cannot append: {}; declare the stream as the file is, or write to another", fault);
}

/// What the declaration lacks of what the file says, or will say when it has gained fields.
void add_descriptions(const Layout &layout, const Source &file, Continuation &found) {
    const std::string fill_value = "_FillValue";
    for (const auto &a : file.attributes)
        if (!has(layout.spec.attributes, a.name)) found.attributes.push_back(a);
    for (const auto &f : layout.fields) {
        if (!f.field.per_frame || f.field.type == Type::character || has(f.field.attributes, fill_value))
            continue;
        const auto *there = find(file, f.field.name);
        if (there ? has(there->attributes, fill_value) : found.frames > 0)
            found.filled.push_back(f.field.name);
    }
}

/// See continuation().
std::optional<Continuation> continuation_in(const Layout &layout, const std::string &path, const Source &file,
                                            const Time &first) {
    Continuation found{.frames = file.frames, .there = file.frames};
    for (const auto &f : layout.fields) found.gained.push_back(!find(file, f.field.name));
    if (makes_anew(layout.spec)) {
        found.frames = count_before(first, file);
        if (found.frames == 0) return std::nullopt;
    }
    const Engine &engine = *layout.engine;
    if (engine.recognises && !engine.recognises(path))
        throw Error(fmt::format("cannot append: engine {} did not write it", engine.name));
    if (const auto fault = declaration_fault(layout, file); !fault.empty()) throw Error(fault);
    if (engine.append_objection)
        if (const auto fault = engine.append_objection(layout, path); !fault.empty()) throw Error(fault);
    if (!layout.files_of_client() && layout.spec.frames_per_file > 0 &&
        found.frames >= layout.spec.frames_per_file)
        throw Error(fmt::format(
            "it already has {} frames, the most that a file may have; there is nothing to append to",
            found.frames));
    if (layout.files_of_client()) add_descriptions(layout, file, found);
    return found;
}

} // namespace

std::optional<Continuation> continuation(const Layout &layout, const std::string &path, const Time &first) {
    if (!std::filesystem::exists(path)) return std::nullopt;
    return continuation_in(layout, path, *open_source(path), first);
}

EarlierFile::EarlierFile(std::string path) : path_(std::move(path)) {
    try {
        source_ = open_source(path_);
    } catch (const std::exception &error) {
        throw Error(fmt::format("{}: {}", path_, error.what()));
    }
}
EarlierFile::EarlierFile(EarlierFile &&) noexcept = default;
EarlierFile::~EarlierFile() = default;

bool EarlierFile::has(const std::string &field) const {
    return std::ranges::find(source_->fields, field, &Field::name) != source_->fields.end();
}

std::int64_t EarlierFile::frames_before(const Time &time) const try {
    return count_before(time, *source_);
} catch (const std::exception &error) {
    throw Error(fmt::format("{}: {}", path_, error.what()));
}

std::string EarlierFile::fault(const StreamSpec &spec, const Time &first) const {
    const Layout layout(spec);
    auto time = first;
    if (time.calendar.empty()) time.calendar = layout.spec.calendar;
    try {
        continuation_in(layout, path_, *source_, time);
    } catch (const std::exception &error) {
        return fmt::format("{}: {}", path_, error.what());
    }
    return "";
}

} // namespace squall::io
