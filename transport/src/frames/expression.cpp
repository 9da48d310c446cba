#include "frames/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace squall::transport {

/// By recursive descent: a sum of products of values.
class ExpressionParser {
  public:
    ExpressionParser(const std::string &text, Expression &made) : text_(text), made_(made) {}

    void parse() {
        sum();
        if (next() != '\0') fail(fmt::format("there is \"{}\" where an operator was expected", next()));
    }

  private:
    using Kind = Expression::Kind;

    [[noreturn]] void fail(const std::string &what) const {
        throw std::invalid_argument(fmt::format("\"{}\", character {}: {}", text_, at_ + 1, what));
    }

    /// The next character that is no blank; NUL at the end.
    char next() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool take(char wanted) {
        if (next() != wanted) return false;
        ++at_;
        return true;
    }

    void expect(char wanted) {
        if (!take(wanted)) fail(fmt::format("\"{}\" is missing", wanted));
    }

    void put(Expression::Step step, int taken) {
        made_.steps_.push_back(step);
        waiting_ += 1 - taken;
        if (waiting_ > static_cast<int>(Expression::deepest)) fail("there are too many parentheses");
    }

    void sum() {
        product();
        for (;;) {
            if (take('+'))
                product(), put({Kind::add}, 2);
            else if (take('-'))
                product(), put({Kind::subtract}, 2);
            else
                return;
        }
    }

    void product() {
        value();
        for (;;) {
            if (take('*'))
                value(), put({Kind::multiply}, 2);
            else if (take('/'))
                value(), put({Kind::divide}, 2);
            else
                return;
        }
    }

    void value() {
        if (++nested_ > 200) fail("there are too many signs or parentheses");
        const char c = next();
        if (take('-'))
            value(), put({Kind::negate}, 1);
        else if (take('('))
            sum(), expect(')');
        else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.')
            number();
        else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_')
            word();
        else
            fail(c == '\0' ? "it ends where a value was expected"
                           : fmt::format("there is \"{}\" where a value was expected", c));
        --nested_;
    }

    void number() {
        double found = 0;
        const char *begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), found);
        if (error != std::errc()) fail("this is not a number");
        at_ += static_cast<std::size_t>(end - begin);
        put({Kind::number, found}, 0);
    }

    void word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
            ++at_;
        const std::string name = text_.substr(begin, at_ - begin);
        if (next() == '(') return function(name, begin);
        auto &names = made_.names_;
        const auto known = std::ranges::find(names, name);
        const auto number = static_cast<std::size_t>(known - names.begin());
        if (known == names.end()) names.push_back(name);
        put({Kind::name, 0, number}, 0);
    }

    void function(const std::string &name, std::size_t begin) {
        static const std::map<std::string, Kind> of_one{{"sqrt", Kind::root},
                                                        {"exp", Kind::exp},
                                                        {"log", Kind::log},
                                                        {"log10", Kind::log10},
                                                        {"abs", Kind::abs}};
        static const std::map<std::string, Kind> of_two{{"min", Kind::min}, {"max", Kind::max}};
        const bool two = of_two.contains(name);
        if (!two && !of_one.contains(name)) {
            at_ = begin;
            fail(fmt::format("there is no function \"{}\"; there are sqrt, exp, log, log10, abs, min and max",
                             name));
        }
        expect('(');
        sum();
        if (two) expect(','), sum();
        expect(')');
        put({two ? of_two.at(name) : of_one.at(name)}, two ? 2 : 1);
    }

    const std::string &text_;
    Expression &made_;
    std::size_t at_ = 0;
    int waiting_ = 0, nested_ = 0;
};

Expression::Expression(const std::string &text) { ExpressionParser(text, *this).parse(); }

double Expression::operator()(std::span<const double> values) const {
    std::array<double, deepest> stack; // NOLINT: written before it is read
    std::size_t top = 0;
    const auto one = [&](auto made) { stack[top - 1] = made(stack[top - 1]); };
    const auto two = [&](auto made) { --top, stack[top - 1] = made(stack[top - 1], stack[top]); };
    for (const Step &step : steps_) switch (step.kind) {
        case Kind::number:
            stack[top++] = step.number;
            break;
        case Kind::name:
            stack[top++] = values[step.name];
            break;
        case Kind::add:
            two([](double a, double b) { return a + b; });
            break;
        case Kind::subtract:
            two([](double a, double b) { return a - b; });
            break;
        case Kind::multiply:
            two([](double a, double b) { return a * b; });
            break;
        case Kind::divide:
            two([](double a, double b) { return a / b; });
            break;
        case Kind::negate:
            one([](double a) { return -a; });
            break;
        case Kind::root:
            one([](double a) { return std::sqrt(a); });
            break;
        case Kind::exp:
            one([](double a) { return std::exp(a); });
            break;
        case Kind::log:
            one([](double a) { return std::log(a); });
            break;
        case Kind::log10:
            one([](double a) { return std::log10(a); });
            break;
        case Kind::abs:
            one([](double a) { return std::abs(a); });
            break;
        case Kind::min:
            two([](double a, double b) { return std::min(a, b); });
            break;
        case Kind::max:
            two([](double a, double b) { return std::max(a, b); });
            break;
        }
    return stack[0];
}

} // namespace squall::transport
