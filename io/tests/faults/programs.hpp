/// Programs that tests start, and their end.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace squall::faults {

struct Ended {
    int code = 0; ///< 128 + signal where one ended it
    std::string said;
};

/// Runs it to its end, with nothing of this process's environment but PATH, HOME and TMPDIR: what MPI has
/// left there would make it one more rank of ours. Standard error goes with standard output.
inline Ended run(const std::vector<std::string> &words, std::map<std::string, std::string> environment) {
    for (const char *name : {"PATH", "HOME", "TMPDIR"})
        if (const char *value = std::getenv(name)) environment.emplace(name, value);
    environment.insert({{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                        {"OMPI_MCA_io", "^ompio"}}); // which reports errors
    std::vector<std::string> settings;
    for (const auto &[name, value] : environment) settings.push_back(name + "=" + value);
    std::vector<char *> argv, envp;
    for (const auto &w : words) argv.push_back(const_cast<char *>(w.c_str()));
    for (const auto &s : settings) envp.push_back(const_cast<char *>(s.c_str()));
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    int out[2];
    if (pipe2(out, O_CLOEXEC) != 0) return {127, std::strerror(errno)};
    const pid_t child = fork();
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(out[1], STDERR_FILENO);
        execvpe(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    close(out[1]);
    Ended ended;
    char text[4096];
    for (ssize_t n = 0; (n = read(out[0], text, sizeof text)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0) ended.said.append(text, static_cast<std::size_t>(n));
    close(out[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ended.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return ended;
}

} // namespace squall::faults
