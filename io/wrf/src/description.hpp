/// What WRF declares of a file before it writes it: its training pass.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codes.hpp"
#include "squall/io_declare.hpp"
#include "squall/io_memory_order.hpp"

namespace squall::wrf {

/// Dimensions, fields and attributes, in the order and under the names that WRF's own layers give them.
class Description {
  public:
    Description();

    /// Declares a field: `dimensions` has a name, or blanks, for each dimension in memory; `lengths` its
    /// length. `in_file`: its type there.
    Status declare(const std::string &name, FieldType in_file, const io::MemoryOrder &order,
                   const std::vector<std::string> &dimensions, const std::vector<std::int64_t> &lengths);
    /// Declares metadata that change from time to time, a variable of their own, by the name that
    /// metadata_name() makes.
    Status declare_metadata(const std::string &name, io::Type type, std::int64_t length);
    /// An attribute of a declared field, or of the file (""). A later one of the same name replaces it.
    Status describe(const std::string &field, io::Attribute attribute);

    /// Empty: it was not declared.
    const io::Field *field(const std::string &name) const;
    std::int64_t size(const std::string &dimension) const;
    /// Names of the fields, without the times.
    std::vector<std::string> names() const;
    const std::vector<io::Attribute> &attributes() const { return attributes_; }

    /// A stream of such files, without the attributes of the file, which each has of its own.
    io::StreamSpec stream() const;
    /// Equal for two descriptions of which one stream writes the files.
    std::string key() const;

  private:
    std::string dimension(const std::string &name, std::int64_t length);

    std::vector<io::Dimension> dimensions_;
    std::vector<io::Field> fields_;
    std::map<std::string, std::size_t> by_name_;
    std::vector<io::Attribute> attributes_;
};

/// The variable that holds an element of metadata of a field at each time; of the whole file with no field.
std::string metadata_name(const std::string &element, const std::string &field);

inline constexpr int date_length = 19; ///< of a DateStr, YYYY-MM-DD_HH:MM:SS
inline constexpr const char *times_name = "Times";

} // namespace squall::wrf
