/// Everything that is wrong with a run file, collected so that one reading shows it all.
#pragma once

#include <string>
#include <vector>

namespace squall {

/// Where a key or a value stands: in the run file, or in an override ("table.key=value").
struct TextPlace {
    int line = 0, column = 0; ///< from 1; line 0: the file as a whole
    std::string override_text;
};

class Problems {
  public:
    /// For a file called `file` with this text.
    Problems(std::string file, const std::string &text);

    /// Notes a problem at `place`. `message` says what is wrong and what would work.
    void add(const TextPlace &place, const std::string &message);

    /// Throws ConfigError with all problems in the order of their lines, if there are any. Each
    /// is "file:line:column: message" and the line with a caret under the place, or
    /// "--set table.key=value: message".
    void raise() const;

  private:
    struct Problem {
        TextPlace place;
        std::string message;
    };
    std::string describe(const Problem &problem) const;

    std::string file_;
    std::vector<std::string> lines_;
    std::vector<Problem> problems_;
};

} // namespace squall
