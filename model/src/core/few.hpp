/// A short list whose elements lie in itself, so that a kernel can hold it by value.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>

namespace squall {

/// At most N elements.
template <class T, std::size_t N> class Few {
  public:
    /// Throws std::length_error beyond N elements.
    void push_back(const T &element) {
        if (size_ == N) throw std::length_error("a short list is full");
        elements_[size_++] = element;
    }
    const T *begin() const { return elements_.data(); }
    const T *end() const { return elements_.data() + size_; }
    T *begin() { return elements_.data(); }
    T *end() { return elements_.data() + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T &front() { return elements_[0]; }
    T &back() { return elements_[size_ - 1]; }
    const T &operator[](std::size_t n) const { return elements_[n]; }

  private:
    std::array<T, N> elements_{};
    std::size_t size_ = 0;
};

} // namespace squall
