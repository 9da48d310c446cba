/// What the parts of the C interface share: errors as a status, handles that are never NULL.
#pragma once

#include <exception>
#include <string>

#include "squall/io.h"
#include "squall/io.hpp"

struct squall_io_session_spec {
    squall::io::SessionSpec spec;
};
struct squall_io_session {
    squall::io::Session session;
};
struct squall_io_report {
    std::vector<squall::io::StreamReport> streams;
};
struct squall_io_spec {
    squall::io::StreamSpec spec;
};
struct squall_io_stream {
    squall::io::Stream stream;
    bool first_rank = false; ///< of those that have opened it
};
struct squall_io_frame {
    squall::io::Frame frame;
    bool first_rank = false;
};
struct squall_io_reader {
    squall::io::Reader reader;
    std::vector<squall::io::Time> times = {}; ///< read when they are first asked for
};

namespace squall::io::capi {

/// Keeps the text for squall_io_last_error.
void set_last_error(const char *text) noexcept;

/// Calls f and makes a status of what it throws.
template <class F> int guarded(F &&f) noexcept {
    try {
        f();
        return SQUALL_IO_OK;
    } catch (const std::exception &e) {
        set_last_error(e.what());
    } catch (...) {
        set_last_error("unknown error");
    }
    return SQUALL_IO_ERROR;
}

/// What a pointer argument points to; throws Error if it is NULL.
template <class T> T &need(T *argument, const char *what) {
    if (!argument) throw Error(std::string("the ") + what + " is NULL");
    return *argument;
}
inline std::string need_text(const char *argument, const char *what) { return &need(argument, what); }

/// The Type of a C enumerator; throws Error if it is none.
Type type_from(squall_io_type type);
squall_io_type type_to(Type type);

/// The time, with the default epoch for NULL.
Time time_from(double seconds, const char *epoch);

/// Whether this is the first rank of a communicator.
bool leads(MPI_Comm comm);

/// A box and its strides out of C arrays, which may be NULL for a scalar.
Box box_from(int ndims, const std::int64_t *start, const std::int64_t *count);
Strides strides_from(int ndims, const std::ptrdiff_t *strides);

/// Element n of a list, with an Error that names what the list holds if there is none.
template <class List> auto &element(List &list, int n, const char *what) {
    if (n < 0 || static_cast<std::size_t>(n) >= list.size())
        throw Error(std::string("there is no ") + what + " " + std::to_string(n) + "; there are " +
                    std::to_string(list.size()) + ", counted from 0");
    return list[static_cast<std::size_t>(n)];
}

/// Sets the member of a specification that a key names. Throws Error for a key that is not there,
/// with the nearest one, and a value that is not of its kind.
void set_key(SessionSpec &spec, const std::string &key, const std::string &value);
void set_key(Reduction &reduction, const std::string &key, const std::string &value);
void set_key(StreamSpec &spec, const std::string &key, const std::string &value);

} // namespace squall::io::capi
