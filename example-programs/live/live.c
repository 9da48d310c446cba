/* Prints the largest value of a field in each frame of a network stream, while the run makes them.
 *
 *     live-c RUN FIELD
 */
#include <stdio.h>
#include <stdlib.h>

#include <squall/io_subscribe.h>

static void check(int status) {
    if (status == SQUALL_IO_OK) return;
    fprintf(stderr, "live: %s\n", squall_io_last_error());
    exit(1);
}

static float largest(const squall_io_reader *frame, const char *field) {
    squall_io_field_info info;
    const char *name;
    int64_t start[8] = {0}, count[8], points = 1; /* slowest dimension first */
    check(squall_io_reader_field_info(frame, field, &info));
    for (int d = 0; d < info.ndims && d < 8; ++d) {
        check(squall_io_reader_field_dimension(frame, field, d, &name, &count[d]));
        points *= count[d];
    }
    float *values = malloc((size_t)points * sizeof *values);
    check(squall_io_reader_read(frame, field, 0, info.ndims, start, count, SQUALL_IO_F32, values, NULL));
    float most = values[0];
    for (int64_t i = 1; i < points; ++i)
        if (values[i] > most) most = values[i];
    free(values);
    return most;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    squall_io_subscriber *live;
    squall_io_reader *frame;
    int ended = 0;
    int64_t number;
    check(squall_io_subscribe(argv[1], &live)); /* a run directory, or the stream's contact file */
    while (!ended) {
        check(squall_io_subscriber_next(live, 60, &frame)); /* seconds */
        if (frame) {
            const float most = largest(frame, argv[2]);
            squall_io_reader_free(frame);
            check(squall_io_subscriber_release(live)); /* the run may forget the frame */
            check(squall_io_subscriber_number(live, &number));
            printf("%d %.4f\n", (int)number, most);
            fflush(stdout);
        }
        check(squall_io_subscriber_ended(live, &ended));
    }
    squall_io_subscriber_free(live);
    return 0;
}
