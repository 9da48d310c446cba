/// What netcdf-c does not offer about files in the classic formats (CDF-1, CDF-2, CDF-5): their
/// true length, taking back records, and reading without its lock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "read/source.hpp"

namespace squall::io::netcdf {

/// Throws Error if a classic file is shorter than its header says; netcdf-c would read zeros
/// there. Returns false if the file is in no classic format.
bool check_length(const std::string &file);

/// How many of the records that its header names a classic file is long enough for.
std::int64_t whole_records(const std::string &file);

/// Sets the number of records of a classic file that nobody has open.
void set_records(const std::string &file, std::int64_t records);

/// Zeroes the bytes between the values of variables, which nobody writes, of a classic file that nobody has
/// open: MPI-IO may leave there what was in its memory.
void clear_padding(const std::string &file);

/// Opens a classic file. Never waits for a library that another thread is in. Throws Error.
std::unique_ptr<Source> open_classic(const std::string &file);
/// The same with as many of the records that its header names as it is long enough for.
std::unique_ptr<Source> open_cut_off(const std::string &file);

/// Whether a file begins as one in a classic format.
bool is_classic(const std::string &file);

} // namespace squall::io::netcdf
