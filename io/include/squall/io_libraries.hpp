/// The lock under which Squall calls libraries that are not thread safe, for programs that call them, too.
#pragma once

namespace squall::io {

/// As long as one lives, no other thread of this process is in netCDF-C, HDF5 or PnetCDF for Squall. With
/// placement thread, and on servers, Squall calls them whenever a frame is to be written; these libraries let
/// one thread in at a time. So a program makes its own calls of them, from opening a file to closing it and
/// whichever file it is, under this lock:
///
///     const squall::io::LibraryLock lock;
///     nc_put_var_double(file, variable, values);
///
/// It waits while a frame is being written, for a file that ranks write together until all have their part:
/// lock once for many calls. Meanwhile do nothing that waits for other ranks (messages, collective calls of
/// these libraries), and call nothing of Squall that does (opening, committing, closing): another rank's turn
/// may come only after this lock's. A thread may hold several.
class LibraryLock {
  public:
    LibraryLock();
    ~LibraryLock();
    LibraryLock(const LibraryLock &) = delete;
    LibraryLock &operator=(const LibraryLock &) = delete;
};

} // namespace squall::io
