/// Short formulas of fields: `(cl + 2 * cl2) * 1e9`.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace squall::transport {

/// Numbers, names, + - * /, parentheses, and sqrt, exp, log, log10, abs of one and min and max of two.
class Expression {
  public:
    Expression() = default;
    /// Throws std::invalid_argument, which says what is wrong and at which character, from 1.
    explicit Expression(const std::string &text);

    /// The names in it, each once, in the order of their first use.
    const std::vector<std::string> &names() const { return names_; }
    /// Its value, of the values of the names in their order.
    double operator()(std::span<const double> values) const;

  private:
    friend class ExpressionParser;
    enum class Kind {
        number,
        name,
        add,
        subtract,
        multiply,
        divide,
        negate,
        root,
        exp,
        log,
        log10,
        abs,
        min,
        max
    };
    struct Step {
        Kind kind;
        double number = 0;    ///< of a number
        std::size_t name = 0; ///< of a name
    };
    static constexpr std::size_t deepest = 32; ///< values that wait for their operator

    std::vector<std::string> names_;
    std::vector<Step> steps_; ///< in the order in which they are computed: operators behind what they take
};

} // namespace squall::transport
