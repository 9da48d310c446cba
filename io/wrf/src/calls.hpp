/// What WRF's I/O layers do, called by the Fortran shells of every layer. Texts come with their lengths and
/// are padded with blanks; every function returns WRF's status. What cannot be told by a status ends the run
/// with a message.
#pragma once

#include <mpi.h>

namespace squall::wrf {

/// Waits until all that the layers wrote is stored, where WRF ends MPI: its real.exe and tc.exe do not end
/// its layers. Collective. Throws io::Error.
void end_layers();

} // namespace squall::wrf

extern "C" {

/// `comm` NULL: the ranks of the domain that WRF works on.
int squall_wrf_open_for_write(const char *layer, int layer_length, const char *file, int file_length,
                              const MPI_Fint *comm, const char *system, int system_length, int *handle);
int squall_wrf_commit_write(const int *handle);
int squall_wrf_open_for_read(const char *file, int file_length, int committed, int *handle);
int squall_wrf_commit_read(const int *handle);
int squall_wrf_end_frame(const int *handle);
int squall_wrf_close(const int *handle);
int squall_wrf_exit(const char *layer, int layer_length);

int squall_wrf_inquire_file(const int *handle, char *file, int file_length, int *state);
int squall_wrf_inquire_opened(const int *handle, const char *file, int file_length, int *state);

/// Writes or reads a field; `write` 1: writes. `names`: three texts of `names_length`, or as many as it has
/// dimensions.
int squall_wrf_field(int write, const int *handle, const char *date, int date_length, const char *name,
                     int name_length, void *data, const int *type, const char *order, int order_length,
                     const char *names, int names_length, const int *domain_first, const int *domain_last,
                     const int *memory_first, const int *memory_last, const int *patch_first,
                     const int *patch_last);

/// `date_length` 0: attributes, of a field or of the file (`field_length` 0); else metadata of a time.
int squall_wrf_put_numbers(const int *handle, const char *element, int element_length, const char *date,
                           int date_length, const char *field, int field_length, int type, const void *data,
                           const int *count);
int squall_wrf_put_text(const int *handle, const char *element, int element_length, const char *date,
                        int date_length, const char *field, int field_length, const char *text,
                        int text_length);
int squall_wrf_get_numbers(const int *handle, const char *element, int element_length, const char *date,
                           int date_length, const char *field, int field_length, int type, void *data,
                           const int *most, int *count);
int squall_wrf_get_text(const int *handle, const char *element, int element_length, const char *date,
                        int date_length, const char *field, int field_length, char *text, int text_length);

int squall_wrf_set_time(const int *handle, const char *date, int date_length);
/// `step` 1: the next time; -1: the one before.
int squall_wrf_step_time(const int *handle, int step, char *date, int date_length);
int squall_wrf_next_variable(const int *handle, char *name, int name_length);
int squall_wrf_variable(const int *handle, const char *name, int name_length, int *dimensions, char *order,
                        int order_length, int *first, int *last, int *type);
}
