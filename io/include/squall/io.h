/* Squall's output runtime in C: streams of frames, written while the program computes.
 *
 * squall/io.hpp describes sessions, streams, frames, engines and placements, and what each of them
 * guarantees. This is its C interface: one function per call, opaque handles, the same terms.
 *
 *     squall_io_session_open(MPI_COMM_WORLD, NULL, &session);
 *     squall_io_spec_new("history", "history_%H.nc", &spec);
 *     squall_io_spec_dimension(spec, "y", ny);
 *     squall_io_spec_dimension(spec, "x", nx);
 *     squall_io_spec_field(spec, "T", SQUALL_IO_F32, 2, (const char *[]){"y", "x"}, 1);
 *     squall_io_stream_open(session, spec, &stream);
 *     squall_io_stream_begin(stream, 3600.0, NULL, &frame);
 *     squall_io_frame_put(frame, "T", 2, start, count, SQUALL_IO_F32, t, NULL);
 *     squall_io_frame_commit(frame);
 *     squall_io_stream_close(stream);
 *     squall_io_session_close(session, NULL);
 *
 * Conventions. Dimensions, boxes and strides are listed slowest first, as they lie in the file;
 * indices are global and 0-based; strides count elements, not bytes. Texts are UTF-8 and end with a
 * zero; a text that is passed in may be changed or freed when the call returns; a text that is returned lives
 * as long as the handle it came from.
 *
 * Errors. Every function but the *_free ones returns SQUALL_IO_OK or SQUALL_IO_ERROR; after an error
 * squall_io_last_error() says what was wrong, where and what to do. Output arguments are written only on
 * success. A handle that is NULL is an error, and *_free(NULL) does nothing.
 *
 * Who calls what. Collective over the ranks of the communicator: squall_io_session_open. Collective
 * over the computing ranks: squall_io_stream_close, in the same order on every rank, and
 * squall_io_session_close. Everything else is local, except that with placement "inline"
 * squall_io_frame_commit waits until all computing ranks have committed the frame. Every computing rank opens
 * the same streams in the same order with equal declarations and commits the same frames of a stream in the
 * same order. A server calls squall_io_session_computes, squall_io_session_serve and squall_io_session_close,
 * nothing else.
 *
 * A handle is used by one thread at a time.
 */
#ifndef SQUALL_IO_H
#define SQUALL_IO_H

#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SQUALL_IO_OK = 0, SQUALL_IO_ERROR = 1 };

/* The type of one element, in memory or in a file: float, double, int16_t, int32_t, char, int8_t, uint8_t,
 * int64_t. SQUALL_IO_TEXT is a text, one element of a declared field, in memory a const char *; see Type in
 * squall/io.hpp. */
typedef enum {
    SQUALL_IO_F32,
    SQUALL_IO_F64,
    SQUALL_IO_I16,
    SQUALL_IO_I32,
    SQUALL_IO_CHAR,
    SQUALL_IO_I8,
    SQUALL_IO_U8,
    SQUALL_IO_I64,
    SQUALL_IO_TEXT
} squall_io_type;

typedef struct squall_io_session_spec squall_io_session_spec;
typedef struct squall_io_session squall_io_session;
typedef struct squall_io_report squall_io_report;
typedef struct squall_io_spec squall_io_spec;
typedef struct squall_io_stream squall_io_stream;
typedef struct squall_io_frame squall_io_frame;
typedef struct squall_io_reader squall_io_reader;

/* The message of the last call of this thread that returned SQUALL_IO_ERROR. Never NULL; valid
 * until the next such call of this thread. */
const char *squall_io_last_error(void);

/* The name of the n-th engine of this build, n from 0; NULL after the last. It lives as long as the program.
 */
const char *squall_io_engine(int n);

/* Formats the time `seconds` after `epoch` (ISO 8601; NULL: 2000-01-01T00:00:00) with a pattern of %Y %m %d
 * %H %M %S into `text`, which holds `size` bytes. Fails if it does not fit. */
int squall_io_format_time(double seconds, const char *epoch, const char *pattern, char *text, size_t size);

/* The same in a CF calendar; NULL: proleptic_gregorian. */
int squall_io_format_time_in(double seconds, const char *epoch, const char *calendar, const char *pattern,
                             char *text, size_t size);

/* The options of an engine, n from 0; see OptionInfo in squall/io.hpp. kind: "number", "size"
 * (bytes, with an optional k, M or G), "boolean", "word" (one of `words`, separated by blanks) or "text". The
 * texts live as long as the program. */
typedef struct {
    const char *name, *kind, *preset, *unit, *about, *words;
    double least;
} squall_io_option;
int squall_io_engine_options(const char *engine, int *count);
int squall_io_engine_option(const char *engine, int n, squall_io_option *option);

/* ---- Sessions: the ranks that write together ---------------------------------------------------- */

int squall_io_session_spec_new(squall_io_session_spec **spec);
void squall_io_session_spec_free(squall_io_session_spec *spec);

/* Sets one of servers, servers_per_node, groups, assignment, shared_memory ("true", "false"),
 * staging_limit [bytes], watchdog [s], timeout [s], report. Their meanings and defaults: SessionSpec in
 * squall/io.hpp. Fails for an unknown key and for a value of the wrong kind. */
int squall_io_session_spec_set(squall_io_session_spec *spec, const char *key, const char *value);

/* Opens a session on a duplicate of `comm`; spec NULL: all defaults. Collective. MPI must be
 * initialised, and must not be finalised before the session is closed. Fails on all ranks if the servers
 * leave no rank to compute, or a group has no server. */
int squall_io_session_open(MPI_Comm comm, const squall_io_session_spec *spec, squall_io_session **session);
/* The same with a communicator as Fortran's integer. */
int squall_io_session_open_f(MPI_Fint comm, const squall_io_session_spec *spec, squall_io_session **session);

/* Whether this rank computes (1) or is a server (0), which calls squall_io_session_serve. */
int squall_io_session_computes(const squall_io_session *session, int *computes);

/* The computing ranks: valid as long as the session, on them only, and not to be freed. */
int squall_io_session_comm(const squall_io_session *session, MPI_Comm *comm);
int squall_io_session_comm_f(const squall_io_session *session, MPI_Fint *comm);

/* On a server: writes frames until all computing ranks have closed the session. Fails on a computing rank,
 * and after an error from which a server cannot continue. */
int squall_io_session_serve(squall_io_session *session);

/* Advances frames in flight, without waiting. Call it once per step if steps are long and other ranks
 * contribute to fields of the frame. Local. */
int squall_io_session_progress(squall_io_session *session);

/* Ends the session, whose streams must be closed, releases the servers, writes the report file and frees the
 * handle, even if it fails. Collective over the computing ranks; on a server, after squall_io_session_serve,
 * it frees the handle. report: NULL, or where to store the report; rank 0 of the computing ranks gets it, the
 * others get an empty one. */
int squall_io_session_close(squall_io_session *session, squall_io_report **report);

/* Statistics of a stream over the whole session. Times in seconds; see StreamReport in squall/io.hpp. The
 * texts live as long as the report. */
typedef struct {
    const char *name, *engine, *placement, *codec;
    int64_t frames, failed, skipped;
    uint64_t bytes, stored_bytes;
    double perceived_median, perceived_largest, perceived_total;
    double drain_median, drain_largest;
    int64_t waits;
    double waited;
    uint64_t spilled, staging_peak;
} squall_io_stream_report;

int squall_io_report_streams(const squall_io_report *report, int *count);
int squall_io_report_stream(const squall_io_report *report, int n, squall_io_stream_report *stream);
void squall_io_report_free(squall_io_report *report);

/* ---- Declarations of streams, before squall_io_stream_open ------------------------------ */

/* A stream's name and its path: a pattern for squall_io_format_time, filled with the time of the
 * file's first frame. */
int squall_io_spec_new(const char *name, const char *path, squall_io_spec **spec);
void squall_io_spec_free(squall_io_spec *spec);

/* Sets one of engine, placement, codec, frames_per_file, replace ("true", "false"), burst_dir,
 * staging_limit [bytes], when_full, spill_dir, on_error, on_lost_server, record_dimension,
 * calendar, append ("true", "false"). Their meanings and defaults: StreamSpec in squall/io.hpp. Fails for an
 * unknown key and for a value of the wrong kind; squall_io_stream_open checks whether values are valid. */
int squall_io_spec_set(squall_io_spec *spec, const char *key, const char *value);

/* Sets an option of the engine. */
int squall_io_spec_option(squall_io_spec *spec, const char *option, const char *value);

/* Declares a dimension of the whole domain; the record dimension is implied. */
int squall_io_spec_dimension(squall_io_spec *spec, const char *name, int64_t size);

/* Declares a dimension whose length varies from frame to frame, up to `most`. See Dimension in
 * squall/io.hpp and squall_io_frame_length. */
int squall_io_spec_varying(squall_io_spec *spec, const char *name, int64_t most);

/* Keeps the indices start, start + stride, ... below stop (-1: to the end) of a dimension. Boxes are still
 * those of the domain. */
int squall_io_spec_subset(squall_io_spec *spec, const char *dimension, int64_t start, int64_t stop,
                          int64_t stride);

/* Declares a field: its type in the file and the names of its dimensions, slowest first, without the
 * record dimension. per_frame 0: fixed in time, put with squall_io_stream_put. ndims 0: a scalar,
 * whose dimensions may be NULL. */
int squall_io_spec_field(squall_io_spec *spec, const char *name, squall_io_type type, int ndims,
                         const char *const dimensions[], int per_frame);

/* The same for a field of texts of up to `letters` bytes each. */
int squall_io_spec_texts(squall_io_spec *spec, const char *name, int letters, int ndims,
                         const char *const dimensions[], int per_frame);

/* Makes the runtime write CF's time coordinate, a field with one number per frame. name NULL: the name of the
 * record dimension; units NULL: seconds since 2000-01-01 00:00:00. With bounds, begin frames with
 * squall_io_stream_begin_bounds. */
int squall_io_spec_time(squall_io_spec *spec, const char *name, const char *units, int bounds);

/* Declares the fill value of a declared field, for points that no rank owns and frames that leave the field
 * out. */
int squall_io_spec_fill(squall_io_spec *spec, const char *field, double fill);

/* Allows frames to leave out a declared per-frame field; see Field::optional in squall/io.hpp. */
int squall_io_spec_optional(squall_io_spec *spec, const char *field);

/* Declares a source, which is put but not written: a field that others are reduced from, or weighted with. */
int squall_io_spec_source(squall_io_spec *spec, const char *name, squall_io_type type, int ndims,
                          const char *const dimensions[], int per_frame);

/* Declares that a field is reduced from the field or source `of`, on the ranks that hold it, so that only the
 * result is sent. over: the dimensions of `of` that the reduction removes; the field's own dimensions may be
 * left out of its declaration. method: one of mean, sum, min, max, variance, standard_deviation, count,
 * quantile. See Reduction in squall/io.hpp.
 */
int squall_io_spec_reduction(squall_io_spec *spec, const char *field, const char *of, const char *method,
                             int nover, const char *const over[]);
/* Sets one of the reduction's weight, mask (names of fields or sources), quantile, low, high, bins; at
 * places, without `over`: at; onto levels: onto, coordinate, scale, outside. */
int squall_io_spec_reduction_set(squall_io_spec *spec, const char *field, const char *key, const char *value);
/* Sets the values of the levels of a field that is reduced by method interpolate. */
int squall_io_spec_reduction_levels(squall_io_spec *spec, const char *field, int nlevels,
                                    const double levels[]);
/* Restricts the reduction to the indices from start to below stop (-1: to the end) of a dimension in `over`.
 */
int squall_io_spec_reduction_within(squall_io_spec *spec, const char *field, const char *dimension,
                                    int64_t start, int64_t stop);
/* Reduces every `factor` points of a dimension to one point of dimension `onto`. */
int squall_io_spec_reduction_coarsen(squall_io_spec *spec, const char *field, const char *dimension,
                                     int64_t factor, const char *onto);

/* Declares places at which fields are sampled, which form a dimension of that name: stations, or platforms
 * that move (positions NULL: squall_io_frame_places sets the positions in each frame). dimensions: those in
 * which the places have positions; positions: for each place one index per dimension, from 0. See Places in
 * squall/io.hpp. */
int squall_io_spec_places(squall_io_spec *spec, const char *name, int64_t count, int ndims,
                          const char *const dimensions[], const double positions[]);
/* Declares that a dimension of other fields is staggered against dimension `of` of the places, whose
 * positions along it are greater by `by`. */
int squall_io_spec_places_stagger(squall_io_spec *spec, const char *places, const char *dimension,
                                  const char *of, double by);
/* Declares in `spec`, the declaration of a restart stream, the accumulators of fields that `of` reduces over
 * time: squall_io_stream_save puts them. */
int squall_io_spec_accumulators(squall_io_spec *spec, const squall_io_spec *of);

/* Declares a decomposition: which points of a grid this rank owns, once for all fields that use it.
 * dimensions: those that are divided, slowest first. Boxes or indices follow; a rank without points declares
 * it too. See Decomposition in squall/io.hpp. */
int squall_io_spec_decomposition(squall_io_spec *spec, const char *name, int ndims,
                                 const char *const dimensions[]);
/* Adds a box of this rank's points; boxes lie in memory one after the other. */
int squall_io_spec_decomposition_box(squall_io_spec *spec, const char *name, const int64_t start[],
                                     const int64_t count[]);
/* Adds points by their indices along the only dimension, in the order in which they lie in memory. */
int squall_io_spec_decomposition_indices(squall_io_spec *spec, const char *name, int64_t n,
                                         const int64_t indices[]);
/* Adds a box of points that no rank owns, which get the fill value; any one rank declares it. */
int squall_io_spec_decomposition_unowned(squall_io_spec *spec, const char *name, const int64_t start[],
                                         const int64_t count[]);
/* Assigns a declared field to a decomposition, whose dimensions are the field's last. */
int squall_io_spec_decomposed(squall_io_spec *spec, const char *field, const char *decomposition);

/* Packs a declared floating-point field into int16 with CF's scale_factor and add_offset, for values in [low,
 * high]. */
int squall_io_spec_pack(squall_io_spec *spec, const char *field, double low, double high);

/* Rounds a declared floating-point field so that no value changes by more than `bound`: kind
 * "absolute", in the field's units, or "relative". */
int squall_io_spec_round(squall_io_spec *spec, const char *field, const char *kind, double bound);

/* Add an attribute to a declared field, or to the whole file (field NULL): text, or `count` numbers.
 * Attributes are written in the order of the calls. */
int squall_io_spec_attribute_text(squall_io_spec *spec, const char *field, const char *name,
                                  const char *text);
int squall_io_spec_attribute_int(squall_io_spec *spec, const char *field, const char *name, int count,
                                 const int32_t *values);
int squall_io_spec_attribute_float(squall_io_spec *spec, const char *field, const char *name, int count,
                                   const float *values);
int squall_io_spec_attribute_double(squall_io_spec *spec, const char *field, const char *name, int count,
                                    const double *values);

/* ---- Streams and frames ----------------------------------------------------------------------------- */

/* Opens a declared stream. Local; touches no file. The declaration is copied. Fails for an invalid
 * declaration: unknown engine or placement, duplicate or missing names, sizes out of range, a path that
 * another stream of the session writes, a placement that MPI or the session does not support. */
int squall_io_stream_open(squall_io_session *session, const squall_io_spec *spec, squall_io_stream **stream);

/* The same on a subset of the computing ranks: `members` is their communicator. Collective over the members;
 * other ranks do not know the stream. */
int squall_io_stream_open_on(squall_io_session *session, const squall_io_spec *spec, MPI_Comm members,
                             squall_io_stream **stream);
int squall_io_stream_open_on_f(squall_io_session *session, const squall_io_spec *spec, MPI_Fint members,
                               squall_io_stream **stream);

/* Copies this rank's box of a field that is fixed in time, before the first commit; arguments as in
 * squall_io_frame_put. */
int squall_io_stream_put(squall_io_stream *stream, const char *field, int ndims, const int64_t start[],
                         const int64_t count[], squall_io_type type, const void *data,
                         const ptrdiff_t strides[]);

/* Begins the frame of the time `seconds` after `epoch` (NULL: 2000-01-01T00:00:00). Local. Fails while a
 * frame of the stream is open, if the time cannot be formatted, and if a frame in flight failed. */
int squall_io_stream_begin(squall_io_stream *stream, double seconds, const char *epoch,
                           squall_io_frame **frame);

/* The same for a time axis with bounds: the interval that the frame represents, in seconds since the epoch.
 */
int squall_io_stream_begin_bounds(squall_io_stream *stream, double seconds, const char *epoch, double begin,
                                  double end, squall_io_frame **frame);

/* Begins a sample between frames, for fields that are reduced over time: put their sources, and commit.
 * Local.
 */
int squall_io_stream_sample(squall_io_stream *stream, double seconds, const char *epoch,
                            squall_io_frame **frame);
/* Puts the accumulators of fields reduced over time since the last frame into a frame of another stream
 * (squall_io_spec_accumulators). Local. */
int squall_io_stream_save(const squall_io_stream *stream, squall_io_frame *frame);
/* Restores accumulators that were saved in a frame of a file, before anything is put. Local. */
int squall_io_stream_restore(squall_io_stream *stream, const char *file, int64_t frame);

/* Copies this rank's box of a field; `data` points to its first point, `type` is the type in memory, strides
 * NULL means contiguous, last dimension fastest. The memory can be reused when the call returns. ndims is the
 * number of the field's dimensions; 0 (a scalar) takes NULL for all three arrays. Local. Fails only for NULL
 * and for ndims < 0; other errors (unknown field, box outside the field, incompatible type) fail the frame at
 * its commit, so that all ranks learn of them. */
int squall_io_frame_put(squall_io_frame *frame, const char *field, int ndims, const int64_t start[],
                        const int64_t count[], squall_io_type type, const void *data,
                        const ptrdiff_t strides[]);

/* Put all of this rank's points of a field in a decomposition: first the field's other dimensions, slowest
 * first, then the points in the order of the decomposition, fastest. ndims and strides: of the whole
 * field, for a decomposition of one box; strides NULL: contiguous. */
int squall_io_frame_put_points(squall_io_frame *frame, const char *field, squall_io_type type,
                               const void *data, int ndims, const ptrdiff_t strides[]);
int squall_io_stream_put_points(squall_io_stream *stream, const char *field, squall_io_type type,
                                const void *data, int ndims, const ptrdiff_t strides[]);

/* Put a per-frame field into every open frame of the session's streams that declares it, with one copy for
 * all streams that keep the same points in the same form. takers: NULL, or where to store the number of
 * streams that took it. */
int squall_io_session_put(squall_io_session *session, const char *field, int ndims, const int64_t start[],
                          const int64_t count[], squall_io_type type, const void *data,
                          const ptrdiff_t strides[], int *takers);
int squall_io_session_put_points(squall_io_session *session, const char *field, squall_io_type type,
                                 const void *data, int ndims, const ptrdiff_t strides[], int *takers);

/* Set a scalar per-frame field: an attribute of the frame. The value of the first computing rank counts. */
int squall_io_frame_set_double(squall_io_frame *frame, const char *field, double value);
int squall_io_frame_set_int(squall_io_frame *frame, const char *field, int64_t value);
int squall_io_frame_set_text(squall_io_frame *frame, const char *field, const char *text);

/* Sets the length of a varying dimension in this frame, the total over all ranks. Every rank passes the same
 * value. */
int squall_io_frame_length(squall_io_frame *frame, const char *dimension, int64_t points);

/* Sets the positions of moving places in this frame, before the fields are put: `n` numbers, for each place
 * one per dimension. Every rank passes the same values. */
int squall_io_frame_places(squall_io_frame *frame, const char *name, int64_t n, const double positions[]);

/* Leaves out a field that is declared optional. Every rank that could put the field calls it. */
int squall_io_frame_leave_out(squall_io_frame *frame, const char *field);

/* Commits the frame and frees the handle, even if it fails. Placement "inline": on return the frame is
 * stored, and a failure is the same on every rank. "thread" and "servers": the frame is in flight, and if it
 * fails, so does the next begin, commit or close of the stream. */
int squall_io_frame_commit(squall_io_frame *frame);

/* Drops the frame and frees the handle. Every rank must do it. Local. */
int squall_io_frame_abandon(squall_io_frame *frame);

/* Opens a file of the program's, for the frames that follow, where the stream's path ends with '/': that is
 * then the directory of the files, which the program opens and closes. `name` is relative to it.
 * `attributes`: a spec whose attributes of the whole file are the file's beside those of the stream, or NULL.
 * Local; every rank opens the same files. Fails if one is open. Frames go behind those of a file that the
 * session has closed under this name; see Stream::open_file in squall/io.hpp. */
int squall_io_stream_open_file(squall_io_stream *stream, const char *name, const squall_io_spec *attributes);
/* The same, but the file takes the place of what has its name, as a whole, when it is published. */
int squall_io_stream_replace_file(squall_io_stream *stream, const char *name,
                                  const squall_io_spec *attributes);

/* Closes it, after its last frame, without waiting: it is published when its frames are stored. What goes
 * wrong is told by the next begin, commit, flush or close of the stream. With placement `inline` it is
 * published on return. A file without frames is not made. Local; every rank calls it. */
int squall_io_stream_close_file(squall_io_stream *stream);

/* Waits until the frames committed so far are stored and the files closed so far are published. Collective
 * over the computing ranks. */
int squall_io_stream_flush(squall_io_stream *stream);

/* Waits until every frame is stored, publishes a file that is not full and frees the handle, even if it
 * fails. Collective over the computing ranks. */
int squall_io_stream_close(squall_io_stream *stream);

#ifdef __cplusplus
}
#endif

#include "squall/io_libraries.h"
#include "squall/io_read.h"

#endif
