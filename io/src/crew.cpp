#include "crew.hpp"

#include <numeric>

#include <fmt/format.h>

#include "squall/io.hpp"

namespace squall::io {

Crew::Crew(MPI_Comm comm, Patience patience) : patience_(patience) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
}

Crew::~Crew() { MPI_Comm_free(&comm_); }

void Crew::wait(MPI_Request &request) const {
    patience_.wait(request, [this] { return doing_; });
}

void Crew::agree(const std::string &fault) const {
    if (size_ == 1) {
        if (!fault.empty()) throw Error(fault);
        return;
    }
    int mine = fault.empty() ? size_ : rank_, first = size_;
    MPI_Request request;
    MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm_, &request);
    wait(request);
    if (first == size_) return;
    int length = static_cast<int>(fault.size());
    MPI_Ibcast(&length, 1, MPI_INT, first, comm_, &request);
    wait(request);
    std::string text = fault;
    text.resize(static_cast<std::size_t>(length));
    MPI_Ibcast(text.data(), length, MPI_CHAR, first, comm_, &request);
    wait(request);
    throw Error(text);
}

bool Crew::any(bool value) const {
    if (size_ == 1) return value;
    int mine = value, all = 0;
    MPI_Request request;
    MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MAX, comm_, &request);
    wait(request);
    return all != 0;
}

void Crew::add(std::vector<std::uint64_t> &numbers) const {
    if (size_ == 1) return;
    const auto mine = numbers;
    MPI_Request request;
    MPI_Iallreduce(mine.data(), numbers.data(), static_cast<int>(numbers.size()), MPI_UINT64_T, MPI_SUM,
                   comm_, &request);
    wait(request);
}

std::vector<std::vector<std::int64_t>> Crew::gather(const std::vector<std::int64_t> &numbers) const {
    if (size_ == 1) return {numbers};
    const int size = static_cast<int>(numbers.size());
    std::vector<int> sizes(size_), offsets(size_ + 1);
    MPI_Request request;
    MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm_, &request);
    wait(request);
    std::partial_sum(sizes.begin(), sizes.end(), offsets.begin() + 1);
    std::vector<std::int64_t> all(offsets.back());
    MPI_Iallgatherv(numbers.data(), size, MPI_INT64_T, all.data(), sizes.data(), offsets.data(), MPI_INT64_T,
                    comm_, &request);
    wait(request);
    std::vector<std::vector<std::int64_t>> by_rank;
    for (int r = 0; r < size_; ++r)
        by_rank.emplace_back(all.begin() + offsets[r], all.begin() + offsets[r + 1]);
    return by_rank;
}

std::string Crew::gather_text(const std::string &text) const {
    std::string all;
    const auto codes = gather({text.begin(), text.end()});
    for (int r = 0; r < size_; ++r)
        if (!codes[r].empty())
            all += fmt::format("{}rank {}: {}", all.empty() ? "" : "\n", r,
                               std::string(codes[r].begin(), codes[r].end()));
    return all;
}

} // namespace squall::io
