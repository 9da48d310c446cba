/* As live.c on several ranks, each of which reads its rows of a field of two dimensions.
 *
 *     mpiexec -n 4 parallel-c RUN FIELD
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <squall/io_subscribe.h>

static void check(int status) {
    if (status == SQUALL_IO_OK) return;
    fprintf(stderr, "live: %s\n", squall_io_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static float largest(const squall_io_reader *frame, const char *field, int rank, int ranks) {
    int64_t shape[2], start[2] = {0}, count[2];
    const char *name;
    float most = -INFINITY;
    for (int d = 0; d < 2; ++d) check(squall_io_reader_field_dimension(frame, field, d, &name, &shape[d]));
    start[0] = shape[0] * rank / ranks;
    count[0] = shape[0] * (rank + 1) / ranks - start[0];
    count[1] = shape[1];
    const int64_t points = count[0] * count[1];
    float *values = malloc((size_t)(points + 1) * sizeof *values);
    check(squall_io_reader_read(frame, field, 0, 2, start, count, SQUALL_IO_F32, values, NULL));
    for (int64_t i = 0; i < points; ++i) most = fmaxf(most, values[i]);
    free(values);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &most, &most, 1, MPI_FLOAT, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    squall_io_subscriber *live;
    squall_io_reader *frame;
    int level, rank, ranks, ended = 0;
    int64_t number;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(squall_io_subscribe_on(argv[1], MPI_COMM_WORLD, &live)); /* all ranks get the same frames */
    while (!ended) {
        check(squall_io_subscriber_next(live, 60, &frame));
        if (frame) {
            const float most = largest(frame, argv[2], rank, ranks);
            squall_io_reader_free(frame);
            check(squall_io_subscriber_release(live));
            check(squall_io_subscriber_number(live, &number));
            if (rank == 0) printf("%d %.4f\n", (int)number, most);
            fflush(stdout);
        }
        check(squall_io_subscriber_ended(live, &ended));
    }
    squall_io_subscriber_free(live);
    MPI_Finalize();
    return 0;
}
