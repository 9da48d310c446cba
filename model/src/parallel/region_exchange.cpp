#include "parallel/region_exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/profile.hpp"
#include "parallel/mpi_real.hpp"

namespace squall {
namespace {

/// What goes to or comes from one rank.
struct Part {
    int rank;
    Region region;
    std::vector<real> buffer;
};

std::size_t points_of(const Region &r) { return std::size_t(r.i1 - r.i0) * std::size_t(r.j1 - r.j0); }

/// Runs f(k, j, place) for each row of a region in each level; rows follow each other in a message.
template <class F> void for_each_message_row(const Region &r, int levels, F f) {
    std::size_t place = 0;
    for (int j = r.j0; j < r.j1; ++j)
        for (int k = 0; k < levels; ++k, place += std::size_t(r.i1 - r.i0)) f(k, j, place);
}

void pack(const Region &r, const MovedField &field, real *message) {
    for_each_message_row(r, field.levels, [&](int k, int j, std::size_t place) {
        std::copy_n(field.from.row(k, j) + r.i0, r.i1 - r.i0, message + place);
    });
}

void unpack(const Region &r, const MovedField &field, const real *message) {
    const Region in = meet(r, field.limits);
    if (in.empty()) return;
    for_each_message_row(r, field.levels, [&](int k, int j, std::size_t place) {
        if (j < in.j0 || j >= in.j1) return;
        std::copy_n(message + place + (in.i0 - r.i0), in.i1 - in.i0, field.to.row(k, j) + in.i0);
    });
}

void copy(const Region &r, const MovedField &field) {
    const Region in = meet(r, field.limits);
    if (in.empty()) return;
    for (int j = in.j0; j < in.j1; ++j)
        for (int k = 0; k < field.levels; ++k)
            std::copy_n(field.from.row(k, j) + in.i0, in.i1 - in.i0, field.to.row(k, j) + in.i0);
}

} // namespace

struct RegionExchange::Impl {
    MPI_Comm comm = MPI_COMM_NULL;
    Region here; ///< what this rank wants of its own
    std::vector<Part> out, in;
    std::vector<MPI_Request> requests;
    double waited = 0; ///< [s]
    int values = 0;    ///< of a column, in the last move

    Impl(MPI_Comm parent, const std::function<Region(int)> &owned, const std::function<Region(int)> &wanted) {
        MPI_Comm_dup(parent, &comm);
        int rank = 0, ranks = 1;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        const Region mine = owned(rank), need = wanted(rank);
        here = meet(mine, need);
        for (int r = 0; r < ranks; ++r) {
            if (r == rank) continue;
            if (const Region part = meet(mine, wanted(r)); !part.empty()) out.push_back({r, part, {}});
            if (const Region part = meet(owned(r), need); !part.empty()) in.push_back({r, part, {}});
        }
        requests.resize(in.size() + out.size());
    }
    ~Impl() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (!finalized) MPI_Comm_free(&comm);
    }
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    void move(std::span<const MovedField> fields) {
        std::size_t levels = 0;
        for (const MovedField &f : fields) levels += std::size_t(f.levels);
        values = int(levels);
        const auto room = [&](Part &part) { part.buffer.resize(points_of(part.region) * levels); };
        std::size_t n = 0;
        for (Part &part : in) {
            room(part);
            MPI_Irecv(part.buffer.data(), int(part.buffer.size()), mpi_real(), part.rank, 0, comm,
                      &requests[n++]);
        }
        for (Part &part : out) {
            room(part);
            each_field(part, fields, [&](const MovedField &f, real *at) { pack(part.region, f, at); });
            MPI_Isend(part.buffer.data(), int(part.buffer.size()), mpi_real(), part.rank, 0, comm,
                      &requests[n++]);
        }
        if (!here.empty())
            for (const MovedField &f : fields) copy(here, f);
        const Span span("wait between domains", Profile::Kind::waiting);
        const double begun = MPI_Wtime();
        MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        waited += MPI_Wtime() - begun;
        for (Part &part : in)
            each_field(part, fields, [&](const MovedField &f, real *at) { unpack(part.region, f, at); });
    }

  private:
    template <class F> static void each_field(Part &part, std::span<const MovedField> fields, F f) {
        real *at = part.buffer.data();
        for (const MovedField &field : fields) {
            f(field, at);
            at += points_of(part.region) * std::size_t(field.levels);
        }
    }
};

RegionExchange::RegionExchange(MPI_Comm comm, const std::function<Region(int)> &owned,
                               const std::function<Region(int)> &wanted)
    : impl_(std::make_unique<Impl>(comm, owned, wanted)) {}
RegionExchange::~RegionExchange() = default;
RegionExchange::RegionExchange(RegionExchange &&) noexcept = default;
RegionExchange &RegionExchange::operator=(RegionExchange &&) noexcept = default;

void RegionExchange::move(std::span<const MovedField> fields) { impl_->move(fields); }
int RegionExchange::messages() const { return int(impl_->out.size()); }
int RegionExchange::values() const { return impl_->values; }
double RegionExchange::waited() const { return impl_->waited; }

} // namespace squall
