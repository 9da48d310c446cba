/// Messages point to the page that explains them; `squall help PAGE` shows it, also without a network.
#pragma once

#include <string>

namespace squall {

/// `message` with a last line that names a page of docs/ (its file's name), unless it has one.
inline std::string see(const std::string &message, const std::string &page) {
    const std::string begin = "\nSee: squall help ";
    return message.find(begin) == std::string::npos ? message + begin + page : message;
}

} // namespace squall
