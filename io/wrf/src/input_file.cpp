#include "input_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

namespace squall::wrf {
namespace {

/// WRF asks for the name with colons, also where the layer that wrote the file left them out.
std::string existing(const std::string &file) {
    if (std::filesystem::exists(file)) return file;
    auto without = file;
    std::ranges::replace(without, ':', '_');
    return std::filesystem::exists(without) ? without : file;
}

bool is_real(io::Type type) { return type == io::Type::f32 || type == io::Type::f64; }
bool is_real(FieldType type) { return type == wrf_real || type == wrf_double; }

io::Type in_memory(FieldType type) {
    return type == wrf_double ? io::Type::f64 : type == wrf_real ? io::Type::f32 : io::Type::i32;
}

template <class To, class From> void copy(const std::vector<From> &from, int count, void *data) {
    for (int n = 0; n < count; ++n) static_cast<To *>(data)[n] = static_cast<To>(from[std::size_t(n)]);
}

/// The numbers as WRF wants them; type_mismatch if they are of another kind.
Status numbers(const io::Value &value, FieldType type, int most, void *data, int &count) {
    return std::visit(
        [&](const auto &v) -> Status {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>) {
                return type_mismatch;
            } else {
                using Number = typename std::decay_t<decltype(v)>::value_type;
                if (std::is_floating_point_v<Number> != is_real(type)) return type_mismatch;
                if (v.empty()) return zero_length;
                count = std::min(most, static_cast<int>(v.size()));
                if (type == wrf_double)
                    copy<double>(v, count, data);
                else if (type == wrf_real)
                    copy<float>(v, count, data);
                else
                    copy<std::int32_t>(v, count, data);
                return v.size() > std::size_t(most) ? more_data_in_file : ok;
            }
        },
        value);
}

} // namespace

InputFile::InputFile(const std::string &file) : file_(file), reader_(existing(file)) {
    if (reader_.has(times_name) && reader_.field(times_name).per_frame)
        for (std::int64_t f = 0; f < reader_.frames(); ++f)
            dates_.push_back(reader_.texts(times_name, f).at(0));
    for (const auto &f : reader_.fields())
        if (f.name != times_name && !f.name.starts_with("md___")) fields_.push_back(f.name);
}

std::int64_t InputFile::frame_at(const std::string &date) const {
    const auto found = std::ranges::find(dates_, date);
    return found == dates_.end() ? -1 : found - dates_.begin();
}

Status InputFile::set_time(const std::string &date) {
    const auto frame = frame_at(date);
    if (frame < 0) return time_not_found;
    time_ = frame + 1;
    variable_ = 0;
    return ok;
}

Status InputFile::next_time(std::string &date) {
    if (time_ >= static_cast<std::int64_t>(dates_.size())) return no_more_times;
    date = dates_[static_cast<std::size_t>(time_++)];
    variable_ = 0;
    return ok;
}

/// From the first time, too, as in WRF's layers: then the next one is the first again. ndown.exe does so.
Status InputFile::previous_time(std::string &date) {
    if (dates_.empty()) return no_more_times;
    if (time_ > 0) --time_;
    date = dates_[static_cast<std::size_t>(std::max<std::int64_t>(time_ - 1, 0))];
    variable_ = 0;
    return ok;
}

Status InputFile::next_variable(std::string &name) {
    if (variable_ >= fields_.size()) return no_more_variables;
    name = fields_[variable_++];
    return ok;
}

const io::Value *InputFile::found(const std::string &field, const std::string &name) const {
    if (!field.empty() && !reader_.has(field)) return nullptr;
    const auto &attributes = field.empty() ? reader_.attributes() : reader_.field(field).attributes;
    const auto found = std::ranges::find(attributes, name, &io::Attribute::name);
    return found == attributes.end() ? nullptr : &found->value;
}

Status InputFile::inquire(const std::string &name, std::string &memory_order, std::vector<int> &ends,
                          int &type) const {
    if (!reader_.has(name)) return variable_not_found;
    int count = 0;
    std::int32_t told = 0;
    if (const auto status = attribute(name, "FieldType", wrf_integer, 1, &told, count); status != ok)
        return status;
    if (const auto status = attribute(name, "MemoryOrder", memory_order); status != ok) return status;
    type = told;
    const auto shape = reader_.shape(name);
    ends.assign(shape.rbegin(), shape.rend());
    return ok;
}

/// That the field in the file has the type and the extents that WRF reads.
Status InputFile::fits(const PassedField &field) const {
    if (!reader_.has(field.name)) return variable_not_found;
    if (is_real(reader_.field(field.name).type) != is_real(field.type)) return type_mismatch;
    const auto shape = reader_.shape(field.name); // slowest first
    const auto n = field.order.dimensions();
    if (shape.size() != n && !(n == 0 && shape.size() == 1))
        return bad_dimensions_of_variable; // scalars of old
    for (std::size_t f = 0; f < n; ++f) {
        const auto d = field.order.in_memory(f);
        if (field.patch.last[d] - field.domain.first[d] >= shape[n - 1 - f]) return read_past_end;
    }
    return ok;
}

Status InputFile::read(const PassedField &field, void *data) const {
    if (const auto status = fits(field); status != ok) return status;
    const auto frame = frame_at(field.date);
    if (frame < 0) return time_not_found;
    auto part = io::part_of(field.order, field.domain.first, field.memory, field.patch);
    if (std::ranges::find(part.box.count, 0) != part.box.count.end()) return ok;
    if (field.order.dimensions() == 0 && reader_.shape(field.name).size() == 1) part = {{{0}, {1}}, {1}, 0};
    const auto size = field.type == wrf_double ? sizeof(double) : sizeof(float);
    reader_.read(field.name, frame, part.box,
                 static_cast<std::byte *>(data) + part.first * std::ptrdiff_t(size), in_memory(field.type),
                 part.strides);
    return ok;
}

Status InputFile::attribute(const std::string &field, const std::string &name, FieldType type, int most,
                            void *data, int &count) const {
    const auto *value = found(field, name);
    return value ? numbers(*value, type, most, data, count) : metadata_not_found;
}

Status InputFile::attribute(const std::string &field, const std::string &name, std::string &text) const {
    const auto *value = found(field, name);
    if (!value) return metadata_not_found;
    const auto *told = std::get_if<std::string>(value);
    if (!told) return type_mismatch;
    text = *told;
    return ok;
}

Status InputFile::metadata(const std::string &date, const std::string &name, FieldType type, int most,
                           void *data, int &count) const {
    if (!reader_.has(name)) return metadata_not_found;
    const auto frame = frame_at(date);
    if (frame < 0) return time_not_found;
    if (is_real(reader_.field(name).type) != is_real(type)) return type_mismatch;
    const auto length = reader_.shape(name).at(0);
    count = static_cast<int>(std::min<std::int64_t>(most, length));
    reader_.read(name, frame, {{0}, {count}}, data, in_memory(type), {});
    return length > most ? more_data_in_file : ok;
}

Status InputFile::metadata(const std::string &date, const std::string &name, std::string &text) const {
    if (!reader_.has(name)) return metadata_not_found;
    const auto frame = frame_at(date);
    if (frame < 0) return time_not_found;
    text = reader_.texts(name, frame).at(0);
    return ok;
}

} // namespace squall::wrf
