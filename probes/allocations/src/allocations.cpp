/// Stands before malloc and its kin and memset in a program that it is preloaded into, and counts the calls
/// by size; of those of 4 KiB and more the time too. As it ends, each process leaves allocations-PID.json in
/// the folder that $SQUALL_ALLOCATIONS names, with the pages that it was given on first touch.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

/// dlsym would ask for memory before the first memory there is; glibc has its own under these names.
extern "C" void *__libc_malloc(std::size_t);
extern "C" void *__libc_calloc(std::size_t, std::size_t);
extern "C" void *__libc_realloc(void *, std::size_t);
extern "C" void *__libc_memalign(std::size_t, std::size_t);

namespace {

enum What { allocated, cleared };
constexpr std::array names{"allocated", "cleared"};
constexpr std::size_t timed = 4096; ///< below it a clock takes longer than what it times [B]

/// Calls whose bytes lie in [2^(n-1), 2^n); the first: of no bytes.
struct Bin {
    std::atomic<std::uint64_t> calls, bytes, nanoseconds;
};
constexpr std::size_t bins = 48;
Bin counts[names.size()][bins]; // zeros, from the start on

std::uint64_t now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::uint64_t(t.tv_sec) * 1'000'000'000 + std::uint64_t(t.tv_nsec);
}

void count(What what, std::size_t bytes, std::uint64_t nanoseconds) {
    Bin &bin = counts[what][std::min<std::size_t>(bins - 1, std::bit_width(bytes))];
    bin.calls.fetch_add(1, std::memory_order_relaxed);
    bin.bytes.fetch_add(bytes, std::memory_order_relaxed);
    bin.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
}

template <class Call> void *counted(What what, std::size_t bytes, Call call) {
    const std::uint64_t begun = bytes < timed ? 0 : now();
    void *result = call();
    count(what, bytes, bytes < timed ? 0 : now() - begun);
    return result;
}

using Memset = void *(*)(void *, int, std::size_t);

/// The system's; null until the loader can tell, which clears memory itself.
Memset memset_below() {
    static std::atomic<Memset> found = nullptr;
    static thread_local bool looking = false;
    if (found || looking) return found;
    looking = true;
    found = reinterpret_cast<Memset>(dlsym(RTLD_NEXT, "memset"));
    looking = false;
    return found;
}

/// Not by a loop that the compiler knows for a memset.
void *fill(void *to, int value, std::size_t bytes) {
    auto *p = static_cast<volatile unsigned char *>(to);
    for (std::size_t n = 0; n < bytes; ++n) p[n] = static_cast<unsigned char>(value);
    return to;
}

void write_calls(std::FILE *out) {
    const char *between = "";
    for (std::size_t what = 0; what < names.size(); ++what)
        for (std::size_t b = 0; b < bins; ++b) {
            const Bin &bin = counts[what][b];
            if (bin.calls == 0) continue;
            std::fprintf(out,
                         "%s\n  {\"what\": \"%s\", \"below\": %.0f, \"calls\": %ju, \"bytes\": %ju, "
                         "\"seconds\": %.9g}",
                         between, names[what], std::ldexp(1.0, static_cast<int>(b)),
                         std::uintmax_t(bin.calls), std::uintmax_t(bin.bytes),
                         1e-9 * double(bin.nanoseconds));
            between = ",";
        }
}

__attribute__((destructor)) void write_all() {
    const char *folder = std::getenv("SQUALL_ALLOCATIONS");
    if (!folder) return;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const std::string file = std::string(folder) + "/allocations-" + std::to_string(getpid()) + ".json";
    std::FILE *out = std::fopen(file.c_str(), "w");
    if (!out) {
        std::fprintf(stderr, "squall: cannot write the counts of allocations to %s\n", file.c_str());
        return;
    }
    std::fprintf(out, "{\"program\": \"%s\", \"pages\": %ld, \"calls\": [", program_invocation_short_name,
                 usage.ru_minflt);
    write_calls(out);
    std::fprintf(out, "]}\n");
    std::fclose(out);
}

} // namespace

extern "C" {

void *malloc(std::size_t bytes) noexcept {
    return counted(allocated, bytes, [=] { return __libc_malloc(bytes); });
}

void *calloc(std::size_t n, std::size_t bytes) noexcept {
    return counted(allocated, n * bytes, [=] { return __libc_calloc(n, bytes); });
}

void *realloc(void *old, std::size_t bytes) noexcept {
    return counted(allocated, bytes, [=] { return __libc_realloc(old, bytes); });
}

void *aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return counted(allocated, bytes, [=] { return __libc_memalign(alignment, bytes); });
}

int posix_memalign(void **place, std::size_t alignment, std::size_t bytes) noexcept {
    void *at = counted(allocated, bytes, [=] { return __libc_memalign(alignment, bytes); });
    if (!at) return ENOMEM;
    *place = at;
    return 0;
}

void *memset(void *to, int value, std::size_t bytes) noexcept {
    const Memset below = memset_below();
    if (!below) return fill(to, value, bytes);
    if (value != 0) return below(to, value, bytes);
    return counted(cleared, bytes, [=] { return below(to, value, bytes); });
}
}
