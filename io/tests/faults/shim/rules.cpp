#include "rules.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <sstream>
#include <stdexcept>

#include <linux/magic.h>

namespace squall::faults {
namespace {

/// Made when first asked for: the rules are read before main.
const std::map<std::string, Call> &calls() {
    static const std::map<std::string, Call> all = {{"write", Call::write},
                                                    {"fsync", Call::fsync},
                                                    {"open", Call::open},
                                                    {"rename", Call::rename},
                                                    {"unlink", Call::unlink},
                                                    {"mkdir", Call::mkdir},
                                                    {"truncate", Call::truncate},
                                                    {"memory", Call::memory},
                                                    {"send", Call::send},
                                                    {"receive", Call::receive},
                                                    {"collective", Call::collective},
                                                    {"syncfs", Call::syncfs},
                                                    {"close", Call::close},
                                                    {"lock", Call::lock}};
    return all;
}

const std::map<std::string, Deed> &deeds() {
    static const std::map<std::string, Deed> all = {
        {"fail", Deed::fail},     {"delay", Deed::delay},     {"short", Deed::cut}, {"lose", Deed::lose},
        {"forget", Deed::forget}, {"pretend", Deed::pretend}, {"drop", Deed::drop}, {"throw", Deed::raise},
        {"kill", Deed::kill},     {"stop", Deed::stop}};
    return all;
}

const std::map<std::string, int> &errors() {
    static const std::map<std::string, int> all = {
        {"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT},        {"EACCES", EACCES},
        {"EROFS", EROFS},   {"EINTR", EINTR},   {"ENOMEM", ENOMEM},        {"EMFILE", EMFILE},
        {"ENOENT", ENOENT}, {"EAGAIN", EAGAIN}, {"EINVAL", EINVAL},        {"EFBIG", EFBIG},
        {"ENOLCK", ENOLCK}, {"ENOSYS", ENOSYS}, {"EOPNOTSUPP", EOPNOTSUPP}};
    return all;
}

[[noreturn]] void refuse(const std::string &statement, const std::string &why) {
    throw std::invalid_argument("SQUALL_FAULTS: \"" + statement + "\": " + why);
}

template <class T>
T one_of(const std::map<std::string, T> &known, const std::string &word, const std::string &statement) {
    const auto found = known.find(word);
    if (found != known.end()) return found->second;
    std::string names;
    for (const auto &[name, value] : known) names += (names.empty() ? "" : ", ") + name;
    refuse(statement, word + " is none of " + names);
}

const std::map<std::string, long> &file_systems() {
    static const std::map<std::string, long> all = {{"ext4", EXT4_SUPER_MAGIC},
                                                    {"fuse", FUSE_SUPER_MAGIC},
                                                    {"lustre", 0x0BD00BD0},
                                                    {"nfs", NFS_SUPER_MAGIC},
                                                    {"tmpfs", TMPFS_MAGIC}};
    return all;
}

template <class T> T number(const std::string &word, const std::string &statement) {
    std::istringstream in(word);
    T value{};
    if (word.empty() || word[0] == '-' || !(in >> value) || !in.eof())
        refuse(statement, word + " is no number");
    return value;
}

bool message(Call call) { return call == Call::send || call == Call::receive || call == Call::collective; }

/// What cannot happen to a call is a mistake of the test, not a fault that never comes.
void check(const Rule &r, const std::string &statement) {
    if (r.deed == Deed::none) refuse(statement, "do= is missing");
    if (r.nth == 0) refuse(statement, "nth counts from 1");
    if (r.deed == Deed::cut && r.call != Call::write) refuse(statement, "only call=write can be short");
    if (r.deed == Deed::lose && r.call != Call::fsync && r.call != Call::close)
        refuse(statement, "only call=fsync and call=close can lose");
    if (r.deed == Deed::forget && r.call != Call::close) refuse(statement, "only call=close can forget");
    if (r.deed == Deed::pretend && r.call != Call::fsync && r.call != Call::syncfs)
        refuse(statement, "only call=fsync and call=syncfs can pretend");
    if (r.deed == Deed::drop && !message(r.call)) refuse(statement, "only messages can be dropped");
    if (r.deed == Deed::raise && !message(r.call)) refuse(statement, "only messages can throw");
    if (r.deed == Deed::fail && message(r.call))
        refuse(statement, "a message does not fail: under MPI's default error handler that ends the run");
    if (r.deed == Deed::delay && r.seconds <= 0) refuse(statement, "delay needs seconds=");
    if (r.call == Call::memory && r.above == 0) refuse(statement, "memory needs above=");
}

class Statement {
  public:
    explicit Statement(const std::string &text) : text_(text) {}

    Rule rule() {
        Rule r;
        bool named = false;
        std::istringstream words(text_);
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            if (equals == std::string::npos) refuse(text_, word + " is not key=value");
            const auto key = word.substr(0, equals);
            named = named || key == "call";
            set(r, key, word.substr(equals + 1));
        }
        if (!named) refuse(text_, "call= is missing");
        if (r.error == 0) r.error = r.call == Call::memory ? ENOMEM : EIO;
        if (r.from.empty()) r.from = message(r.call) ? "libsquall_io" : "*";
        check(r, text_);
        return r;
    }

  private:
    void set(Rule &r, const std::string &key, const std::string &value) const {
        if (key == "call") {
            r.call = one_of(calls(), value, text_);
        } else if (key == "do") {
            r.deed = one_of(deeds(), value, text_);
        } else if (key == "rank") {
            if (value != "*") r.rank = number<int>(value, text_);
        } else if (key == "nth") {
            r.nth = number<std::uint64_t>(value, text_);
        } else if (key == "times") {
            r.times = value == "*" ? std::nullopt : std::optional(number<std::uint64_t>(value, text_));
        } else if (key == "path") {
            r.path = value;
        } else if (key == "errno") {
            r.error = one_of(errors(), value, text_);
        } else if (key == "seconds") {
            r.seconds = number<double>(value, text_);
        } else if (key == "above") {
            r.above = number<std::size_t>(value, text_);
        } else if (key == "from") {
            r.from = value;
        } else {
            refuse(text_, key + " is none of call, do, rank, nth, times, path, errno, seconds, above, from");
        }
    }

    const std::string &text_;
};

template <class T> std::string name_in(const std::map<std::string, T> &known, T value) {
    const auto found = std::ranges::find_if(known, [&](const auto &k) { return k.second == value; });
    return found == known.end() ? "none" : found->first;
}

} // namespace

std::string name_of(Call call) { return name_in(calls(), call); }
std::string name_of(Deed deed) { return name_in(deeds(), deed); }

Rules parse_rules(const std::string &text) {
    Rules all;
    std::istringstream statements(text);
    for (std::string s; std::getline(statements, s, ';');) {
        const auto first = s.find_first_not_of(" \n\t");
        if (first == std::string::npos) continue;
        s = s.substr(first, s.find_last_not_of(" \n\t") - first + 1);
        if (s.starts_with("quota="))
            all.quota = number<std::uint64_t>(s.substr(6), s);
        else if (s.starts_with("filesystem="))
            all.file_system = one_of(file_systems(), s.substr(11), s);
        else
            all.rules.push_back(Statement(s).rule());
    }
    return all;
}

} // namespace squall::faults
