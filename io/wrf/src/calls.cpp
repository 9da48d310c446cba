#include "calls.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "input_file.hpp"
#include "model.hpp"
#include "output_file.hpp"

namespace squall::wrf {
namespace {

using File = std::variant<std::unique_ptr<OutputFile>, std::unique_ptr<InputFile>>;

/// All that lives between two calls of WRF's.
struct Open {
    Streams streams;
    std::map<int, File> files;
};
Open &open_now() {
    static Open open;
    return open;
}

std::string text(const char *from, int length) {
    std::string result(from, static_cast<std::size_t>(length));
    result.erase(std::find(result.begin(), result.end(), '\0'), result.end());
    result.erase(result.find_last_not_of(' ') + 1);
    result.erase(0, result.find_first_not_of(' '));
    return result;
}

void give(const std::string &text, char *to, int length) {
    const auto n = std::min(text.size(), static_cast<std::size_t>(length));
    std::memset(to, ' ', static_cast<std::size_t>(length));
    std::memcpy(to, text.data(), n);
}

int new_handle(File file) {
    auto &files = open_now().files;
    int handle = 1;
    while (files.contains(handle)) ++handle;
    files.emplace(handle, std::move(file));
    return handle;
}

template <class T> T *file_of(int handle) {
    const auto found = open_now().files.find(handle);
    if (found == open_now().files.end()) return nullptr;
    const auto *file = std::get_if<std::unique_ptr<T>>(&found->second);
    return file ? file->get() : nullptr;
}

bool is_open(int handle) { return open_now().files.contains(handle); }

FileState state_of(int handle) {
    if (const auto *output = file_of<OutputFile>(handle)) return output->state();
    if (const auto *input = file_of<InputFile>(handle))
        return input->committed ? file_read : file_in_training;
    return file_not_opened;
}

std::string name_of(int handle) {
    if (const auto *output = file_of<OutputFile>(handle)) return output->file();
    if (const auto *input = file_of<InputFile>(handle)) return input->file();
    return "";
}

/// Runs f, which returns a status. What the runtime throws while WRF writes costs data: it ends the run.
template <class F> int writing(F f) {
    try {
        return f();
    } catch (const std::exception &e) {
        fail(e.what());
    }
}

/// Runs f, which reads. WRF decides whether it can do without.
template <class F> int reading(F f) {
    try {
        return f();
    } catch (const std::exception &e) {
        warn(e.what());
        return library_error;
    }
}

/// Does f with the file that is written, or says why it cannot.
template <class F> int with_output(int handle, F f) {
    if (auto *file = file_of<OutputFile>(handle)) return writing([&]() -> int { return f(*file); });
    return is_open(handle) ? written_to_input : bad_handle;
}

/// The same with a file that is read; `in_training`: what to return before WRF has said what it will read.
template <class F> int with_input(int handle, F f, Status in_training = read_in_training) {
    auto *file = file_of<InputFile>(handle);
    if (!file) return is_open(handle) ? read_from_output : bad_handle;
    if (!file->committed) return in_training;
    return reading([&]() -> int { return f(*file); });
}

template <class Number, class Stored = Number> std::vector<Stored> some(const void *data, int count) {
    const auto *first = static_cast<const Number *>(data);
    return {first, first + count};
}

std::vector<std::int32_t> integers(const void *data, int count, FieldType type) {
    auto numbers = some<std::int32_t>(data, count);
    if (type == wrf_logical)
        for (auto &n : numbers) n = n != 0;
    return numbers;
}

io::Value value(const void *data, int count, FieldType type) {
    if (type == wrf_real) return some<float>(data, count);
    if (type == wrf_double) return some<double>(data, count);
    return integers(data, count, type);
}

io::Type type_of_metadata(FieldType type) {
    return type == wrf_real ? io::Type::f32 : type == wrf_double ? io::Type::f64 : io::Type::i32;
}

bool is_number(int type) { return type >= wrf_real && type <= wrf_logical; }

} // namespace

void end_layers() { open_now().streams.close(); }

} // namespace squall::wrf

using namespace squall::wrf;

int squall_wrf_open_for_write(const char *layer, int layer_length, const char *file, int file_length,
                              const MPI_Fint *comm, const char *system, int system_length, int *handle) {
    return writing([&] {
        const auto &chosen = layer_named(text(layer, layer_length));
        const auto among = comm ? MPI_Comm_f2c(*comm) : domain_communicator();
        *handle = new_handle(std::make_unique<OutputFile>(chosen, among, text(file, file_length),
                                                          text(system, system_length), open_now().streams));
        return ok;
    });
}

int squall_wrf_commit_write(const int *handle) {
    return with_output(*handle, [](OutputFile &file) {
        if (file.state() != file_in_training) return not_opened;
        file.commit();
        return ok;
    });
}

int squall_wrf_open_for_read(const char *file, int file_length, int committed, int *handle) {
    return reading([&] {
        auto input = std::make_unique<InputFile>(text(file, file_length));
        input->committed = committed != 0;
        *handle = new_handle(std::move(input));
        return ok;
    });
}

int squall_wrf_commit_read(const int *handle) {
    auto *file = file_of<InputFile>(*handle);
    if (!file) return is_open(*handle) ? read_from_output : bad_handle;
    file->committed = true;
    return ok;
}

int squall_wrf_end_frame(const int *handle) {
    if (file_of<InputFile>(*handle)) return ok;
    return with_output(*handle, [](OutputFile &file) {
        if (file.state() == file_in_training) return not_committed;
        file.end_frame();
        return ok;
    });
}

int squall_wrf_close(const int *handle) {
    if (!is_open(*handle)) return bad_handle;
    const bool training = state_of(*handle) == file_in_training && file_of<OutputFile>(*handle);
    if (auto *output = file_of<OutputFile>(*handle))
        writing([&] {
            output->close();
            return 0;
        });
    open_now().files.erase(*handle);
    return training ? closed_in_training : ok;
}

int squall_wrf_exit(const char *layer, int layer_length) {
    return writing([&] {
        open_now().streams.close(layer_named(text(layer, layer_length)));
        return ok;
    });
}

int squall_wrf_inquire_file(const int *handle, char *file, int file_length, int *state) {
    *state = state_of(*handle);
    if (!is_open(*handle)) return bad_handle;
    give(name_of(*handle), file, file_length);
    return ok;
}

int squall_wrf_inquire_opened(const int *handle, const char *file, int file_length, int *state) {
    *state = name_of(*handle) == text(file, file_length) ? state_of(*handle) : file_not_opened;
    return ok;
}

int squall_wrf_field(int write, const int *handle, const char *date, int date_length, const char *name,
                     int name_length, void *data, const int *type, const char *order, int order_length,
                     const char *names, int names_length, const int *domain_first, const int *domain_last,
                     const int *memory_first, const int *memory_last, const int *patch_first,
                     const int *patch_last) {
    const auto memory_order = squall::io::MemoryOrder::from(text(order, order_length));
    if (!memory_order) return bad_memory_order;
    if (!is_number(*type)) return bad_type;
    PassedField field{text(date, date_length),
                      text(name, name_length),
                      static_cast<FieldType>(*type),
                      *memory_order,
                      {},
                      {domain_first, domain_last},
                      {memory_first, memory_last},
                      {patch_first, patch_last}};
    if (!write)
        return with_input(
            *handle, [&](const InputFile &file) { return file.read(field, data); }, ok);
    for (std::size_t d = 0; d < memory_order->dimensions(); ++d)
        field.dimensions.push_back(text(names + d * static_cast<std::size_t>(names_length), names_length));
    return with_output(*handle, [&](OutputFile &file) { return file.write(field, data); });
}

int squall_wrf_put_numbers(const int *handle, const char *element, int element_length, const char *date,
                           int date_length, const char *field, int field_length, int type, const void *data,
                           const int *count) {
    const auto kind = static_cast<FieldType>(type);
    const auto of = text(field, field_length), name = text(element, element_length);
    return with_output(*handle, [&](OutputFile &file) {
        if (*count < 1) return zero_length;
        if (date_length == 0) return file.describe(of, {name, value(data, *count, kind)});
        const auto metadata = metadata_name(name, of);
        if (file.state() == file_in_training)
            return file.declare_metadata(metadata, type_of_metadata(kind), *count);
        const auto numbers = integers(data, kind == wrf_logical ? *count : 0, kind);
        return file.write_metadata(text(date, date_length), metadata,
                                   kind == wrf_logical ? numbers.data() : data, type_of_metadata(kind),
                                   *count);
    });
}

int squall_wrf_put_text(const int *handle, const char *element, int element_length, const char *date,
                        int date_length, const char *field, int field_length, const char *data,
                        int data_length) {
    const auto of = text(field, field_length), name = text(element, element_length);
    return with_output(*handle, [&](OutputFile &file) {
        std::string told(data, static_cast<std::size_t>(data_length));
        if (date_length == 0) {
            told.erase(told.find_last_not_of(' ') + 1);
            if (told.empty() && !of.empty()) told.assign(1, '\0'); // as WRF's layers do
            return file.describe(of, {name, told});
        }
        const auto metadata = metadata_name(name, of);
        if (file.state() == file_in_training)
            return file.declare_metadata(metadata, squall::io::Type::character, data_length);
        return file.write_metadata(text(date, date_length), metadata, told.data(),
                                   squall::io::Type::character, data_length);
    });
}

int squall_wrf_get_numbers(const int *handle, const char *element, int element_length, const char *date,
                           int date_length, const char *field, int field_length, int type, void *data,
                           const int *most, int *count) {
    const auto kind = static_cast<FieldType>(type);
    const auto of = text(field, field_length), name = text(element, element_length);
    return with_input(
        *handle,
        [&](const InputFile &file) {
            return date_length == 0 ? file.attribute(of, name, kind, *most, data, *count)
                                    : file.metadata(text(date, date_length), metadata_name(name, of), kind,
                                                    *most, data, *count);
        },
        ok);
}

int squall_wrf_get_text(const int *handle, const char *element, int element_length, const char *date,
                        int date_length, const char *field, int field_length, char *data, int data_length) {
    const auto of = text(field, field_length), name = text(element, element_length);
    return with_input(
        *handle,
        [&](const InputFile &file) {
            std::string told;
            const auto status = date_length == 0
                                    ? file.attribute(of, name, told)
                                    : file.metadata(text(date, date_length), metadata_name(name, of), told);
            if (status == ok) give(told, data, data_length);
            return status;
        },
        ok);
}

int squall_wrf_set_time(const int *handle, const char *date, int date_length) {
    return with_input(*handle, [&](InputFile &file) { return file.set_time(text(date, date_length)); });
}

int squall_wrf_step_time(const int *handle, int step, char *date, int date_length) {
    return with_input(*handle, [&](InputFile &file) {
        std::string found;
        const auto status = step > 0 ? file.next_time(found) : file.previous_time(found);
        if (status == ok) give(found, date, date_length);
        return status;
    });
}

int squall_wrf_next_variable(const int *handle, char *name, int name_length) {
    return with_input(*handle, [&](InputFile &file) {
        std::string found;
        const auto status = file.next_variable(found);
        if (status == ok) give(found, name, name_length);
        return status;
    });
}

int squall_wrf_variable(const int *handle, const char *name, int name_length, int *dimensions, char *order,
                        int order_length, int *first, int *last, int *type) {
    return with_input(*handle, [&](const InputFile &file) {
        std::string memory_order;
        std::vector<int> ends;
        const auto status = file.inquire(text(name, name_length), memory_order, ends, *type);
        if (status != ok) return status;
        give(memory_order, order, order_length);
        *dimensions = static_cast<int>(ends.size());
        std::fill_n(first, ends.size(), 1);
        std::ranges::copy(ends, last);
        return ok;
    });
}
