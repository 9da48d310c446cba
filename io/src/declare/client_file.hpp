/// A file that the client opens and closes itself (Stream::open_file).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "squall/io_declare.hpp"

namespace squall::io {

struct ClientFile {
    enum class Opening {
        first,  ///< of this name in the session
        append, ///< goes on in what the session has written under this name
        replace ///< takes the place of what has this name
    };
    std::int64_t number = 0; ///< of the stream's files, in the order of opening
    std::int64_t first = 0;  ///< the number of the stream's first that has this name: one group writes all
    Opening opening = Opening::first;
    std::string path;
    std::vector<Attribute> attributes; ///< beside those of the stream
};

} // namespace squall::io
