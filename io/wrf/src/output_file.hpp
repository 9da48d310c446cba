/// A file that WRF writes: first declared, in its training pass, then written frame by frame.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "description.hpp"
#include "streams.hpp"

namespace squall::wrf {

/// A field as WRF passes it.
struct PassedField {
    std::string date, name;
    FieldType type;
    io::MemoryOrder order;
    std::vector<std::string> dimensions; ///< names or blanks, in the order in memory
    io::IndexBounds domain, memory, patch;
};

/// Every call but those of the training pass throws io::Error for what the runtime refuses or what became of
/// earlier frames.
class OutputFile {
  public:
    /// `system`: WRF's SysDepInfo, "DATASET=HISTORY,REAL_OUTPUT_SIZE=4".
    OutputFile(const Layer &layer, MPI_Comm comm, std::string file, const std::string &system,
               Streams &streams);

    const std::string &file() const { return file_; }
    FileState state() const { return stream_ ? file_written : file_in_training; }

    Status describe(const std::string &field, io::Attribute attribute);
    Status declare_metadata(const std::string &name, io::Type type, std::int64_t length);
    /// Ends the training pass.
    void commit();

    /// Declares the field, or writes this rank's patch of it. `data` is the first element of the array.
    Status write(const PassedField &field, const void *data);
    Status write_metadata(const std::string &date, const std::string &name, const void *data, io::Type type,
                          std::int64_t length);
    /// All of the frame has been written.
    void end_frame();
    /// Closes the file without waiting for it.
    void close();

  private:
    FieldType type_in_file(FieldType type) const;
    Status declare(const PassedField &field);
    Status check(const PassedField &field) const;
    Status at_time(const std::string &date);
    void written(const std::string &name);
    bool first_rank() const;
    void open();

    const Layer &layer_;
    MPI_Comm comm_;
    std::string file_, kind_;
    bool single_; ///< numbers in double precision are written in single
    Streams &streams_;
    Description description_;
    OpenStream *stream_ = nullptr; ///< null: in training
    bool opened_ = false;
    std::optional<io::Frame> frame_;
    std::string date_;           ///< of the last frame that was begun
    std::set<std::string> left_; ///< fields that the open frame does not have yet
};

} // namespace squall::wrf
