#include "reduce/expansion.hpp"

namespace squall::io {
namespace {

struct Two {
    double sum, error;
};

/// The sum as it is rounded, and what is lost (Knuth's TwoSum; Shewchuk, theorem 7).
Two two_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a, of_a = sum - of_b;
    return {sum, (a - of_a) + (b - of_b)};
}

} // namespace

void Expansion::set(std::size_t n, double x) {
    if (n < inside)
        first_[n] = x;
    else if (n - inside < more_.size())
        more_[n - inside] = x;
    else
        more_.push_back(x);
}

void Expansion::add(double x) {
    std::size_t kept = 0;
    for (std::size_t n = 0; n < size_; ++n) {
        const auto two = two_sum(x, (*this)[n]);
        x = two.sum;
        if (two.error != 0) set(kept++, two.error);
    }
    if (x != 0) set(kept++, x);
    size_ = kept;
}

/// From the largest down, until something is lost. What lies below that only says which way a tie goes.
double Expansion::rounded() const {
    auto n = size_ - 1;
    Two two{(*this)[n], 0};
    while (n > 0 && two.error == 0) two = two_sum(two.sum, (*this)[--n]);
    if (n == 0 || two.error == 0) return two.sum;
    const double below = (*this)[n - 1], further = two.sum + 2 * two.error;
    const bool tie = further - two.sum == 2 * two.error;
    return tie && (below > 0) == (two.error > 0) ? further : two.sum;
}

std::pair<double, double> Expansion::leading() const {
    if (size_ < 2) return {nearest(), 0};
    if (size_ == 2) { // as most are: without a copy
        const auto two = two_sum(first_[1], first_[0]);
        return {two.sum, two.error};
    }
    const double most = nearest();
    auto left = *this;
    left.add(-most);
    return {most, left.nearest()};
}

} // namespace squall::io
