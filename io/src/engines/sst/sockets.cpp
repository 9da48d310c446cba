#include "engines/sst/sockets.hpp"

#include <charconv>
#include <cstring>

#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace squall::io::sst {

std::set<int> open_descriptors() {
    std::set<int> found;
    DIR *open = ::opendir("/proc/self/fd");
    if (!open) return found;
    while (const auto *entry = ::readdir(open)) {
        int fd = -1;
        std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), fd);
        if (fd >= 0 && fd != ::dirfd(open)) found.insert(fd);
    }
    ::closedir(open);
    return found;
}

void send_at_once(const std::set<int> &but) {
    const int on = 1;
    for (const int fd : open_descriptors())
        if (!but.contains(fd)) // refused by what is no socket of TCP
            static_cast<void>(::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
}

} // namespace squall::io::sst
