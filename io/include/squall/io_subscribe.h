/* Frames of a network stream (engine `sst`) during a run: the C interface. Its contract is in
 * squall/io_subscribe.hpp; the conventions are those of squall/io.h. */
#ifndef SQUALL_IO_SUBSCRIBE_H
#define SQUALL_IO_SUBSCRIBE_H

#include "squall/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct squall_io_subscriber squall_io_subscriber;

/* where: a run directory with one such stream, the file that has the stream's address, or that address. Does
 * not wait: the run need not have started. Needs no MPI. */
int squall_io_subscribe(const char *where, squall_io_subscriber **subscriber);
/* The same on several ranks, which get the same frames and read a box each. Collective; the functions below
 * are then collective too. */
int squall_io_subscribe_on(const char *where, MPI_Comm comm, squall_io_subscriber **subscriber);
int squall_io_subscribe_on_f(const char *where, MPI_Fint comm, squall_io_subscriber **subscriber);

/* The next frame, as a file of one frame, to be freed with squall_io_reader_free; NULL if none has arrived
 * within `seconds`, or the stream has ended. Releases the previous frame. Fails if the run ended without
 * closing the stream; a later call looks for a run that continues it. */
int squall_io_subscriber_next(squall_io_subscriber *subscriber, double seconds, squall_io_reader **frame);

/* Releases the current frame, which must not be read afterwards, so that the run can free it. */
int squall_io_subscriber_release(squall_io_subscriber *subscriber);

/* Whether the run has closed the stream and all frames have been delivered. */
int squall_io_subscriber_ended(const squall_io_subscriber *subscriber, int *ended);
/* The number of the current frame in its stream, from 0; -1: none has arrived. */
int squall_io_subscriber_number(const squall_io_subscriber *subscriber, int64_t *number);

/* Leaves the stream. */
void squall_io_subscriber_free(squall_io_subscriber *subscriber);

#ifdef __cplusplus
}
#endif

#endif
