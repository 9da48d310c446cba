/// Makes the calls that its words name, one after the other, and prints what became of each: for the
/// tests of the shim. `open F`, `append F`, `fopen F` and `reopen F` make F the current file; `keep F` opens
/// it beside it.

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace {

int current = -1, kept = -1;

long number(const std::string &word) { return std::stol(word); }

/// The letters a, b, c, ... so that the place of each can be seen.
std::string letters(long n) {
    std::string text;
    for (long i = 0; i < n; ++i) text += static_cast<char>('a' + i % 26);
    return text;
}

void tell(const std::string &what, long result) {
    std::printf("%s: %s\n", what.c_str(),
                result < 0 ? strerrorname_np(errno) : std::to_string(result).c_str());
    std::fflush(stdout);
}

long opened(int fd) {
    if (fd >= 0) current = fd;
    return fd < 0 ? -1 : 0;
}

long write_vector(long bytes) {
    const auto text = letters(bytes);
    const auto half = static_cast<std::size_t>(bytes / 2);
    iovec pieces[] = {{const_cast<char *>(text.data()), half},
                      {const_cast<char *>(text.data()) + half, text.size() - half}};
    return writev(current, pieces, 2);
}

long stream_out(const std::string &file) {
    std::ofstream out(file);
    out << "stream" << std::flush;
    return out ? 6 : -1;
}

long allocate(long bytes) {
    void *at = std::malloc(static_cast<std::size_t>(bytes));
    std::free(at);
    return at ? bytes : -1;
}

long map_memory(long bytes) {
    void *at = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? -1 : bytes;
}

/// Whether a message to itself arrives within half a second. 1: it does.
long message() {
    int out = 1, in = 0, done = 0;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (!done && std::chrono::steady_clock::now() < end)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    return done && in == 1;
}

long lock() {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    return fcntl(current, F_OFD_SETLK, &whole);
}

long file_system(const std::string &file) {
    struct statfs about {};
    return statfs(file.c_str(), &about) == 0 ? long(about.f_type) : -1;
}

long together() {
    int one = 1, sum = 0, done = 0;
    MPI_Request request;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, &request);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (!done && std::chrono::steady_clock::now() < end) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done;
}

} // namespace

int main(int argc, char **argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    std::size_t next = 0;
    const auto word = [&] { return next < words.size() ? words[next++] : std::string("0"); };
    const std::map<std::string, std::function<long()>> calls = {
        {"open", [&] { return opened(open(word().c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666)); }},
        {"append", [&] { return opened(open(word().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666)); }},
        {"reopen", [&] { return opened(open(word().c_str(), O_RDONLY)); }},
        {"fopen", [&] { return std::fopen(word().c_str(), "w") ? 0 : -1; }},
        {"stream", [&] { return stream_out(word()); }},
        {"write",
         [&] {
             const auto t = letters(number(word()));
             return long(write(current, t.data(), t.size()));
         }},
        {"writev", [&] { return write_vector(number(word())); }},
        {"pwrite",
         [&] {
             const auto t = letters(number(word()));
             return long(pwrite(current, t.data(), t.size(), 2));
         }},
        {"fsync", [&] { return long(fsync(current)); }},
        {"fdatasync", [&] { return long(fdatasync(current)); }},
        {"syncfs", [&] { return long(syncfs(current)); }},
        {"close", [&] { return long(close(current)); }},
        {"keep", [&] { return (kept = open(word().c_str(), O_RDONLY)) < 0 ? -1 : 0; }},
        {"kept_fsync", [&] { return long(fsync(kept)); }},
        {"kept_syncfs", [&] { return long(syncfs(kept)); }},
        {"lock", lock},
        {"filesystem", [&] { return file_system(word()); }},
        {"ftruncate", [&] { return long(ftruncate(current, number(word()))); }},
        {"fallocate", [&] { return long(posix_fallocate(current, 0, number(word()))); }},
        {"rename",
         [&] {
             const auto a = word(), b = word();
             return long(rename(a.c_str(), b.c_str()));
         }},
        {"unlink", [&] { return long(unlink(word().c_str())); }},
        {"mkdir", [&] { return long(mkdir(word().c_str(), 0777)); }},
        {"malloc", [&] { return allocate(number(word())); }},
        {"mmap", [&] { return map_memory(number(word())); }},
        {"message", message},
        {"together", together},
    };
    bool mpi = false;
    for (const auto &w : words) mpi = mpi || w == "message" || w == "together";
    if (mpi) MPI_Init(&argc, &argv);
    while (next < words.size()) {
        const auto name = word();
        const auto call = calls.find(name);
        if (call == calls.end()) return 2;
        errno = 0;
        tell(name, call->second());
    }
    if (mpi) std::_Exit(0); // what was dropped would keep MPI_Finalize waiting
}
