/* Arrays of which a program hands on the first element only, in any order of dimensions and with a halo
 * around the patch: the C interface. The conventions are those of squall/io.h, which includes this. */
#ifndef SQUALL_IO_ARRAY_H
#define SQUALL_IO_ARRAY_H

#include "squall/io.h"
#include "squall/io_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What such an array is. `order` names its dimensions, fastest first: "XZY", or strips along the boundary
 * ("XSZ", "YE"), a column ("Z"), a list ("C") or a scalar ("0"), as in squall/io_memory_order.hpp. Bounds:
 * one index per dimension in memory, fastest first, counted as the program does. `patch`: the points to put;
 * a last index before the first says that there are none. `domain_first`: the indices of the field's first
 * point. */
typedef struct {
    squall_io_type type;
    const char *order;
    const int *domain_first;
    const int *memory_first, *memory_last;
    const int *patch_first, *patch_last;
} squall_io_array;

/* Puts the patch of the array that begins at `data`, as squall_io_frame_put does. The field has its
 * dimensions in the order X, Y, Z, X fastest. Of columns, lists and scalars, which every rank has, those of
 * the first computing rank are put. */
int squall_io_frame_put_array(squall_io_frame *frame, const char *field, const squall_io_array *array,
                              const void *data);
/* The same of a field that is fixed in time. */
int squall_io_stream_put_array(squall_io_stream *stream, const char *field, const squall_io_array *array,
                               const void *data);

/* Reads the patch of the array that begins at `data`; nothing else of it is touched. */
int squall_io_reader_read_array(const squall_io_reader *reader, const char *field, int64_t frame,
                                const squall_io_array *array, void *data);

#ifdef __cplusplus
}
#endif

#endif
