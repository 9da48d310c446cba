#include "output_file.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include <fmt/format.h>

namespace squall::wrf {
namespace {

/// The value of a key in "KEY=VALUE,KEY=VALUE", in lower case; "": it is not there.
std::string value_in(const std::string &pairs, const std::string &key) {
    std::smatch found;
    if (!std::regex_search(pairs, found, std::regex("(^|,)" + key + "=([^, ]*)"))) return "";
    auto value = found[2].str();
    std::ranges::transform(value, value.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value;
}

/// The name under which the parallel layers make a file, since many file systems and tools dislike colons.
std::string without_colons(std::string file) {
    std::ranges::replace(file, ':', '_');
    return file;
}

io::Type in_memory(FieldType type) {
    return type == wrf_double ? io::Type::f64 : type == wrf_real ? io::Type::f32 : io::Type::i32;
}

/// Fortran's truths as 0 and 1: compilers differ in what .true. is.
std::vector<std::int32_t> as_numbers(const std::int32_t *truths, const io::ArrayPart &part) {
    const auto &count = part.box.count;
    std::size_t points = 1;
    for (const auto n : count) points *= static_cast<std::size_t>(n);
    std::vector<std::int32_t> numbers(points);
    std::vector<std::int64_t> at(count.size(), 0);
    for (auto &number : numbers) {
        std::ptrdiff_t offset = part.first;
        for (std::size_t d = 0; d < at.size(); ++d) offset += at[d] * part.strides[d];
        number = truths[offset] != 0;
        for (std::size_t d = at.size(); d-- > 0 && ++at[d] == count[d];) at[d] = 0;
    }
    return numbers;
}

std::size_t size_of(FieldType type) { return type == wrf_double ? sizeof(double) : sizeof(float); }

/// A quilt server of WRF's passes its patch alone, and says so by these extents of the array.
constexpr int whole_patch = -998899;

io::IndexBounds extents(const PassedField &field) {
    const bool told = field.order.dimensions() > 0 && field.memory.first[0] == whole_patch;
    return told ? field.patch : field.memory;
}

bool is_date(const std::string &text) {
    static const std::regex date(R"(\d{4}-\d\d-\d\d_\d\d:\d\d:\d\d)");
    return std::regex_match(text, date);
}

} // namespace

OutputFile::OutputFile(const Layer &layer, MPI_Comm comm, std::string file, const std::string &system,
                       Streams &streams)
    : layer_(layer), comm_(layer.serial ? MPI_COMM_SELF : comm),
      file_(layer.serial ? std::move(file) : without_colons(std::move(file))),
      kind_(value_in(system, "DATASET")), single_(value_in(system, "REAL_OUTPUT_SIZE") == "4"),
      streams_(streams) {}

FieldType OutputFile::type_in_file(FieldType type) const {
    return single_ && type == wrf_double ? wrf_real : type;
}

Status OutputFile::describe(const std::string &field, io::Attribute attribute) {
    if (stream_ && !field.empty()) return metadata_after_commit;
    // With every frame WRF says again what the file is, and before the first it may say otherwise, as
    // ndown.exe does.
    return opened_ ? ok : description_.describe(field, std::move(attribute));
}

Status OutputFile::declare_metadata(const std::string &name, io::Type type, std::int64_t length) {
    return description_.declare_metadata(name, type, length);
}

void OutputFile::commit() {
    const auto [directory, name] = streams_.place(comm_, kind_, file_);
    stream_ = &streams_.with(layer_, comm_, kind_, directory, name, description_);
}

/// At the first frame, or when the file is closed without one.
void OutputFile::open() {
    if (opened_) return;
    opened_ = true;
    const auto name = streams_.place(comm_, kind_, file_).second;
    streams_.settle(*stream_, name);
    stream_->stream.open_file(name, description_.attributes(), io::Existing::replace); // as WRF does
    stream_->files.insert(name);
}

Status OutputFile::write(const PassedField &field, const void *data) {
    if (!stream_) return declare(field);
    if (const auto status = check(field); status != ok) return status;
    if (const auto status = at_time(field.date); status != ok) return status;
    const auto part = io::part_of(field.order, field.domain.first, extents(field), field.patch);
    if (!field.order.replicated() || first_rank()) {
        if (field.type == wrf_logical)
            frame_->put(field.name, part.box,
                        as_numbers(static_cast<const std::int32_t *>(data), part).data());
        else
            frame_->put(field.name, part.box,
                        static_cast<const std::byte *>(data) +
                            part.first * std::ptrdiff_t(size_of(field.type)),
                        in_memory(field.type), part.strides);
    }
    written(field.name);
    return ok;
}

Status OutputFile::declare(const PassedField &field) {
    std::vector<std::int64_t> lengths;
    for (std::size_t d = 0; d < field.order.dimensions(); ++d) lengths.push_back(field.domain.length(d));
    return description_.declare(field.name, type_in_file(field.type), field.order, field.dimensions, lengths);
}

/// That the field is as it was declared.
Status OutputFile::check(const PassedField &field) const {
    const auto *declared = description_.field(field.name);
    if (!declared) return variable_not_found;
    const auto n = field.order.dimensions();
    if (declared->dimensions.size() != n) return bad_dimensions_of_variable;
    const auto memory = extents(field);
    for (std::size_t f = 0; f < n; ++f) {
        const auto d = field.order.in_memory(f);
        if (field.domain.length(d) != description_.size(declared->dimensions[n - 1 - f]))
            return length_differs;
        const bool empty = field.patch.length(d) == 0;
        if (!empty && (field.patch.first[d] < memory.first[d] || field.patch.last[d] > memory.last[d]))
            return dimension_error;
    }
    return ok;
}

/// Begins the frame of a date unless it is open.
Status OutputFile::at_time(const std::string &date) {
    if (frame_ && date == date_) return ok;
    if (!is_date(date)) return bad_date;
    if (date == date_) return declared_twice; // all fields of the frame were written before
    end_frame();
    open();
    auto epoch = date;
    epoch[10] = 'T';
    frame_.emplace(stream_->stream.begin({0, epoch}));
    date_ = date;
    for (auto &name : description_.names()) left_.insert(std::move(name));
    if (first_rank()) frame_->put(times_name, {{0}, {date_length}}, date.data());
    return ok;
}

/// A frame that has all its fields is committed at once: WRF says only much later that it is done, when it
/// closes the file or begins the next frame.
void OutputFile::written(const std::string &name) {
    left_.erase(name);
    if (left_.empty()) end_frame();
}

Status OutputFile::write_metadata(const std::string &date, const std::string &name, const void *data,
                                  io::Type type, std::int64_t length) {
    const auto *declared = description_.field(name);
    if (!declared) return metadata_not_found;
    if (length < 1) return zero_length;
    if (length > description_.size(declared->dimensions.at(0))) return count_too_long;
    if (const auto status = at_time(date); status != ok) return status;
    if (first_rank()) frame_->put(name, {{0}, {length}}, data, type, {});
    written(name);
    return ok;
}

void OutputFile::end_frame() {
    if (!frame_) return;
    auto frame = std::move(*frame_);
    frame_.reset();
    frame.commit();
}

void OutputFile::close() {
    if (!stream_) return;
    open();
    const auto stream = std::exchange(stream_, nullptr);
    stream->busy = false;
    end_frame();
    stream->stream.close_file();
}

bool OutputFile::first_rank() const {
    int rank = 0;
    MPI_Comm_rank(stream_->comm, &rank);
    return rank == 0;
}

} // namespace squall::wrf
