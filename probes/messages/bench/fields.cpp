/// squall-fields: a field scattered from rank 0 to patches, and gathered from them, in four ways, as JSON.
/// `squall lab reproduce tomcat-scatter-gather` runs it.
///
///   whole field   every rank gets, or sends, a message as large as the field, of which its patch counts
///   packed        patches are copied into buffers of their own, and these travel
///   derived       patches travel out of the field and into it, by derived types (MPI_Type_create_subarray)
///   row masters   derived types, in two stages: between rank 0 and the first rank of each row of patches
///                 (it has its row's band of the field), and between that and the ranks of its row
///
/// A patch lies in the middle of an array with a halo, as a model's do. Each way is checked against the
/// values that a point must have. Ways take turns; of each the fastest turn counts, and the median is told
/// beside it.

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <mpi.h>
#include <nlohmann/json.hpp>

namespace {

constexpr int halo = 3; ///< cells around a patch
constexpr int root = 0;

/// Points i0 <= i < i0 + ni, and so on, with i fastest.
struct Block {
    int i0 = 0, ni = 0, j0 = 0, nj = 0;
    std::size_t points(int nk) const { return std::size_t(ni) * std::size_t(nj) * std::size_t(nk); }
};

/// A derived type of float for a block of an array.
class Type {
  public:
    Type(const Block &array, const Block &part, int nk) {
        const int sizes[] = {nk, array.nj, array.ni}, counts[] = {nk, part.nj, part.ni};
        const int starts[] = {0, part.j0 - array.j0, part.i0 - array.i0};
        MPI_Type_create_subarray(3, sizes, counts, starts, MPI_ORDER_C, MPI_FLOAT, &type_);
        MPI_Type_commit(&type_);
    }
    ~Type() { MPI_Type_free(&type_); }
    Type(const Type &) = delete;
    Type &operator=(const Type &) = delete;
    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

struct Domain {
    int nx = 0, ny = 0, nz = 0, px = 1, py = 1;
    int rank = 0, ranks = 1;

    Block whole() const { return {0, nx, 0, ny}; }
    Block patch(int r) const {
        const auto begin = [](int size, int n, int parts) {
            return static_cast<int>(std::int64_t(size) * n / parts);
        };
        const int x = r % px, y = r / px, i0 = begin(nx, x, px), j0 = begin(ny, y, py);
        return {i0, begin(nx, x + 1, px) - i0, j0, begin(ny, y + 1, py) - j0};
    }
    Block band(int y) const {
        const Block first = patch(y * px);
        return {0, nx, first.j0, first.nj};
    }
    Block with_halo(int r) const {
        const Block p = patch(r);
        return {p.i0 - halo, p.ni + 2 * halo, p.j0 - halo, p.nj + 2 * halo};
    }
};

/// Copies a block from one array into another.
void copy(const float *from, const Block &source, float *to, const Block &target, const Block &part, int nk) {
    for (int k = 0; k < nk; ++k)
        for (int j = part.j0; j < part.j0 + part.nj; ++j) {
            const auto at = [&](const Block &b) {
                return (std::ptrdiff_t(k) * b.nj + (j - b.j0)) * b.ni + (part.i0 - b.i0);
            };
            std::copy_n(from + at(source), part.ni, to + at(target));
        }
}

/// One way, on one rank: `field` has points on rank 0 alone, `patch` on all.
class Way {
  public:
    explicit Way(const Domain &domain) : d(domain) {}
    virtual ~Way() = default;
    virtual void scatter(const float *field, float *patch) = 0;
    virtual void gather(float *field, const float *patch) = 0;
    /// That a rank needs besides field and patch [B].
    virtual std::size_t room() const { return 0; }
    std::int64_t sent = 0; ///< bytes that this rank has sent

  protected:
    void send(const void *data, int count, MPI_Datatype type, int to, MPI_Comm comm = MPI_COMM_WORLD) {
        int size = 0;
        MPI_Type_size(type, &size);
        sent += std::int64_t(size) * count;
        MPI_Isend(data, count, type, to, 0, comm, &requests_.emplace_back());
    }
    void receive(void *data, int count, MPI_Datatype type, int from, MPI_Comm comm = MPI_COMM_WORLD) {
        MPI_Irecv(data, count, type, from, 0, comm, &requests_.emplace_back());
    }
    void wait() {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        requests_.clear();
    }
    int points() const { return static_cast<int>(d.patch(d.rank).points(d.nz)); }

    const Domain d;

  private:
    std::vector<MPI_Request> requests_;
};

class WholeField : public Way {
  public:
    explicit WholeField(const Domain &domain) : Way(domain), buffer_(domain.whole().points(domain.nz)) {}
    std::size_t room() const override { return buffer_.size() * sizeof(float); }

    void scatter(const float *field, float *patch) override {
        const int count = static_cast<int>(buffer_.size());
        if (d.rank == root)
            for (int r = 1; r < d.ranks; ++r) send(field, count, MPI_FLOAT, r);
        else
            receive(buffer_.data(), count, MPI_FLOAT, root);
        wait();
        const float *from = d.rank == root ? field : buffer_.data();
        copy(from, d.whole(), patch, d.with_halo(d.rank), d.patch(d.rank), d.nz);
    }
    void gather(float *field, const float *patch) override {
        const int count = static_cast<int>(buffer_.size());
        float *mine = d.rank == root ? field : buffer_.data();
        copy(patch, d.with_halo(d.rank), mine, d.whole(), d.patch(d.rank), d.nz);
        if (d.rank != root) {
            send(mine, count, MPI_FLOAT, root);
            return wait();
        }
        for (int r = 1; r < d.ranks; ++r) { // one after the other: rank 0 has room for one
            receive(buffer_.data(), count, MPI_FLOAT, r);
            wait();
            copy(buffer_.data(), d.whole(), field, d.whole(), d.patch(r), d.nz);
        }
    }

  private:
    std::vector<float> buffer_;
};

class Packed : public Way {
  public:
    explicit Packed(const Domain &domain) : Way(domain) {
        for (int r = 0; r < d.ranks; ++r)
            if (d.rank == root || r == d.rank) buffers_[r].resize(d.patch(r).points(d.nz));
    }
    std::size_t room() const override {
        std::size_t bytes = 0;
        for (const auto &[r, buffer] : buffers_) bytes += buffer.size() * sizeof(float);
        return bytes;
    }
    void scatter(const float *field, float *patch) override {
        auto &mine = buffers_[d.rank];
        if (d.rank != root) receive(mine.data(), points(), MPI_FLOAT, root);
        for (auto &[r, buffer] : buffers_) {
            if (d.rank != root) break;
            copy(field, d.whole(), buffer.data(), d.patch(r), d.patch(r), d.nz);
            if (r != root) send(buffer.data(), static_cast<int>(buffer.size()), MPI_FLOAT, r);
        }
        wait();
        copy(mine.data(), d.patch(d.rank), patch, d.with_halo(d.rank), d.patch(d.rank), d.nz);
    }
    void gather(float *field, const float *patch) override {
        auto &mine = buffers_[d.rank];
        copy(patch, d.with_halo(d.rank), mine.data(), d.patch(d.rank), d.patch(d.rank), d.nz);
        if (d.rank != root) {
            send(mine.data(), points(), MPI_FLOAT, root);
            return wait();
        }
        for (auto &[r, buffer] : buffers_)
            if (r != root) receive(buffer.data(), static_cast<int>(buffer.size()), MPI_FLOAT, r);
        wait();
        for (auto &[r, buffer] : buffers_)
            copy(buffer.data(), d.patch(r), field, d.whole(), d.patch(r), d.nz);
    }

  private:
    std::map<int, std::vector<float>> buffers_; ///< by rank; of others than rank 0, its own
};

class Derived : public Way {
  public:
    explicit Derived(const Domain &domain) : Way(domain), mine_(d.with_halo(d.rank), d.patch(d.rank), d.nz) {
        for (int r = 1; r < d.ranks && d.rank == root; ++r)
            theirs_.push_back(std::make_unique<Type>(d.whole(), d.patch(r), d.nz));
    }
    void scatter(const float *field, float *patch) override {
        if (d.rank != root) receive(patch, 1, mine_, root);
        for (int r = 1; r < d.ranks && d.rank == root; ++r) send(field, 1, *theirs_[std::size_t(r) - 1], r);
        if (d.rank == root) copy(field, d.whole(), patch, d.with_halo(root), d.patch(root), d.nz);
        wait();
    }
    void gather(float *field, const float *patch) override {
        if (d.rank != root) send(patch, 1, mine_, root);
        for (int r = 1; r < d.ranks && d.rank == root; ++r)
            receive(field, 1, *theirs_[std::size_t(r) - 1], r);
        if (d.rank == root) copy(patch, d.with_halo(root), field, d.whole(), d.patch(root), d.nz);
        wait();
    }

  private:
    Type mine_;
    std::vector<std::unique_ptr<Type>> theirs_;
};

class RowMasters : public Way {
  public:
    explicit RowMasters(const Domain &domain)
        : Way(domain), mine_(d.with_halo(d.rank), d.patch(d.rank), d.nz), band_(d.band(d.rank / d.px)) {
        if (!master()) return;
        if (d.rank != root) room_.resize(band_.points(d.nz));
        for (int x = 1; x < d.px; ++x)
            of_row_.push_back(std::make_unique<Type>(array(), d.patch(d.rank + x), d.nz));
        for (int y = 1; y < d.py && d.rank == root; ++y)
            bands_.push_back(std::make_unique<Type>(d.whole(), d.band(y), d.nz));
    }
    std::size_t room() const override { return room_.size() * sizeof(float); }

    void scatter(const float *field, float *patch) override {
        for (int y = 1; y < d.py && d.rank == root; ++y)
            send(field, 1, *bands_[std::size_t(y) - 1], y * d.px);
        if (master() && d.rank != root) {
            receive(room_.data(), static_cast<int>(room_.size()), MPI_FLOAT, root);
            wait();
        }
        if (!master()) receive(patch, 1, mine_, first());
        const float *from = d.rank == root ? field : room_.data();
        for (int x = 1; x < d.px && master(); ++x) send(from, 1, *of_row_[std::size_t(x) - 1], d.rank + x);
        if (master()) copy(from, array(), patch, d.with_halo(d.rank), d.patch(d.rank), d.nz);
        wait();
    }
    void gather(float *field, const float *patch) override {
        float *to = d.rank == root ? field : room_.data();
        for (int y = 1; y < d.py && d.rank == root; ++y)
            receive(field, 1, *bands_[std::size_t(y) - 1], y * d.px);
        if (!master()) {
            send(patch, 1, mine_, first());
            return wait();
        }
        std::vector<MPI_Request> row(std::size_t(d.px) - 1);
        for (int x = 1; x < d.px; ++x)
            MPI_Irecv(to, 1, *of_row_[std::size_t(x) - 1], d.rank + x, 0, MPI_COMM_WORLD,
                      &row[std::size_t(x) - 1]);
        copy(patch, d.with_halo(d.rank), to, array(), d.patch(d.rank), d.nz);
        MPI_Waitall(static_cast<int>(row.size()), row.data(), MPI_STATUSES_IGNORE);
        if (d.rank != root) send(room_.data(), static_cast<int>(room_.size()), MPI_FLOAT, root);
        wait();
    }

  private:
    bool master() const { return d.rank % d.px == 0; }
    int first() const { return d.rank / d.px * d.px; }
    /// In which a master has its row's points.
    Block array() const { return d.rank == root ? d.whole() : band_; }

    Type mine_;
    Block band_;
    std::vector<float> room_;
    std::vector<std::unique_ptr<Type>> of_row_, bands_;
};

float value(const Domain &d, int i, int j, int k) {
    return static_cast<float>((std::int64_t(k) * d.ny + j) * d.nx + i) * 0.5F;
}

/// Whether all of a block's points in an array have their values.
bool right(const Domain &d, const float *array, const Block &whole, const Block &part) {
    for (int k = 0; k < d.nz; ++k)
        for (int j = part.j0; j < part.j0 + part.nj; ++j)
            for (int i = part.i0; i < part.i0 + part.ni; ++i)
                if (array[(std::ptrdiff_t(k) * whole.nj + j - whole.j0) * whole.ni + i - whole.i0] !=
                    value(d, i, j, k))
                    return false;
    return true;
}

struct Found {
    std::vector<double> scatter, gather; ///< seconds of each turn, of the slowest rank
    bool right = true;
};

double seconds(const std::function<void()> &run) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime();
    run();
    double took = MPI_Wtime() - begun;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return took;
}

void turn(const Domain &d, Way &way, Found &found) {
    std::vector<float> field(d.rank == root ? d.whole().points(d.nz) : 0);
    std::vector<float> patch(d.with_halo(d.rank).points(d.nz), -1);
    for (int k = 0; k < d.nz && d.rank == root; ++k)
        for (int j = 0; j < d.ny; ++j)
            for (int i = 0; i < d.nx; ++i) field[(std::size_t(k) * d.ny + j) * d.nx + i] = value(d, i, j, k);
    found.scatter.push_back(seconds([&] { way.scatter(field.data(), patch.data()); }));
    found.right &= right(d, patch.data(), d.with_halo(d.rank), d.patch(d.rank));
    std::ranges::fill(field, -1.0F);
    found.gather.push_back(seconds([&] { way.gather(field.data(), patch.data()); }));
    found.right &= d.rank != root || right(d, field.data(), d.whole(), d.whole());
}

std::int64_t of_all(std::int64_t value, MPI_Op op) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, op, MPI_COMM_WORLD);
    return value;
}

nlohmann::ordered_json told(const std::string &name, const Way &way, Found found, int turns) {
    std::ranges::sort(found.scatter), std::ranges::sort(found.gather);
    const auto middle = static_cast<std::size_t>(turns / 2);
    const auto sent = of_all(way.sent, MPI_SUM) / turns, most = of_all(way.sent, MPI_MAX) / turns;
    return {{"way", name},
            {"scatter", found.scatter.front()},
            {"scatter_median", found.scatter[middle]},
            {"gather", found.gather.front()},
            {"gather_median", found.gather[middle]},
            {"bytes", sent},
            {"most_sent", most},
            {"room", of_all(static_cast<std::int64_t>(way.room()), MPI_MAX)},
            {"right", of_all(found.right, MPI_MIN) == 1}};
}

/// Patches as near to squares as can be.
void choose_patches(Domain &d) {
    for (d.py = 1; (d.py + 1) * (d.py + 1) <= d.ranks; ++d.py) {
    }
    while (d.ranks % d.py != 0) --d.py;
    d.px = d.ranks / d.py;
}

int run(Domain &d, int turns) {
    std::vector<std::pair<std::string, std::unique_ptr<Way>>> ways;
    ways.emplace_back("whole field", std::make_unique<WholeField>(d));
    ways.emplace_back("packed", std::make_unique<Packed>(d));
    ways.emplace_back("derived types", std::make_unique<Derived>(d));
    ways.emplace_back("row masters", std::make_unique<RowMasters>(d));
    std::vector<Found> found(ways.size());
    for (int t = 0; t < turns; ++t)
        for (std::size_t w = 0; w < ways.size(); ++w) turn(d, *ways[w].second, found[w]);
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t w = 0; w < ways.size(); ++w)
        rows.push_back(told(ways[w].first, *ways[w].second, found[w], turns));
    if (d.rank == root)
        std::cout << nlohmann::ordered_json{{"ranks", d.ranks}, {"patches", {d.px, d.py}}, {"ways", rows}}
                  << "\n";
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("A field scattered to patches and gathered from them, in four ways.");
    std::vector<int> size{400, 400, 40};
    int turns = 7;
    app.add_option("--size", size, "number of points in x, y and z")->expected(3)->check(CLI::PositiveNumber);
    app.add_option("--turns", turns, "repetitions of each way")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    MPI_Init(&argc, &argv);
    Domain d{.nx = size[0], .ny = size[1], .nz = size[2]};
    MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d.ranks);
    choose_patches(d);
    int code = 1;
    if (d.px > d.nx || d.py > d.ny || std::int64_t(d.nx) * d.ny * d.nz > (1 << 30)) {
        if (d.rank == root) std::cerr << "squall-fields: more ranks than points, or more than 2^30 points\n";
    } else
        code = run(d, turns);
    MPI_Finalize();
    return code;
}
