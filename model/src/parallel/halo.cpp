#include "parallel/halo.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "core/kernel_memory.hpp"
#include "core/profile.hpp"
#include "parallel/edge_lines.hpp"
#include "parallel/halo_copies.hpp"

namespace squall {
namespace {

/// The side of a patch; also the tag of a message that travels to that side.
enum Side { west, east, south, north };
constexpr std::array<Side, 4> sides = {west, east, south, north};
Side opposite(Side s) { return static_cast<Side>(s ^ 1); }

/// What a field is along the direction of `normal`.
Line line_of(const HaloField &a, Points normal) {
    if (a.points != normal) return Line::cells;
    return a.mirrors_odd ? Line::wind : Line::metric;
}

void check_width(int width) {
    if (width < 1 || width > halo_width)
        throw std::invalid_argument(
            fmt::format("halo width {} is out of range: 1 to {} are possible", width, halo_width));
}

} // namespace

HaloField HaloField::of(Array3 &a, int nk, Points s) {
    const Field3 v = a.view();
    return {v.origin, v.sk, v.sj, nk, s};
}

HaloField HaloField::of(Array2 &a, Points s) {
    const Field2 v = a.view();
    return {v.origin, 0, v.sj, 1, s};
}

namespace {

/// Which columns and rows of a patch travel.
struct Extents {
    PatchAxis x, y;

    Extents(const Patch &p, const Boundaries &b)
        : x{p.shape.nx, b.west, b.east, p.west == MPI_PROC_NULL, p.east == MPI_PROC_NULL, false},
          y{p.shape.ny, b.south, b.north, p.south == MPI_PROC_NULL, p.north == MPI_PROC_NULL, false} {
        x.wraps = p.px == 1 && !x.low_edge;
        y.wraps = p.py == 1 && !y.low_edge;
    }

    // Owned columns and rows: a normal wind owns the last face at a high edge.
    int columns(Points s) const { return x.n + (x.high_edge && s == Points::x_faces); }
    int rows(Points s) const { return y.n + (y.high_edge && s == Points::y_faces); }

    Block outgoing(Side side, Points s, int width, int corner) const;
    Block incoming(Side side, Points s, int width, int corner) const;
};

/// The neighbours' ranks, or MPI_PROC_NULL where there is none but the patch itself.
std::array<int, 4> peers_of(const Patch &p) {
    std::array<int, 4> peer = {p.west, p.east, p.south, p.north};
    if (p.px == 1) peer[west] = peer[east] = MPI_PROC_NULL;
    if (p.py == 1) peer[south] = peer[north] = MPI_PROC_NULL;
    return peer;
}

} // namespace

struct Halo::Impl : Extents {
    Impl(MPI_Comm comm, const Patch &patch, const Boundaries &b);
    ~Impl();
    Impl(const Impl &) = delete;
    Impl &operator=(const Impl &) = delete;

    std::array<int, 4> peer;
    std::vector<HaloExchange> exchanges;
    std::array<KernelVector<real>, 4> sent, received;
    std::array<MPI_Request, 4> sends, receives;
    MPI_Comm comm = MPI_COMM_NULL;
    std::vector<HaloField> pending; ///< between start and finish
    int pending_width = 0;
    double waited = 0; ///< [s]

    void wait(MPI_Request &request) {
        const Span span("wait for neighbours", Profile::Kind::waiting);
        const double begun = MPI_Wtime();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        waited += MPI_Wtime() - begun;
    }

    int columns(const HaloField &a) const { return Extents::columns(a.points); }
    int rows(const HaloField &a) const { return Extents::rows(a.points); }

    void note(std::span<const HaloField> fields, int width, bool corners);
    void post(Side side, std::span<const HaloField> fields, int width, int corner);
    void complete(Side side, std::span<const HaloField> fields, int width, int corner);
    void zero_walls_x(std::span<const HaloField> fields) const;
    void zero_walls_y(std::span<const HaloField> fields, int corner) const;
    void edges_x(std::span<const HaloField> fields, int width) const;
    void edges_y(std::span<const HaloField> fields, int width, int corner) const;
    void fill_around_row(std::span<const HaloField> fields, int j) const;
};

Halo::Impl::Impl(MPI_Comm parent, const Patch &p, const Boundaries &b) : Extents(p, b), peer(peers_of(p)) {
    sends.fill(MPI_REQUEST_NULL);
    receives.fill(MPI_REQUEST_NULL);
    if (p.px * p.py > 1) MPI_Comm_dup(parent, &comm);
}

Halo::Impl::~Impl() {
    if (comm == MPI_COMM_NULL) return;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Comm_free(&comm);
}

/// `corner` widens south-north messages by so many columns on either side.
Block Extents::outgoing(Side side, Points s, int width, int corner) const {
    switch (side) {
    case west:
        return {0, width, 0, rows(s)};
    case east:
        return {x.n - width, x.n, 0, rows(s)};
    case south:
        return {-corner, columns(s) + corner, 0, width};
    default:
        return {-corner, columns(s) + corner, y.n - width, y.n};
    }
}

Block Extents::incoming(Side side, Points s, int width, int corner) const {
    switch (side) {
    case west:
        return {-width, 0, 0, rows(s)};
    case east:
        return {x.n, x.n + width, 0, rows(s)};
    case south:
        return {-corner, columns(s) + corner, -width, 0};
    default:
        return {-corner, columns(s) + corner, y.n, y.n + width};
    }
}

/// One more exchange of its kind. There are few kinds: a step asks for the same ones again and again.
void Halo::Impl::note(std::span<const HaloField> fields, int width, bool corners) {
    const auto same = [&](const HaloExchange &e) {
        return e.width == width && e.corners == corners &&
               std::ranges::equal(e.fields, fields, [](const HaloExchange::Part &part, const HaloField &a) {
                   return part == HaloExchange::Part{a.nk, a.points};
               });
    };
    auto known = std::ranges::find_if(exchanges, same);
    if (known == exchanges.end()) {
        HaloExchange e{{}, width, corners, 0};
        for (const HaloField &a : fields) e.fields.push_back({a.nk, a.points});
        known = exchanges.insert(known, std::move(e));
    }
    ++known->times;
}

/// Posts the receive from a side, then packs and sends what that side needs.
void Halo::Impl::post(Side side, std::span<const HaloField> fields, int width, int corner) {
    if (peer[side] == MPI_PROC_NULL) return;
    std::size_t n = 0;
    for (const HaloField &a : fields) n += outgoing(side, a.points, width, corner).points(a.nk);
    if (sent[side].size() < n) sent[side].resize(n), received[side].resize(n);

    const int bytes = static_cast<int>(n * sizeof(real));
    MPI_Irecv(received[side].data(), bytes, MPI_BYTE, peer[side], opposite(side), comm, &receives[side]);
    real *buffer = sent[side].data();
    for (const HaloField &a : fields) {
        const Block b = outgoing(side, a.points, width, corner);
        pack(a, b, buffer);
        buffer += b.points(a.nk);
    }
    device::finish();
    MPI_Isend(sent[side].data(), bytes, MPI_BYTE, peer[side], side, comm, &sends[side]);
}

void Halo::Impl::complete(Side side, std::span<const HaloField> fields, int width, int corner) {
    if (peer[side] == MPI_PROC_NULL) return;
    wait(receives[side]);
    const real *buffer = received[side].data();
    for (const HaloField &a : fields) {
        const Block b = incoming(side, a.points, width, corner);
        unpack(a, b, buffer);
        buffer += b.points(a.nk);
    }
    wait(sends[side]);
}

void Halo::Impl::zero_walls_x(std::span<const HaloField> fields) const {
    const EdgeLines e = edge_lines(x, Line::wind, 1);
    for (const HaloField &a : fields)
        for (int w = 0; w < e.wall_count && line_of(a, Points::x_faces) == Line::wind; ++w)
            zero(a, {e.walls[w], e.walls[w] + 1, 0, rows(a)});
}

void Halo::Impl::zero_walls_y(std::span<const HaloField> fields, int corner) const {
    const EdgeLines e = edge_lines(y, Line::wind, 1);
    for (const HaloField &a : fields)
        for (int w = 0; w < e.wall_count && line_of(a, Points::y_faces) == Line::wind; ++w)
            zero(a, {-corner, columns(a) + corner, e.walls[w], e.walls[w] + 1});
}

void Halo::Impl::edges_x(std::span<const HaloField> fields, int width) const {
    for (const HaloField &a : fields)
        if (a.beyond_edges || x.wraps)
            fill_edge_x(edge_lines(x, line_of(a, Points::x_faces), width), a, 0, rows(a));
}

void Halo::Impl::edges_y(std::span<const HaloField> fields, int width, int corner) const {
    for (const HaloField &a : fields)
        if (a.beyond_edges || y.wraps)
            fill_edge_y(edge_lines(y, line_of(a, Points::y_faces), width), a, -corner, columns(a) + corner);
}

// The face beyond the last row of cells, where the patch owns it, comes with that row.
void Halo::Impl::fill_around_row(std::span<const HaloField> fields, int j) const {
    for (const HaloField &a : fields) {
        const Line across = line_of(a, Points::x_faces), along = line_of(a, Points::y_faces);
        const int end = j == y.n - 1 ? rows(a) : j + 1;
        const EdgeLines of_row = edge_lines(x, across, 1), of_rows = edge_lines(y, along, 1);
        for (int w = 0; w < of_row.wall_count && across == Line::wind; ++w)
            zero(a, {of_row.walls[w], of_row.walls[w] + 1, j, end});
        for (int w = 0; w < of_rows.wall_count && along == Line::wind; ++w)
            if (of_rows.walls[w] >= j && of_rows.walls[w] < end)
                zero(a, {0, columns(a), of_rows.walls[w], of_rows.walls[w] + 1});
        if (a.beyond_edges || x.wraps) fill_edge_x(of_row, a, j, end);
        if (!a.beyond_edges) continue;
        EdgeLines found = of_rows;
        found.line_count = 0;
        for (int n = 0; n < of_rows.line_count; ++n)
            if (of_rows.lines[n].from >= j && of_rows.lines[n].from < end)
                found.lines[found.line_count++] = of_rows.lines[n];
        fill_edge_y(found, a, 0, columns(a));
    }
}

Halo::Halo(MPI_Comm comm, Patch patch, Boundaries boundaries)
    : impl_(std::make_unique<Impl>(comm, patch, boundaries)) {}
Halo::~Halo() = default;
Halo::Halo(Halo &&) noexcept = default;
Halo &Halo::operator=(Halo &&) noexcept = default;

double Halo::waited() const { return impl_->waited; }
const std::vector<HaloExchange> &Halo::exchanges() const { return impl_->exchanges; }

std::array<std::int64_t, 4> message_bytes(const Patch &patch, const HaloExchange &e) {
    const Extents extents(patch, {});
    const auto peers = peers_of(patch);
    std::array<std::int64_t, 4> bytes{};
    for (Side side : sides) {
        if (peers[side] == MPI_PROC_NULL) continue;
        const int corner = e.corners && (side == south || side == north) ? e.width : 0;
        std::size_t points = 0;
        for (const auto &part : e.fields)
            points += extents.outgoing(side, part.points, e.width, corner).points(part.nk);
        bytes[side] = static_cast<std::int64_t>(points * sizeof(real));
    }
    return bytes;
}

void Halo::fill(std::span<const HaloField> fields, int width) {
    check_width(width);
    if (impl_->pending_width) throw std::logic_error("Halo::fill called between start and finish");
    const Span span("exchange halos", Profile::Kind::exchanging);
    impl_->note(fields, width, true);
    impl_->zero_walls_x(fields);
    for (Side s : {west, east}) impl_->post(s, fields, width, 0);
    for (Side s : {west, east}) impl_->complete(s, fields, width, 0);
    impl_->edges_x(fields, width);

    impl_->zero_walls_y(fields, width);
    for (Side s : {south, north}) impl_->post(s, fields, width, width);
    for (Side s : {south, north}) impl_->complete(s, fields, width, width);
    impl_->edges_y(fields, width, width);
}

void Halo::start(std::span<const HaloField> fields, int width) {
    check_width(width);
    if (impl_->pending_width)
        throw std::logic_error("Halo::start called before the previous start was finished");
    const Span span("exchange halos", Profile::Kind::exchanging);
    impl_->note(fields, width, false);
    impl_->pending.assign(fields.begin(), fields.end());
    impl_->pending_width = width;
    impl_->zero_walls_x(fields);
    impl_->zero_walls_y(fields, 0);
    for (Side s : sides) impl_->post(s, fields, width, 0);
}

void Halo::finish() {
    if (!impl_->pending_width) throw std::logic_error("Halo::finish called without start");
    const Span span("exchange halos", Profile::Kind::exchanging);
    const int width = impl_->pending_width;
    for (Side s : sides) impl_->complete(s, impl_->pending, width, 0);
    impl_->edges_x(impl_->pending, width);
    impl_->edges_y(impl_->pending, width, 0);
    impl_->pending_width = 0;
}

bool Halo::is_alone() const {
    return !impl_->y.wraps && std::ranges::all_of(impl_->peer, [](int p) { return p == MPI_PROC_NULL; });
}

void Halo::fill_around_row(std::span<const HaloField> fields, int j) const {
    impl_->fill_around_row(fields, j);
}

void Halo::count(std::span<const HaloField> fields, int width) { impl_->note(fields, width, false); }

} // namespace squall
