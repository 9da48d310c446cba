/// What a stream's first writer and its relay tell each other, over a pair of sockets. Points lie in memory
/// that both map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace squall::io::sst {

/// Memory without a name in the file system, that another process may map.
class SharedBytes {
  public:
    SharedBytes() = default;
    /// Of so many bytes, all of which are there. Throws Error.
    explicit SharedBytes(std::size_t bytes);
    /// What a message has brought.
    SharedBytes(int descriptor, std::size_t bytes);
    ~SharedBytes();
    SharedBytes(SharedBytes &&other) noexcept;
    SharedBytes &operator=(SharedBytes &&other) noexcept;

    std::byte *data() const { return data_; }
    std::size_t size() const { return size_; }
    int descriptor() const { return fd_; }
    explicit operator bool() const { return data_ != nullptr; }

  private:
    void map();
    int fd_ = -1;
    std::size_t size_ = 0;
    std::byte *data_ = nullptr;
};

enum class Word : std::int64_t {
    declaration, ///< of the stream, in memory: what the relay is to do (declaration.hpp)
    fixed,       ///< fields that are fixed in time, in memory
    frame,       ///< `number`, in memory
    bye,         ///< no more comes; `number`: milliseconds that consumers have to take what is there
    opened,      ///< the relay can be connected to
    taken,       ///< frame `number` is with the consumers, or waits for them in ADIOS2's queue
    failed       ///< the relay's last word, in `text`
};

struct WireMessage {
    Word word = Word::bye;
    std::int64_t number = 0;
    std::string text = {};
    const SharedBytes *memory = nullptr; ///< to be sent along
};

struct Received {
    Word word = Word::bye;
    std::int64_t number = 0;
    std::string text = {};
    SharedBytes memory = {};
};

/// False: the other side is gone.
bool send(int socket, const WireMessage &message);
/// The next message, nothing if there is none and `wait` is false. Sets `gone` when the other side is.
std::optional<Received> receive(int socket, bool wait, bool &gone);

} // namespace squall::io::sst
