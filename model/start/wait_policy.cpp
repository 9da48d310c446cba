// How threads wait for each other, in every program that has threads, whoever starts it: for some ten
// microseconds by looking, then asleep.
//
// A thread that has done its part of a loop waits for the others. GCC's OpenMP looks for them for
// milliseconds before it sleeps, Clang's and Intel's for 200. That is well while each thread has a core to
// itself. Where anything else runs beside them, the thread that all wait for is off its core, and those that
// look for it keep it off: steps then take tens of times as long. Looking for some ten microseconds catches
// nearly every end of a loop on a machine of one's own, and costs next to nothing on another.
//
// OpenMP reads its environment when its library is loaded, before main() and before any constructor of the
// program. So the program starts itself once more, with what is missing in its environment, before any
// library is initialised. Who sets one of these variables decides, and the program starts once only.
#include <climits>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include <unistd.h>

namespace {

/// Of GCC; of Clang and Intel, in milliseconds.
constexpr const char *policy[] = {"GOMP_SPINCOUNT=2000", "KMP_BLOCKTIME=1"};

/// Each of them says how threads wait.
constexpr std::string_view deciders[] = {
    "OMP_WAIT_POLICY=", "GOMP_SPINCOUNT=", "KMP_BLOCKTIME=", "KMP_LIBRARY="};

bool starts_with(const char *text, std::string_view beginning) {
    return std::strncmp(text, beginning.data(), beginning.size()) == 0;
}

/// Whether someone has decided already: this program, the first time, too.
bool is_decided(char *const *environment) {
    for (; *environment; ++environment)
        for (const std::string_view name : deciders)
            if (starts_with(*environment, name)) return true;
    return false;
}

/// Valgrind would lose sight of the program.
bool is_watched(char *const *environment) {
    for (; *environment; ++environment)
        if (starts_with(*environment, "LD_PRELOAD=") && std::strstr(*environment, "vgpreload")) return true;
    return false;
}

/// Starts the program again in this process; returns where that is impossible, and things are as they were.
/// The C library does not know the environment yet, so it is handed from hand to hand.
void start_with_policy(int, char **arguments, char **environment) {
    if (is_decided(environment) || is_watched(environment)) return;
    std::size_t n = 0;
    while (environment[n]) ++n;
    auto **with_policy =
        static_cast<const char **>(std::malloc((n + std::size(policy) + 1) * sizeof(const char *)));
    if (!with_policy) return;
    std::memcpy(with_policy, environment, n * sizeof(const char *));
    for (const char *setting : policy) with_policy[n++] = setting;
    with_policy[n] = nullptr;
    char *const *added = const_cast<char *const *>(with_policy);
    // By its own name, which is what lists of processes show; by the link if it lies elsewhere by now.
    char path[PATH_MAX];
    constexpr const char *self = "/proc/self/exe";
    const ssize_t length = readlink(self, path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        execve(path, arguments, added);
    }
    execve(self, arguments, added);
    std::free(with_policy);
}

/// What the loader calls before it initialises libraries.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char **,
                                                                             char **) = start_with_policy;

} // namespace
