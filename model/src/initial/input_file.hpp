/// A gridded file opened for reading by one rank, with messages that name file, variable and
/// remedy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/array.hpp"
#include "core/axis.hpp"
#include "parallel/decomposition.hpp"
#include "squall/io.hpp"

namespace squall {

/// What a value must lie within.
struct Limits {
    real low = real(-1e30), high = real(1e30); ///< netCDF's fill values lie outside
    bool any = false;                          ///< nothing is asked of it: who reads it looks for himself
};

/// All members throw std::runtime_error: the file, the variable and what is wrong with it.
/// Values that are not finite, are fill values or lie outside of the limits that are given are refused
/// with their place in the file.
class InputFile {
  public:
    /// `remedy` ends the message about a variable that is missing: who writes it.
    InputFile(const std::string &path, std::string remedy);

    [[noreturn]] void fail(const std::string &what) const;

    /// Where a cell is, 0-based, and where on Earth if the file knows.
    std::string place(std::int64_t j, std::int64_t i) const;
    /// Refuses what the file says of a cell: `what` it is, and `possible`, what it could be.
    [[noreturn]] void refuse(const std::string &what, std::int64_t j, std::int64_t i,
                             const std::string &possible) const;

    bool has_dimension(const std::string &name) const;
    int dimension(const std::string &name) const;
    bool has(const std::string &variable) const;
    bool has_attribute(const std::string &name) const;
    double number(const std::string &attribute) const;
    std::string text(const std::string &attribute) const;

    /// How many times a variable is there.
    std::int64_t records(const std::string &variable) const;
    /// What follows reads this record in place of the first.
    void look_at(std::int64_t record) { record_ = record; }

    /// A record of a character variable.
    std::string string(const std::string &variable) const;
    /// A record of a variable with no other dimension.
    real scalar(const std::string &variable, Limits limits = {}) const;
    /// A record of a profile of n levels.
    std::vector<real> profile(const std::string &variable, int n, Limits limits = {}) const;
    /// A record of a variable (Time, y, x): the owned points of the patch, with the face
    /// after the last cell for face fields.
    void plane(const std::string &variable, Points points, const Patch &patch, Array2 &into,
               Limits limits = {}) const;
    /// A record of a variable (Time, z, y, x) of nk levels.
    void volume(const std::string &variable, Points points, int nk, const Patch &patch, Array3 &into,
                Limits limits = {}) const;

  private:
    /// A part of a variable's record, in the order of its dimensions after Time.
    struct Part {
        std::vector<std::int64_t> start, count;
        std::vector<std::int64_t> extent; ///< what the whole must measure
    };
    std::vector<real> read(const std::string &variable, const Part &part, Limits limits) const;
    void check(const std::string &variable, const Part &part, Limits limits,
               const std::vector<real> &values) const;
    io::Box in_record(const std::string &variable, std::vector<std::int64_t> start,
                      std::vector<std::int64_t> count) const;
    std::vector<std::int64_t> shape(const std::string &variable) const;
    bool has_fixed_time(const std::string &variable) const;
    std::string on_earth(std::int64_t j, std::int64_t i) const;
    std::string index(const std::string &variable, const std::vector<std::int64_t> &at) const;

    std::string remedy_;
    io::Reader file_;
    std::int64_t record_ = 0;
};

} // namespace squall
