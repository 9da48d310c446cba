/* The lock under which Squall calls netCDF-C, HDF5 and PnetCDF, for programs that call them, too. Part of
 * squall/io.h. */
#ifndef SQUALL_IO_LIBRARIES_H
#define SQUALL_IO_LIBRARIES_H

#ifdef __cplusplus
extern "C" {
#endif

/* With placement "thread", and on servers, Squall calls these libraries whenever a frame is to be written;
 * they let one thread in at a time. So a program makes its own calls of them, from opening a file to closing
 * it and whichever file it is, between these two. It waits while a frame is being written: lock once for many
 * calls. Meanwhile do nothing that waits for other ranks (messages, collective calls of these libraries), and
 * call nothing of Squall that does (opening, committing, closing). The thread that locks unlocks, as often.
 * Local.
 */
int squall_io_lock_libraries(void);
/* Fails where this thread has not locked them. */
int squall_io_unlock_libraries(void);

#ifdef __cplusplus
}
#endif

#endif
