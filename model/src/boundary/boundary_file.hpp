/// A wrfbdy file (WRF's real.exe) as one rank reads it: which record holds when, and the lines of the
/// rim that its patch needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "boundary/rim_field.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// The time a record holds [s since run.start].
struct BoundaryRecord {
    double begin, end;
};

/// All members throw std::runtime_error: the file, the variable, what is wrong with it and what to do.
class BoundaryFile {
  public:
    /// Opens boundary.file. Refuses one of another domain than initial.file's, one whose records
    /// leave gaps, and one that begins after the run does, or goes on, or ends before it.
    explicit BoundaryFile(const Config &config);

    /// The index of the record that holds from `seconds` on: begin <= seconds < end.
    int record_at(double seconds) const;
    const BoundaryRecord &record(int n) const { return records_[static_cast<std::size_t>(n)]; }

    /// Whether it has a variable that is not zero all along the western side in the first record: programs
    /// write zeros of what they know nothing of.
    bool holds(const std::string &variable) const;

    /// Refuses a variable that is missing or is not shaped as `field`.
    void check(const std::string &variable, const RimField &field, const Patch &patch) const;

    /// Reads a record of a variable, values and tendencies, on all sides that `into` holds. Refuses
    /// values that are not finite or were never written.
    void read(const std::string &variable, int record, RimField &into) const;

    [[noreturn]] void fail(const std::string &what) const;

    const io::Reader &reader() const { return file_; } ///< of the header

  private:
    bool has_fixed_time(const std::string &name) const;
    std::int64_t count_records(const std::string &name) const;
    std::vector<std::int64_t> shape(const std::string &name) const;
    void read(const std::string &name, std::int64_t record, std::vector<std::int64_t> start,
              std::vector<std::int64_t> count, void *data, io::Type type) const;
    std::string read_time(const std::string &name, std::int64_t record) const;
    void read_records(const Config &config);
    void check_domain(const Config &config) const;
    void read_strip(const std::string &name, int record, const RimField &field, const RimStrip &strip,
                    KernelVector<real> &into) const;

    io::Reader file_;
    std::vector<BoundaryRecord> records_;
};

} // namespace squall
