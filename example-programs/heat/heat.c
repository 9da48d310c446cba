/* The heat equation on all ranks, with a frame every few steps. See README.md.
 *
 *     mpirun -n 4 heat-c PATH ENGINE PLACEMENT SERVERS
 */
#include <stdio.h>
#include <stdlib.h>

#include <squall/io.h>

enum { NX = 48, NY = 32, FRAMES = 5, STEPS = 20 }; /* STEPS between frames */
static const float ALPHA = 0.2f;                   /* diffusivity x time step / spacing^2 */

/* Ends all ranks if a call of squall_io failed. */
static void check(int status) {
    if (status == SQUALL_IO_OK) return;
    fprintf(stderr, "heat: %s\n", squall_io_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rows first .. first + rows - 1 of the plate, with a row of the neighbours on either side. */
typedef struct {
    MPI_Comm comm;
    int south, north; /* the neighbours' ranks */
    int first, rows;
    float *t, *next;
} Slab;

static Slab cut(MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    Slab s = {comm,
              rank > 0 ? rank - 1 : MPI_PROC_NULL,
              rank < size - 1 ? rank + 1 : MPI_PROC_NULL,
              NY * rank / size,
              NY * (rank + 1) / size - NY * rank / size,
              NULL,
              NULL};
    s.t = calloc((size_t)(s.rows + 2) * NX, sizeof(float));
    s.next = calloc((size_t)(s.rows + 2) * NX, sizeof(float));
    for (int j = 1; j <= s.rows; ++j) /* a hot block in a cold plate */
        for (int i = 0; i < NX; ++i) {
            const int row = s.first + j - 1;
            s.t[j * NX + i] = row >= NY / 4 && row < NY / 2 && i >= NX / 4 && i < NX / 2 ? 100.0f : 0.0f;
        }
    return s;
}

static void exchange_halo(const Slab *s) {
    float *t = s->t;
    const int last = s->rows * NX;
    MPI_Sendrecv(t + NX, NX, MPI_FLOAT, s->south, 0, t + last + NX, NX, MPI_FLOAT, s->north, 0, s->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(t + last, NX, MPI_FLOAT, s->north, 0, t, NX, MPI_FLOAT, s->south, 0, s->comm,
                 MPI_STATUS_IGNORE);
}

/* One step; the rim of the plate keeps its temperature. */
static void step(Slab *s) {
    exchange_halo(s);
    for (int j = 1; j <= s->rows; ++j)
        for (int i = 0; i < NX; ++i) {
            const float *t = s->t + j * NX + i;
            const int row = s->first + j - 1;
            const int rim = row == 0 || row == NY - 1 || i == 0 || i == NX - 1;
            s->next[j * NX + i] = rim ? *t : *t + ALPHA * (((t[-1] + t[1]) + (t[-NX] + t[NX])) - 4.0f * *t);
        }
    float *const swap = s->t;
    s->t = s->next;
    s->next = swap;
}

static squall_io_spec *declare(const char *path, const char *engine, const char *placement) {
    const char *const plane[] = {"y", "x"}; /* slowest first */
    const float alpha = ALPHA;
    squall_io_spec *spec;
    check(squall_io_spec_new("heat", path, &spec));
    check(squall_io_spec_set(spec, "engine", engine));
    check(squall_io_spec_set(spec, "placement", placement));
    check(squall_io_spec_set(spec, "frames_per_file", "0")); /* all in one file */
    check(squall_io_spec_set(spec, "record_dimension", "time"));
    check(squall_io_spec_dimension(spec, "y", NY));
    check(squall_io_spec_dimension(spec, "x", NX));
    check(squall_io_spec_field(spec, "time", SQUALL_IO_F64, 0, NULL, 1));
    check(squall_io_spec_attribute_text(spec, "time", "units", "seconds since 2000-01-01T00:00:00"));
    check(squall_io_spec_field(spec, "row", SQUALL_IO_I32, 1, plane, 0));
    check(squall_io_spec_field(spec, "T", SQUALL_IO_F32, 2, plane, 1));
    check(squall_io_spec_attribute_text(spec, "T", "units", "K"));
    check(squall_io_spec_attribute_text(spec, NULL, "title", "A hot block in a cold plate"));
    check(squall_io_spec_attribute_float(spec, NULL, "alpha", 1, &alpha));
    return spec;
}

static void put_rows(squall_io_stream *stream, const Slab *s) {
    const int64_t start[] = {s->first}, count[] = {s->rows};
    int32_t row[NY];
    for (int j = 0; j < s->rows; ++j) row[j] = s->first + j;
    check(squall_io_stream_put(stream, "row", 1, start, count, SQUALL_IO_I32, row, NULL));
}

static void write_frame(squall_io_stream *stream, const Slab *s, double seconds) {
    const int64_t start[] = {s->first, 0}, count[] = {s->rows, NX};
    squall_io_frame *frame;
    check(squall_io_stream_begin(stream, seconds, NULL, &frame));
    if (s->south == MPI_PROC_NULL) /* one rank is enough for what all ranks know */
        check(squall_io_frame_put(frame, "time", 0, NULL, NULL, SQUALL_IO_F64, &seconds, NULL));
    check(squall_io_frame_put(frame, "T", 2, start, count, SQUALL_IO_F32, s->t + NX, NULL));
    check(squall_io_frame_commit(frame)); /* t may be changed again */
}

static void compute(squall_io_session *session, const squall_io_spec *spec) {
    MPI_Comm comm;
    check(squall_io_session_comm(session, &comm));
    Slab s = cut(comm);
    squall_io_stream *stream;
    check(squall_io_stream_open(session, spec, &stream));
    put_rows(stream, &s);
    for (int f = 0; f < FRAMES; ++f) {
        write_frame(stream, &s, 60.0 * f);
        for (int n = 0; n < STEPS; ++n) step(&s);
    }
    check(squall_io_stream_close(stream));
    free(s.t);
    free(s.next);
}

int main(int argc, char **argv) {
    int granted, computes;
    if (argc != 5) {
        fprintf(stderr, "usage: %s PATH ENGINE PLACEMENT SERVERS\n", argv[0]);
        return 2;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted); /* for placement thread */
    squall_io_session_spec *settings;
    check(squall_io_session_spec_new(&settings));
    check(squall_io_session_spec_set(settings, "servers", argv[4]));
    squall_io_session *session;
    check(squall_io_session_open(MPI_COMM_WORLD, settings, &session));
    squall_io_session_spec_free(settings);

    check(squall_io_session_computes(session, &computes));
    if (computes) {
        squall_io_spec *spec = declare(argv[1], argv[2], argv[3]);
        compute(session, spec);
        squall_io_spec_free(spec);
    } else {
        check(squall_io_session_serve(session));
    }
    check(squall_io_session_close(session, NULL));
    MPI_Finalize();
    return 0;
}
