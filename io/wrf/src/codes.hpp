/// What WRF and its I/O layers tell each other by number: the states of a file, the types of fields, and what
/// calls return. The numbers are those of WRF's wrf_io_flags.h and wrf_status_codes.h.
#pragma once

namespace squall::wrf {

enum FileState : int {
    file_not_opened = 100,
    file_in_training = 101, ///< opened for writing, not committed: fields are declared, not written
    file_written = 102,
    file_read = 103
};

enum FieldType : int { wrf_real = 104, wrf_double = 105, wrf_integer = 106, wrf_logical = 107 };

enum Status : int {
    ok = 0,
    file_not_found = -1,
    metadata_not_found = -2,
    time_not_found = -3,
    no_more_times = -4,
    variable_not_found = -5,
    no_more_variables = -6,
    type_mismatch = -8,
    written_to_input = -9,
    read_from_output = -10,
    not_opened = -11,
    declared_twice = -12,
    read_past_end = -13,
    bad_handle = -14,
    length_differs = -15,
    count_too_long = -17,
    dimension_error = -18,
    bad_memory_order = -19,
    dimension_redefined = -20,
    not_supported = -22,
    no_operation = -23,
    bad_dimensions_of_variable = -1004,
    not_committed = -1008,
    metadata_after_commit = -1011,
    closed_in_training = -1013,
    bad_type = -1016,
    bad_date = -1017,
    read_in_training = -1018,
    zero_length = -1020,
    library_error = -1021,
    more_data_in_file = -1023
};

} // namespace squall::wrf
