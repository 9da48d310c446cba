/// A manifest as a file that several add to: the leaders of groups of servers, and `squall recover` after
/// them.
#pragma once

#include <cstdint>
#include <string>

namespace squall::io {

/// An open manifest. Locks are fcntl's, of open file descriptions: of one kind, as file systems that lie on
/// other machines may have one kind only. One byte far behind the end stands for "a run writes it", which
/// all writers share; the next for "I am adding to it", and one more for "I am replacing it". Every function
/// throws Error.
class ManifestFile {
  public:
    enum class Begin { as_it_is, empty };
    /// Waits for a recovery that is at work on it, at most `patience` seconds.
    ManifestFile(std::string path, Begin begin, double patience = 5);
    ~ManifestFile();
    ManifestFile(const ManifestFile &) = delete;
    ManifestFile &operator=(const ManifestFile &) = delete;

    /// What one may do at a time. Who has replaced it has it for good; who could not ends that turn, too:
    /// others, who want to, add nothing meanwhile.
    enum class Doing { adding, replacing };
    enum class Turn {
        mine,
        elsewhere, ///< `path` names another file by now
        stuck      ///< it has been somebody else's for all of `seconds`
    };
    /// Waits for its turn. Where the file system has no locks there is nothing to wait for: a run goes on,
    /// and has said on standard error that nobody can see that it does.
    Turn take_turn(Doing doing, double seconds, const std::string &path);
    void end_turn(Doing doing = Doing::adding);

    /// Whether the file that `path` names now is this one.
    bool is_at(const std::string &path) const;
    std::string text(std::int64_t from = 0) const;
    std::int64_t size() const; ///< bytes

    /// Says for good that somebody goes on in a copy: only what is before the seal counts, which is returned.
    /// Whoever adds, and stood still meanwhile, sees by his place which of the two it was. So a line is in
    /// the copy, or has to be added to it, and all agree on which, whenever they go on.
    std::string seal();
    /// Whether somebody has.
    bool is_sealed();
    /// Whether these lines, which were added after is_sealed() said no, count.
    bool counts(const std::string &lines) const;
    /// Adds a line, on a line of its own if somebody was ended within his. If it throws it takes back what it
    /// could add of it, where it can.
    void add(const std::string &line);
    /// Bytes of the last line to be added that are there.
    std::size_t added() const { return added_; }
    void bring_to_disk() const;

    /// Whether a run has it open. Unknown where the file system has no locks.
    enum class Use { no, yes, unknown };
    static Use use_of(const std::string &path);
    /// Makes `descriptor`, which must be open for writing, the only one that is in use. Not where another is:
    /// yes; nor where that cannot be known: unknown, and errno says why.
    static Use claim(int descriptor);

  private:
    [[noreturn]] void fail(const char *doing) const;

    std::string path_;
    int fd_;
    std::size_t added_ = 0;
    std::int64_t seen_ = 0; ///< bytes in which there is no seal
};

} // namespace squall::io
