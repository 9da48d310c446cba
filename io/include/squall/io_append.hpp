/// A file of an earlier run that a stream may append to, inspected before its first frame.
#pragma once

#include <memory>
#include <string>

#include "squall/io_declare.hpp"

namespace squall::io {

class Source;

/// The file is opened once. Local: one rank inspects it and tells the others.
class EarlierFile {
  public:
    /// Throws Error: the file cannot be read.
    explicit EarlierFile(std::string path);
    EarlierFile(EarlierFile &&) noexcept;
    ~EarlierFile();

    bool has(const std::string &field) const;
    std::int64_t frames_before(const Time &time) const;

    /// Why a stream with StreamSpec::append and a first frame at this time cannot append to the file, with
    /// the message with which that frame would fail; "" if it can, or if it replaces the file. Throws Error
    /// for an invalid declaration.
    std::string fault(const StreamSpec &spec, const Time &first) const;

  private:
    std::string path_;
    std::unique_ptr<Source> source_;
};

} // namespace squall::io
