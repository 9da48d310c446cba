/* Reading a file that a stream published, or any netCDF file: the C interface. Local to the rank. The
 * conventions are those of squall/io.h, which includes this. */
#ifndef SQUALL_IO_READ_H
#define SQUALL_IO_READ_H

#include "squall/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a file and checks that it is as long as its header says. */
int squall_io_reader_open(const char *path, squall_io_reader **reader);
/* The same for all ranks of a communicator, of which `readers` open the file (0: one on every node) and hand
 * on what the others want. Collective, and so are then reading and squall_io_reader_time, with a box for each
 * rank, which may be empty; see Reader in squall/io.hpp. */
int squall_io_reader_open_on(const char *path, MPI_Comm comm, int readers, squall_io_reader **reader);
int squall_io_reader_open_on_f(const char *path, MPI_Fint comm, int readers, squall_io_reader **reader);
void squall_io_reader_free(squall_io_reader *reader);

/* Frames in the file; 0 without a record dimension. */
int squall_io_reader_frames(const squall_io_reader *reader, int64_t *frames);

/* The time of a frame, from the file's time coordinate. epoch and calendar live as long as the reader. */
int squall_io_reader_time(squall_io_reader *reader, int64_t frame, double *seconds, const char **epoch,
                          const char **calendar);

/* Dimensions, without the record dimension, and fields, in the order of the file; n from 0. */
int squall_io_reader_dimensions(const squall_io_reader *reader, int *count);
int squall_io_reader_dimension(const squall_io_reader *reader, int n, const char **name, int64_t *size);
int squall_io_reader_fields(const squall_io_reader *reader, int *count);
int squall_io_reader_field(const squall_io_reader *reader, int n, const char **name);

/* A field: its type in the file, the number of its dimensions without the record dimension, and
 * whether it varies with the frame. Fails for a field that is not in the file. */
typedef struct {
    squall_io_type type;
    int ndims, per_frame;
} squall_io_field_info;
int squall_io_reader_field_info(const squall_io_reader *reader, const char *field,
                                squall_io_field_info *info);
/* The d-th dimension of a field, slowest first, from 0. */
int squall_io_reader_field_dimension(const squall_io_reader *reader, const char *field, int d,
                                     const char **name, int64_t *size);

/* An attribute: type SQUALL_IO_CHAR is a text of `count` bytes, followed by a terminating zero that is not
 * counted; I32, F32 and F64 are `count` numbers. `name` and `data` live as long as the reader. */
typedef struct {
    const char *name;
    squall_io_type type;
    int64_t count;
    const void *data;
} squall_io_attribute;
/* Attributes of a field, or of the whole file (field NULL), by number from 0 or by name. */
int squall_io_reader_attributes(const squall_io_reader *reader, const char *field, int *count);
int squall_io_reader_attribute(const squall_io_reader *reader, const char *field, int n,
                               squall_io_attribute *attribute);
int squall_io_reader_attribute_named(const squall_io_reader *reader, const char *field, const char *name,
                                     squall_io_attribute *attribute);

/* Reads a box of a field at a frame (from 0; ignored for a field that is fixed in time) into memory of
 * any type that holds it; arguments as in squall_io_frame_put. */
int squall_io_reader_read(const squall_io_reader *reader, const char *field, int64_t frame, int ndims,
                          const int64_t start[], const int64_t count[], squall_io_type type, void *data,
                          const ptrdiff_t strides[]);

#ifdef __cplusplus
}
#endif

#endif
