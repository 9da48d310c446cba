/// What shall go wrong, as the environment says it: the grammar of SQUALL_FAULTS.
///
///     SQUALL_FAULTS  = statement { ";" statement }
///     statement      = "quota=" BYTES | "filesystem=" NAME | rule
///     rule           = key "=" value { " " key "=" value }
///
///     call=    write | fsync | syncfs | close | open | rename | unlink | mkdir | truncate | lock | memory |
///              send | receive | collective: what is counted. fsync: syncfs, too. close: of a descriptor of
///              a file to which this process has written what it has not brought to disk
///     do=      fail | delay | short | lose | forget | pretend | drop | throw | kill | stop: what happens to
///              it
///     rank=    N or *: on this rank of MPI_COMM_WORLD, or on all; *
///     nth=     the first call that it happens to, counted per process from 1; 1
///     times=   N or *: to how many calls from there on; 1
///     path=    a pattern of the shell for the path below the directory, * also for slashes; *
///     errno=   by its name, for fail and lose; EIO
///     seconds= for delay
///     above=   bytes: count only calls with more than so many (write, memory, send)
///     from=    part of the name of the library or program that calls; for messages libsquall_io, else *
///
/// short: half of the bytes are written, and told so. lose: fsync fails, and what this process has
/// written to the file since it last succeeded is gone, as after an error of a disk. So it is when close
/// loses; then those of its descriptors that are open at that moment tell of it, too, each with one fsync
/// (and each of the same file system with one syncfs), and none that is opened later. forget: the same, but
/// close says that all is well. pretend: the call does nothing and says that it has worked. drop: a message
/// that never completes. throw: a message is not sent, but an exception thrown at who calls. kill, stop: the
/// process gets SIGKILL, SIGSTOP.
/// quota: all ranks together hold at most BYTES in files below the directory; then ENOSPC. filesystem: what
/// statfs says that holds them; ext4, fuse, lustre, nfs or tmpfs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace squall::faults {

enum class Call {
    write,
    fsync,
    syncfs,
    close,
    open,
    rename,
    unlink,
    mkdir,
    truncate,
    lock,
    memory,
    send,
    receive,
    collective
};
enum class Deed { none, fail, delay, cut, lose, forget, pretend, drop, raise, kill, stop };

std::string name_of(Call call);
std::string name_of(Deed deed);

struct Rule {
    Call call = Call::write;
    Deed deed = Deed::none;
    std::optional<int> rank; ///< none: all
    std::uint64_t nth = 1;
    std::optional<std::uint64_t> times = 1; ///< none: for ever
    std::string path = "*", from;
    int error = 0;
    double seconds = 0;
    std::size_t above = 0;
};

struct Rules {
    std::vector<Rule> rules;
    std::optional<std::uint64_t> quota;
    std::optional<long> file_system; ///< the number by which statfs calls it
};

/// Throws std::invalid_argument that names the statement and what is wrong with it.
Rules parse_rules(const std::string &text);

} // namespace squall::faults
