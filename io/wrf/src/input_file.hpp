/// A file that WRF reads: its own, ours in any format, or what other programs prepared. Each rank reads its
/// patch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codes.hpp"
#include "output_file.hpp"
#include "squall/io.hpp"

namespace squall::wrf {

class InputFile {
  public:
    /// Throws io::Error if it cannot be opened.
    explicit InputFile(const std::string &file);

    const std::string &file() const { return file_; }
    bool committed = false; ///< before that reads do nothing: WRF asks for what it will read

    /// The frame at whose time reading goes on.
    Status set_time(const std::string &date);
    Status next_time(std::string &date);
    Status previous_time(std::string &date);
    Status next_variable(std::string &name);

    /// Shape and type of a field as WRF knows them. `ends`: the last index per dimension in the file, fastest
    /// first.
    Status inquire(const std::string &name, std::string &memory_order, std::vector<int> &ends,
                   int &type) const;
    /// Reads this rank's patch into the array that begins at `data`.
    Status read(const PassedField &field, void *data) const;

    /// An attribute of a field, or of the file (""): at most `most` numbers into `data`; `count`: how many.
    Status attribute(const std::string &field, const std::string &name, FieldType type, int most, void *data,
                     int &count) const;
    Status attribute(const std::string &field, const std::string &name, std::string &text) const;
    /// Metadata that change from time to time, by the name that metadata_name() makes.
    Status metadata(const std::string &date, const std::string &name, FieldType type, int most, void *data,
                    int &count) const;
    Status metadata(const std::string &date, const std::string &name, std::string &text) const;

  private:
    std::int64_t frame_at(const std::string &date) const;
    const io::Value *found(const std::string &field, const std::string &name) const;
    Status fits(const PassedField &field) const;

    std::string file_;
    io::Reader reader_;
    std::vector<std::string> dates_;
    std::vector<std::string> fields_; ///< without the times and metadata
    std::int64_t time_ = 0;           ///< from 1, as WRF counts; 0: before the first
    std::size_t variable_ = 0;
};

} // namespace squall::wrf
