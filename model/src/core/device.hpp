/// The graphics processor that the kernels of a run may run on.
///
/// Programs built without SQUALL_GPU have none. Arrays and tables of kernels then lie in memory that
/// processors and device both see; a processor may touch them when finish() has returned.
#pragma once

#include <cstddef>
#include <string>

namespace squall::device {

/// Whether this program has kernels for one.
bool built();

/// Layers that a domain has there at most, and rows of scratch that a kernel then has (slow_terms.hpp).
inline constexpr int most_layers = 128, scratch_rows = 8 * (most_layers + 1) + 8;
/// Rows of scratch that a kernel of columns then has (launch_columns).
inline constexpr int column_rows = 24 * (most_layers + 1);

struct Description {
    std::string name;
    std::size_t memory; ///< bytes
};

/// The device of the rank that is the n-th of its node; ranks share devices where they are more. Throws
/// std::runtime_error that says why there is none.
Description describe(int rank_on_node);

/// From now on memory is taken, and kernels are launched, on that device. Before the first array is made;
/// once. Throws as describe().
void use(int rank_on_node);

namespace detail {
extern bool used;
void wait();
} // namespace detail

inline bool in_use() { return detail::used; }

/// Returns when all launches are done. Throws std::runtime_error with what the device reports of them. Costs
/// nothing where none is in use.
inline void finish() {
    if (detail::used) detail::wait();
}

/// Memory that both see; only where one is in use. Throws std::bad_alloc.
void *allocate(std::size_t bytes);
void release(void *memory) noexcept;

} // namespace squall::device
