#include "engines/sst/wire.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "common/retried.hpp"
#include "squall/io.hpp"

namespace squall::io::sst {
namespace {

constexpr std::size_t longest_text = 4000;

struct Head {
    Word word;
    std::int64_t number;
    std::uint64_t bytes; ///< of the memory that comes along
};

/// Room for one descriptor beside a message.
union Ancillary {
    cmsghdr head;
    std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

} // namespace

SharedBytes::SharedBytes(std::size_t bytes) : size_(bytes) {
    fd_ = ::memfd_create("squall-frame", MFD_CLOEXEC);
    // What is not there when it is written to would end the process by a signal.
    const int problem = fd_ < 0 ? errno : ::posix_fallocate(fd_, 0, static_cast<off_t>(bytes));
    if (problem != 0) {
        if (fd_ >= 0) ::close(fd_);
        throw Error(fmt::format("{} bytes for a frame in flight: {}", bytes, std::strerror(problem)));
    }
    map();
}

SharedBytes::SharedBytes(int descriptor, std::size_t bytes) : fd_(descriptor), size_(bytes) { map(); }

void SharedBytes::map() {
    void *at = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (at == MAP_FAILED) {
        const int problem = errno;
        ::close(fd_);
        throw Error(fmt::format("mapping {} bytes of a frame: {}", size_, std::strerror(problem)));
    }
    data_ = static_cast<std::byte *>(at);
}

SharedBytes::~SharedBytes() {
    if (data_) ::munmap(data_, size_);
    if (fd_ >= 0) ::close(fd_);
}

SharedBytes::SharedBytes(SharedBytes &&other) noexcept { *this = std::move(other); }

SharedBytes &SharedBytes::operator=(SharedBytes &&other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
}

bool send(int socket, const WireMessage &message) {
    Head head{message.word, message.number, message.memory ? message.memory->size() : 0};
    auto text = message.text.substr(0, longest_text);
    std::array<iovec, 2> parts{iovec{&head, sizeof head}, iovec{text.data(), text.size()}};
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = parts.size();
    Ancillary ancillary{};
    if (message.memory) {
        header.msg_control = ancillary.bytes.data();
        header.msg_controllen = ancillary.bytes.size();
        auto *along = CMSG_FIRSTHDR(&header);
        along->cmsg_level = SOL_SOCKET;
        along->cmsg_type = SCM_RIGHTS;
        along->cmsg_len = CMSG_LEN(sizeof(int));
        const int fd = message.memory->descriptor();
        std::memcpy(CMSG_DATA(along), &fd, sizeof fd);
    }
    return retried([&] { return ::sendmsg(socket, &header, MSG_NOSIGNAL); }) >= 0;
}

std::optional<Received> receive(int socket, bool wait, bool &gone) {
    Head head{};
    std::string text(longest_text, '\0');
    std::array<iovec, 2> parts{iovec{&head, sizeof head}, iovec{text.data(), text.size()}};
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = parts.size();
    Ancillary ancillary{};
    header.msg_control = ancillary.bytes.data();
    header.msg_controllen = ancillary.bytes.size();
    const auto got =
        retried([&] { return ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT)); });
    if (got < static_cast<ssize_t>(sizeof head)) {
        gone = got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
        return std::nullopt;
    }
    text.resize(static_cast<std::size_t>(got) - sizeof head);
    Received message{head.word, head.number, std::move(text), {}};
    if (const auto *along = CMSG_FIRSTHDR(&header); along && along->cmsg_type == SCM_RIGHTS) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(along), sizeof fd);
        message.memory = SharedBytes(fd, static_cast<std::size_t>(head.bytes));
    }
    return message;
}

} // namespace squall::io::sst
