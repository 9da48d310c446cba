/// A file of an earlier run that a stream may go on in, known before its first frame.
#pragma once

#include <memory>
#include <string>

#include "squall/io_declare.hpp"

namespace squall::io {

class Source;

/// Opened once, whatever is asked of it. Local: one rank looks and tells the others.
class EarlierFile {
  public:
    /// Throws Error: the file cannot be read.
    explicit EarlierFile(std::string path);
    EarlierFile(EarlierFile &&) noexcept;
    ~EarlierFile();

    bool has(const std::string &field) const;
    std::int64_t frames_before(const Time &time) const;

    /// Why a stream with StreamSpec::append whose first frame is of this time cannot go on in it, as that
    /// frame would fail; "" if it can, or if it makes the file anew. Throws Error: what is wrong with the
    /// declaration.
    std::string fault(const StreamSpec &spec, const Time &first) const;

  private:
    std::string path_;
    std::unique_ptr<Source> source_;
};

} // namespace squall::io
