#include "read/shared_source.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "common/types.hpp"
#include "declare/declaration.hpp"

namespace squall::io {
namespace {

/// Bytes that a reader has in memory at a time, and sends in a message.
constexpr std::int64_t largest_slab = 32 << 20;
constexpr int tag = 1;
constexpr int reader = 0; ///< the rank in its group that opens the file

/// A communicator, freed at the end unless MPI has ended before.
class Comm {
  public:
    Comm() = default;
    Comm(const Comm &) = delete;
    Comm &operator=(const Comm &) = delete;
    ~Comm() {
        int ended = 0;
        MPI_Finalized(&ended);
        if (comm != MPI_COMM_NULL && !ended) MPI_Comm_free(&comm);
    }
    MPI_Comm comm = MPI_COMM_NULL;
};

void split(MPI_Comm all, int readers, Comm &group) {
    int rank = 0, size = 1;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    if (readers < 0)
        throw Error(fmt::format("{} readers; name how many, or 0 for one on every node", readers));
    if (readers == 0)
        MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &group.comm);
    else
        MPI_Comm_split(all, static_cast<int>(std::int64_t(rank) * std::min(readers, size) / size), rank,
                       &group.comm);
}

void broadcast(Bytes &bytes, int from, MPI_Comm comm) {
    std::int64_t size = std::ssize(bytes);
    MPI_Bcast(&size, 1, MPI_INT64_T, from, comm);
    bytes.resize(static_cast<std::size_t>(size));
    for (std::int64_t done = 0; done < size; done += largest_slab)
        MPI_Bcast(bytes.data() + done, static_cast<int>(std::min(largest_slab, size - done)), MPI_BYTE, from,
                  comm);
}

/// Throws the fault of the first rank that has one, on all.
void agree(const std::string &fault, MPI_Comm comm) {
    int rank = 0, size = 1, first = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int mine = fault.empty() ? size : rank;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == size) return;
    Bytes words(fault.begin(), fault.end());
    broadcast(words, first, comm);
    throw Error(std::string(words.begin(), words.end()));
}

/// A box in parts of at most so many bytes, cut along its slowest dimensions.
void cut(const Box &box, std::int64_t element, std::vector<Box> &parts) {
    if (volume(box) * element <= largest_slab) return parts.push_back(box);
    std::size_t d = 0;
    while (d + 1 < box.count.size() && box.count[d] == 1) ++d;
    const auto row = volume(box) / box.count[d] * element;
    const auto rows = std::max<std::int64_t>(1, largest_slab / row);
    for (std::int64_t at = 0; at < box.count[d]; at += rows) {
        auto part = box;
        part.start[d] += at;
        part.count[d] = std::min(rows, box.count[d] - at);
        cut(part, element, parts);
    }
}

/// The smallest box that holds both.
Box hull(const Box &a, const Box &b) {
    Box both = a;
    for (std::size_t d = 0; d < a.start.size(); ++d) {
        both.start[d] = std::min(a.start[d], b.start[d]);
        both.count[d] = std::max(a.start[d] + a.count[d], b.start[d] + b.count[d]) - both.start[d];
    }
    return both;
}

/// What a rank wants; nothing: its field is -1.
struct Request {
    std::int64_t field = -1, frame = 0;
    Type memory = Type::f32;
    Box box;

    /// As numbers, with room for so many dimensions.
    std::vector<std::int64_t> numbers(std::size_t dimensions) const {
        std::vector<std::int64_t> all{field, frame, static_cast<std::int64_t>(memory), std::ssize(box.start)};
        all.insert(all.end(), box.start.begin(), box.start.end());
        all.insert(all.end(), box.count.begin(), box.count.end());
        all.resize(length(dimensions));
        return all;
    }
    static Request from(const std::int64_t *n) {
        const auto dimensions = n[3];
        return {n[0],
                n[1],
                static_cast<Type>(n[2]),
                {{n + 4, n + 4 + dimensions}, {n + 4 + dimensions, n + 4 + 2 * dimensions}}};
    }
    static std::size_t length(std::size_t dimensions) { return 4 + 2 * dimensions; }
    bool same_points(const Request &other) const {
        return field == other.field && frame == other.frame && memory == other.memory;
    }
};

class SharedSource final : public Source {
  public:
    SharedSource(const std::string &path, MPI_Comm all, int readers) {
        split(all, readers, group_);
        MPI_Comm_rank(group_.comm, &rank_);
        MPI_Comm_size(group_.comm, &size_);
        std::string fault;
        try {
            if (rank_ == reader) file_ = open_source(path);
        } catch (const std::exception &e) {
            fault = e.what();
        }
        agree(fault, all);
        share_description();
        for (const auto &f : fields) most_dimensions_ = std::max(most_dimensions_, f.dimensions.size());
    }

    void read(int field, std::int64_t frame, const Box &box, void *contiguous_points,
              Type memory) const override {
        const Request mine{field, frame, memory, box};
        const auto all = gather(mine);
        if (rank_ != reader) return receive(mine, contiguous_points);
        const auto fault = serve(all, contiguous_points);
        if (!fault.empty()) throw Error(fault);
    }

    void read_nothing() const override {
        const auto all = gather({});
        if (rank_ == reader) serve(all, nullptr);
    }

  private:
    void share_description() {
        Bytes bytes;
        std::int64_t n = 0;
        if (file_) {
            StreamSpec told;
            told.record_dimension = file_->record_dimension;
            told.dimensions = file_->dimensions;
            told.fields = file_->fields;
            told.attributes = file_->attributes;
            bytes = pack(told);
            n = file_->frames;
        }
        broadcast(bytes, reader, group_.comm);
        MPI_Bcast(&n, 1, MPI_INT64_T, reader, group_.comm);
        auto told = unpack_spec(bytes);
        record_dimension = std::move(told.record_dimension);
        dimensions = std::move(told.dimensions);
        fields = std::move(told.fields);
        attributes = std::move(told.attributes);
        frames = n;
        if (file_) unheld = file_->unheld;
    }

    /// What the ranks of the group want, on the reader.
    std::vector<Request> gather(const Request &mine) const {
        const auto length = Request::length(most_dimensions_);
        const auto numbers = mine.numbers(most_dimensions_);
        std::vector<std::int64_t> all(rank_ == reader ? length * static_cast<std::size_t>(size_) : 0);
        MPI_Gather(numbers.data(), static_cast<int>(length), MPI_INT64_T, all.data(),
                   static_cast<int>(length), MPI_INT64_T, reader, group_.comm);
        std::vector<Request> requests;
        for (std::size_t at = 0; at < all.size(); at += length) requests.push_back(Request::from(&all[at]));
        return requests;
    }

    /// Reads for all. Returns what went wrong with what this rank wants, whose points go to `own`.
    std::string serve(const std::vector<Request> &all, void *own) const {
        std::string own_fault;
        std::vector<bool> served(all.size());
        for (std::size_t first = 0; first < all.size(); ++first) {
            if (all[first].field < 0 || served[first]) continue;
            std::vector<int> ranks;
            for (std::size_t r = first; r < all.size(); ++r)
                if (all[r].same_points(all[first])) {
                    ranks.push_back(static_cast<int>(r));
                    served[r] = true;
                }
            std::map<int, std::int64_t> missing; // points, by rank
            for (const int r : ranks) missing[r] = volume(all[static_cast<std::size_t>(r)].box);
            try {
                serve(all, ranks, missing, own);
            } catch (const std::exception &e) {
                for (const auto &[r, points] : missing) {
                    if (points == 0) continue; // it has them all, and is gone
                    if (r == rank_)
                        own_fault = e.what();
                    else
                        MPI_Send(e.what(), static_cast<int>(std::strlen(e.what())), MPI_CHAR, r, fault_tag,
                                 group_.comm);
                }
            }
        }
        return own_fault;
    }

    /// Ranks that want parts of the same field of the same frame.
    void serve(const std::vector<Request> &all, const std::vector<int> &ranks,
               std::map<int, std::int64_t> &missing, void *own) const {
        const auto &what = all[static_cast<std::size_t>(ranks.front())];
        const auto element = size_of(what.memory);
        std::vector<std::byte> points, part;
        for (const auto &[slab, wanting] : slabs(all, ranks)) {
            points.resize(static_cast<std::size_t>(volume(slab)) * element);
            file_->read(static_cast<int>(what.field), what.frame, slab, points.data(), what.memory);
            for (const int r : wanting) {
                const auto &box = all[static_cast<std::size_t>(r)].box;
                const auto wanted = intersection(slab, box);
                if (volume(wanted) == 0) continue;
                missing[r] -= volume(wanted);
                if (r == rank_) {
                    copy_part(wanted, slab, points.data(), box, own, what.memory);
                    continue;
                }
                part.resize(static_cast<std::size_t>(volume(wanted)) * element);
                copy_part(wanted, slab, points.data(), wanted, part.data(), what.memory);
                send(wanted, part, r);
            }
        }
    }

    /// A part that is read at once, and for whom.
    struct Slab {
        Box box;
        std::vector<int> ranks;
    };

    /// What is around all of their boxes, if that is little more than these; else box by box.
    static std::vector<Slab> slabs(const std::vector<Request> &all, const std::vector<int> &ranks) {
        const auto box_of = [&](int rank) -> const Box & { return all[static_cast<std::size_t>(rank)].box; };
        const auto element =
            static_cast<std::int64_t>(size_of(all[static_cast<std::size_t>(ranks[0])].memory));
        auto whole = box_of(ranks[0]);
        std::int64_t wanted = 0;
        for (const int r : ranks) {
            whole = hull(whole, box_of(r));
            wanted += volume(box_of(r));
        }
        std::vector<Slab> slabs;
        const auto add = [&](const Box &box, const std::vector<int> &readers) {
            std::vector<Box> parts;
            cut(box, element, parts);
            for (auto &part : parts) slabs.push_back({std::move(part), readers});
        };
        if (volume(whole) <= 2 * wanted)
            add(whole, ranks);
        else
            for (const int r : ranks) add(box_of(r), {r});
        return slabs;
    }

    void send(const Box &box, const std::vector<std::byte> &points, int to) const {
        std::vector<std::int64_t> where(box.start);
        where.insert(where.end(), box.count.begin(), box.count.end());
        MPI_Send(where.data(), static_cast<int>(where.size()), MPI_INT64_T, to, tag, group_.comm);
        MPI_Send(points.data(), static_cast<int>(points.size()), MPI_BYTE, to, tag, group_.comm);
    }

    void receive(const Request &mine, void *to) const {
        const auto n = mine.box.start.size();
        const auto element = size_of(mine.memory);
        std::vector<std::byte> points;
        for (std::int64_t missing = volume(mine.box); missing > 0;) {
            MPI_Status status;
            MPI_Probe(reader, MPI_ANY_TAG, group_.comm, &status);
            if (status.MPI_TAG == fault_tag) fail(status);
            std::vector<std::int64_t> where(2 * n);
            MPI_Recv(where.data(), static_cast<int>(where.size()), MPI_INT64_T, reader, tag, group_.comm,
                     MPI_STATUS_IGNORE);
            const Box part{{where.begin(), where.begin() + static_cast<std::ptrdiff_t>(n)},
                           {where.begin() + static_cast<std::ptrdiff_t>(n), where.end()}};
            points.resize(static_cast<std::size_t>(volume(part)) * element);
            MPI_Recv(points.data(), static_cast<int>(points.size()), MPI_BYTE, reader, tag, group_.comm,
                     MPI_STATUS_IGNORE);
            copy_part(part, part, points.data(), mine.box, to, mine.memory);
            missing -= volume(part);
        }
    }

    [[noreturn]] void fail(const MPI_Status &status) const {
        int length = 0;
        MPI_Get_count(&status, MPI_CHAR, &length);
        std::string fault(static_cast<std::size_t>(length), ' ');
        MPI_Recv(fault.data(), length, MPI_CHAR, reader, fault_tag, group_.comm, MPI_STATUS_IGNORE);
        throw Error(fault);
    }

    static constexpr int fault_tag = tag + 1;

    Comm group_;
    int rank_ = 0, size_ = 1;
    std::unique_ptr<Source> file_; ///< on the reader
    std::size_t most_dimensions_ = 0;
};

} // namespace

std::unique_ptr<Source> open_together(const std::string &path, MPI_Comm comm, int readers) {
    return std::make_unique<SharedSource>(path, comm, readers);
}

} // namespace squall::io
