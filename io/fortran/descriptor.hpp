/// Fortran's arrays as the C interface sees them.
///
/// `start` is 1-based and lists the fastest dimension first, as `data` does; nstart 0 means that it
/// is left out: all ones. A text of more than one character has its characters as one more, fastest,
/// dimension, which `start` may leave out.
#pragma once

#include <cstdint>

#include <ISO_Fortran_binding.h>

#include "squall/io.h"

extern "C" {
int squall_io_f_stream_put(squall_io_stream *stream, const char *field, const CFI_cdesc_t *data,
                           const int *start, int nstart);
int squall_io_f_frame_put(squall_io_frame *frame, const char *field, const CFI_cdesc_t *data,
                          const int *start, int nstart);
/// All of this rank's points of a field in a decomposition: any array of their number, contiguous or not.
int squall_io_f_stream_put_points(squall_io_stream *stream, const char *field, const CFI_cdesc_t *data);
int squall_io_f_frame_put_points(squall_io_frame *frame, const char *field, const CFI_cdesc_t *data);
int squall_io_f_session_put(squall_io_session *session, const char *field, const CFI_cdesc_t *data,
                            const int *start, int nstart, int *takers);
int squall_io_f_session_put_points(squall_io_session *session, const char *field, const CFI_cdesc_t *data,
                                   int *takers);
/// `frame` counts from 1.
int squall_io_f_reader_read(const squall_io_reader *reader, const char *field, std::int64_t frame,
                            CFI_cdesc_t *data, const int *start, int nstart);
}
