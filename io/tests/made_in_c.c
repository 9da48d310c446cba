/* A program in C that declares what is made of fields: at stations, an average, a mean over time, levels, a
 * coarser grid. Each rank has some columns of points; rank 0 reads the file and compares it with what it
 * finds itself. Ends with 1 where anything is otherwise.
 *
 * usage: made_in_c FILE    (on any number of ranks) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "squall/io.h"

enum { nz = 3, ny = 4, nx = 7, frames = 2, samples = 3, stations = 2, levels = 2, cy = 2, cx = 3, block = 3 };

static const char *const of_volume[] = {"z", "y", "x"}, *const of_plane[] = {"y", "x"};
static const double where[stations][2] = {{1.5, 2.25}, {3.0, 6.0}}; /* rows, then columns */
static const double wanted[levels] = {850.0, 500.0};

static void must(int status, const char *call) {
    if (status == SQUALL_IO_OK) return;
    fprintf(stderr, "%s: %s\n", call, squall_io_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}
#define MUST(call) must(call, #call)

/* The field, in which nothing is linear but along z; its pressure, by layers; the area of cells. */
static double t_at(int k, int j, int i, int step) {
    return 100.0 * k + j * j + 0.5 * i * j + i + 10.0 * step;
}
static double p_at(int k) { return 1000.0 - 300.0 * k; }
static double area_at(int j, int i) { return 1.0 + j + 0.25 * i; }

static void declare(squall_io_spec *spec) {
    static const char *const x[] = {"x"}, *const all[] = {"z", "y", "x"}, *const z[] = {"z"},
                             *const time[] = {"Time"};
    MUST(squall_io_spec_set(spec, "frames_per_file", "0"));
    MUST(squall_io_spec_set(spec, "replace", "true")); /* of an earlier run of this test */
    MUST(squall_io_spec_set(spec, "reduce", "ranks"));
    MUST(squall_io_spec_dimension(spec, "z", nz));
    MUST(squall_io_spec_dimension(spec, "y", ny));
    MUST(squall_io_spec_dimension(spec, "x", nx));
    MUST(squall_io_spec_dimension(spec, "level", levels));
    MUST(squall_io_spec_source(spec, "T", SQUALL_IO_F64, 3, of_volume, 1));
    MUST(squall_io_spec_source(spec, "P", SQUALL_IO_F64, 3, of_volume, 1));
    MUST(squall_io_spec_source(spec, "T_ground", SQUALL_IO_F64, 2, of_plane, 1));
    MUST(squall_io_spec_source(spec, "area", SQUALL_IO_F64, 2, of_plane, 0));
    MUST(squall_io_spec_places(spec, "station", stations, 2, of_plane, &where[0][0]));

    static const char *const made[] = {"tower", "zonal", "mean", "over_time", "level_t", "coarse"};
    for (size_t n = 0; n < sizeof made / sizeof *made; ++n)
        MUST(squall_io_spec_field(spec, made[n], SQUALL_IO_F64, 0, NULL, 1));
    MUST(squall_io_spec_reduction(spec, "tower", "T", "linear", 0, NULL));
    MUST(squall_io_spec_reduction_set(spec, "tower", "at", "station"));
    MUST(squall_io_spec_reduction(spec, "zonal", "T", "mean", 1, x));
    MUST(squall_io_spec_reduction(spec, "mean", "T", "mean", 3, all));
    MUST(squall_io_spec_reduction_set(spec, "mean", "weight", "area"));
    MUST(squall_io_spec_reduction(spec, "over_time", "T_ground", "mean", 1, time));
    MUST(squall_io_spec_reduction(spec, "level_t", "T", "interpolate", 1, z));
    MUST(squall_io_spec_reduction_set(spec, "level_t", "onto", "level"));
    MUST(squall_io_spec_reduction_set(spec, "level_t", "coordinate", "P"));
    MUST(squall_io_spec_reduction_levels(spec, "level_t", levels, wanted));
    MUST(squall_io_spec_reduction(spec, "coarse", "T_ground", "mean", 0, NULL));
    MUST(squall_io_spec_reduction_coarsen(spec, "coarse", "y", block, "y_coarse"));
    MUST(squall_io_spec_reduction_coarsen(spec, "coarse", "x", block, "x_coarse"));
    MUST(squall_io_spec_reduction_set(spec, "coarse", "weight", "area"));
}

/* Columns first to below last of the volume, or of its lowest layer, of a step. */
static void put(squall_io_frame *frame, int first, int last, int step, int sample) {
    double t[nz * ny * nx], p[nz * ny * nx];
    int64_t start[] = {0, 0, first}, count[] = {nz, ny, last - first};
    int n = 0;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = first; i < last; ++i, ++n) t[n] = t_at(k, j, i, step), p[n] = p_at(k);
    if (!sample) {
        MUST(squall_io_frame_put(frame, "P", 3, start, count, SQUALL_IO_F64, p, NULL));
        MUST(squall_io_frame_put(frame, "T", 3, start, count, SQUALL_IO_F64, t, NULL));
    }
    MUST(squall_io_frame_put(frame, "T_ground", 2, start + 1, count + 1, SQUALL_IO_F64, t, NULL));
    MUST(squall_io_frame_commit(frame));
}

static void write_all(squall_io_session *session, const char *path, int first, int last) {
    squall_io_spec *spec = NULL;
    squall_io_stream *stream = NULL;
    squall_io_frame *frame = NULL;
    double area[ny * nx];
    const int64_t start[] = {0, first}, count[] = {ny, last - first};
    MUST(squall_io_spec_new("made", path, &spec));
    declare(spec);
    MUST(squall_io_stream_open(session, spec, &stream));
    squall_io_spec_free(spec);
    int n = 0;
    for (int j = 0; j < ny; ++j)
        for (int i = first; i < last; ++i) area[n++] = area_at(j, i);
    MUST(squall_io_stream_put(stream, "area", 2, start, count, SQUALL_IO_F64, area, NULL));
    for (int step = 0; step < frames * samples; ++step) {
        const int sample = step % samples != samples - 1;
        if (sample)
            MUST(squall_io_stream_sample(stream, step, NULL, &frame));
        else
            MUST(squall_io_stream_begin(stream, step, NULL, &frame));
        put(frame, first, last, step, sample);
        MUST(squall_io_session_progress(session));
    }
    MUST(squall_io_stream_close(stream));
}

static int wrong = 0;

static void expect(const char *what, int frame, int n, double found, double right) {
    if (fabs(found - right) <= 1e-12 * fabs(right)) return;
    fprintf(stderr, "%s of frame %d, point %d: %.17g, not %.17g\n", what, frame, n, found, right);
    wrong = 1;
}

/* All of a field of up to three dimensions. */
static void read_all(squall_io_reader *file, const char *field, int frame, int ndims, const int64_t *shape,
                     double *values) {
    const int64_t start[] = {0, 0, 0};
    squall_io_field_info info;
    MUST(squall_io_reader_field_info(file, field, &info));
    if (info.ndims != ndims || info.type != SQUALL_IO_F64 || !info.per_frame) {
        fprintf(stderr, "%s has %d dimensions, not %d\n", field, info.ndims, ndims);
        wrong = 1;
        return;
    }
    for (int d = 0; d < ndims; ++d) {
        const char *name = NULL;
        int64_t size = 0;
        MUST(squall_io_reader_field_dimension(file, field, d, &name, &size));
        if (size == shape[d]) continue;
        fprintf(stderr, "%s along %s has %lld points, not %lld\n", field, name, (long long)size,
                (long long)shape[d]);
        wrong = 1;
        return;
    }
    MUST(squall_io_reader_read(file, field, frame, ndims, start, shape, SQUALL_IO_F64, values, NULL));
}

/* The mean of T weighted with area, over rows and columns of a block and so many layers. */
static double weighted(int layers, int j0, int j1, int i0, int i1, int step) {
    double sum = 0, areas = 0;
    for (int k = 0; k < layers; ++k)
        for (int j = j0; j < j1; ++j)
            for (int i = i0; i < i1; ++i) sum += area_at(j, i) * t_at(k, j, i, step), areas += area_at(j, i);
    return sum / areas;
}

static double bilinear(int k, const double *at, int step) {
    const int j = at[0] < ny - 1 ? (int)at[0] : ny - 2, i = at[1] < nx - 1 ? (int)at[1] : nx - 2;
    const double b = at[0] - j, a = at[1] - i;
    return (1 - b) * ((1 - a) * t_at(k, j, i, step) + a * t_at(k, j, i + 1, step)) +
           b * ((1 - a) * t_at(k, j + 1, i, step) + a * t_at(k, j + 1, i + 1, step));
}

static int least(int a, int b) { return a < b ? a : b; }

static void check_frame(squall_io_reader *file, int f) {
    const int step = f * samples + samples - 1; /* of the frame; the samples are those up to it */
    double values[nz * ny * nx] = {0};
    read_all(file, "tower", f, 2, (const int64_t[]){stations, nz}, values);
    for (int s = 0; s < stations; ++s)
        for (int k = 0; k < nz; ++k)
            expect("tower", f, s * nz + k, values[s * nz + k], bilinear(k, where[s], step));
    read_all(file, "zonal", f, 2, (const int64_t[]){nz, ny}, values);
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j) {
            double sum = 0;
            for (int i = 0; i < nx; ++i) sum += t_at(k, j, i, step);
            expect("zonal", f, k * ny + j, values[k * ny + j], sum / nx);
        }
    read_all(file, "mean", f, 0, NULL, values);
    expect("mean", f, 0, values[0], weighted(nz, 0, ny, 0, nx, step));
    read_all(file, "over_time", f, 2, (const int64_t[]){ny, nx}, values);
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            expect("over_time", f, j * nx + i, values[j * nx + i], t_at(0, j, i, step - 1));
    read_all(file, "level_t", f, 3, (const int64_t[]){levels, ny, nx}, values);
    for (int l = 0; l < levels; ++l)
        for (int n = 0; n < ny * nx; ++n) /* linear in pressure, as T is in k */
            expect("level_t", f, l * ny * nx + n, values[l * ny * nx + n],
                   t_at(0, n / nx, n % nx, step) + 100.0 * (1000.0 - wanted[l]) / 300.0);
    read_all(file, "coarse", f, 2, (const int64_t[]){cy, cx}, values);
    for (int j = 0; j < cy; ++j)
        for (int i = 0; i < cx; ++i)
            expect("coarse", f, j * cx + i, values[j * cx + i],
                   weighted(1, block * j, least(ny, block * (j + 1)), block * i, least(nx, block * (i + 1)),
                            step));
}

int main(int argc, char **argv) {
    squall_io_session *session = NULL;
    squall_io_reader *file = NULL;
    int rank = 0, ranks = 1;
    int64_t there = 0;
    if (argc != 2) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MUST(squall_io_session_open(MPI_COMM_WORLD, NULL, &session));
    write_all(session, argv[1], nx * rank / ranks, nx * (rank + 1) / ranks);
    MUST(squall_io_session_close(session, NULL));
    MUST(squall_io_lock_libraries());
    MUST(squall_io_unlock_libraries());
    if (squall_io_unlock_libraries() != SQUALL_IO_ERROR) wrong = 1;
    if (rank == 0) {
        MUST(squall_io_reader_open(argv[1], &file));
        MUST(squall_io_reader_frames(file, &there));
        if (there != frames) fprintf(stderr, "%lld frames\n", (long long)there), wrong = 1;
        for (int f = 0; f < frames && !wrong; ++f) check_frame(file, f);
        squall_io_reader_free(file);
    }
    MPI_Finalize();
    return wrong;
}
