/// A file of numbers, read whole, with messages that name file, variable and remedy.
#pragma once

#include <string>
#include <vector>

#include "core/real.hpp"
#include "squall/io.hpp"

namespace squall::radiation {

/// All members throw std::runtime_error: the file, the variable and what is wrong with it.
class TableFile {
  public:
    /// The remedy of a table that comes from elsewhere.
    static constexpr const char *fetch_anew = "Download the tables again with: squall fetch radiation --anew";

    /// `remedy` ends every message: what to do.
    TableFile(const std::string &path, std::string remedy);

    bool has(const std::string &variable) const { return file_.has(variable); }
    int size(const std::string &dimension) const;
    /// All values, the last dimension fastest; as many as `shape` says.
    std::vector<real> reals(const std::string &variable, const std::vector<int> &shape) const;
    /// Read in double precision and multiplied: they may be too small for single.
    std::vector<real> reals_scaled(const std::string &variable, const std::vector<int> &shape,
                                   double factor) const;
    std::vector<int> integers(const std::string &variable, const std::vector<int> &shape) const;
    double number(const std::string &variable) const;
    /// Texts without blanks at their ends.
    std::vector<std::string> texts(const std::string &variable, int count) const;

    [[noreturn]] void fail(const std::string &what) const;

  private:
    template <class T>
    std::vector<T> values(const std::string &variable, const std::vector<int> &shape) const;

    std::string remedy_;
    io::Reader file_;
};

} // namespace squall::radiation
