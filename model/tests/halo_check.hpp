/// Fills owned points with a function of global indices, exchanges, and compares every point of
/// the patch's storage with the function that the boundary conditions imply.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "parallel/halo.hpp"

namespace squall::test {

constexpr real untouched = -777;

inline real value(int field, int i, int k, int j) { return real(1 + field + 10 * i + 1000 * j + 100000 * k); }

/// The owned point that a global index stands for; sign 0 on a wall.
struct Image {
    int index;
    int sign;
};

/// By the periods of the extended function: n for periodic, 2n for mirrored on both sides;
/// mixed sides need only one reflection because such test domains are wide enough.
inline Image image(int i, int n, Boundary low, Boundary high, bool staggered, bool metric) {
    if (metric && staggered) { // that of a wind without its signs and walls
        const Image wind = image(i, n, low, high, true, false);
        return {wind.index, 1};
    }
    if (low == Boundary::periodic) return {((i % n) + n) % n, 1};
    const int last = staggered ? n : n - 1;
    if (low == Boundary::symmetric && high == Boundary::symmetric) {
        const int m = ((i % (2 * n)) + 2 * n) % (2 * n);
        if (!staggered) return {m < n ? m : 2 * n - 1 - m, 1};
        if (m == 0 || m == n) return {m, 0};
        return m < n ? Image{m, 1} : Image{2 * n - m, -1};
    }
    if (staggered && low == Boundary::symmetric && i == 0) return {0, 0};
    if (staggered && high == Boundary::symmetric && i == n) return {n, 0};
    if (i < 0 && low == Boundary::symmetric) return staggered ? Image{-i, -1} : Image{-1 - i, 1};
    if (i > last && high == Boundary::symmetric)
        return staggered ? Image{2 * n - i, -1} : Image{2 * n - 1 - i, 1};
    return {i < 0 ? 0 : i > last ? last : i, 1};
}

/// A field of the test: what the model has of each kind.
struct TestField {
    std::string name;
    int nk;
    Points points;
    bool metric = false;
};

class HaloCheck {
  public:
    HaloCheck(Patch patch, Boundaries b) : p_(patch), b_(b) {
        const int nz = p_.shape.nz;
        kinds_ = {{"theta", nz, Points::cells},        {"w", nz + 1, Points::cells},
                  {"u", nz, Points::x_faces},          {"v", nz, Points::y_faces},
                  {"msfux", 1, Points::x_faces, true}, {"msfvx", 1, Points::y_faces, true}};
        for (std::size_t f = 0; f < kinds_.size(); ++f) arrays_.emplace_back(p_.shape);
        mu_ = Array2(p_.shape);
    }

    /// Number of wrong points after a fill; the first is printed.
    int fill(Halo &halo, int width) {
        set_owned();
        halo.fill(fields(), width);
        return wrong_points(width, true);
    }
    /// The same for the exchange without corners.
    int start_finish(Halo &halo, int width) {
        set_owned();
        halo.start(fields(), width);
        halo.finish();
        return wrong_points(width, false);
    }
    /// The same of width 1, by a patch that is alone, row by row.
    int around_rows(Halo &halo) {
        set_owned();
        for (int j = 0; j < p_.shape.ny; ++j) halo.fill_around_row(fields(), j);
        return wrong_points(1, false);
    }
    /// The same from neighbours only.
    int start_finish_inside(Halo &halo, int width) {
        inside_ = true;
        const int wrong = start_finish(halo, width);
        inside_ = false;
        return wrong;
    }

  private:
    HaloField field_of(std::size_t f) {
        const HaloField field = HaloField::of(arrays_[f], kinds_[f].nk, kinds_[f].points);
        return kinds_[f].metric ? field.metric() : field;
    }
    int owned_x(Points s) const { return p_.shape.nx + (s == Points::x_faces && p_.east == MPI_PROC_NULL); }
    int owned_y(Points s) const { return p_.shape.ny + (s == Points::y_faces && p_.north == MPI_PROC_NULL); }

    std::vector<HaloField> fields() {
        std::vector<HaloField> list;
        for (std::size_t f = 0; f < kinds_.size(); ++f) list.push_back(field_of(f));
        list.push_back(HaloField::of(mu_));
        if (inside_)
            for (HaloField &field : list) field = field.inside();
        return list;
    }

    void set_owned() {
        for (std::size_t f = 0; f < kinds_.size(); ++f) {
            arrays_[f].fill(untouched);
            for (int j = 0; j < owned_y(kinds_[f].points); ++j)
                for (int k = 0; k < kinds_[f].nk; ++k)
                    for (int i = 0; i < owned_x(kinds_[f].points); ++i)
                        arrays_[f](i, k, j) = value(int(f), i + p_.x0, k, j + p_.y0);
        }
        mu_.fill(untouched);
        for (int j = 0; j < p_.shape.ny; ++j)
            for (int i = 0; i < p_.shape.nx; ++i) mu_(i, j) = value(9, i + p_.x0, 0, j + p_.y0);
    }

    real expected(int field, int i, int k, int j, Points s, bool metric, int width, bool corners) const {
        const int mx = owned_x(s), my = owned_y(s);
        const bool in_x = i >= 0 && i < mx, in_y = j >= 0 && j < my;
        if (i < -width || i >= mx + width || j < -width || j >= my + width) return untouched;
        if (!corners && !in_x && !in_y) return untouched;
        const auto beyond = [](int index, int n, Boundary b) {
            return b != Boundary::periodic && (index < 0 || index >= n);
        };
        if (inside_ && (beyond(i + p_.x0, p_.nx_domain + (s == Points::x_faces), b_.west) ||
                        beyond(j + p_.y0, p_.ny_domain + (s == Points::y_faces), b_.south)))
            return untouched;
        const Image x = image(i + p_.x0, p_.nx_domain, b_.west, b_.east, s == Points::x_faces, metric);
        const Image y = image(j + p_.y0, p_.ny_domain, b_.south, b_.north, s == Points::y_faces, metric);
        return real(x.sign * y.sign) * value(field, x.index, k, y.index);
    }

    template <class Get> int wrong_in(int field, const TestField &kind, int width, bool corners, Get get) {
        const auto &[name, nk, s, metric] = kind;
        int wrong = 0;
        for (int j = -halo_width; j <= p_.shape.ny + halo_width; ++j)
            for (int k = 0; k < nk; ++k)
                for (int i = -halo_width; i <= p_.shape.nx + halo_width; ++i) {
                    const real want = expected(field, i, k, j, s, metric, width, corners),
                               have = get(i, k, j);
                    if (have == want) continue;
                    if (++wrong == 1)
                        fmt::print(stderr,
                                   "patch ({}, {}) of {} x {}: {}({}, {}, {}) = {}, expected {}; width {}\n",
                                   p_.cx, p_.cy, p_.px, p_.py, name, i, k, j, have, want, width);
                }
        return wrong;
    }

    int wrong_points(int width, bool corners) {
        int wrong = wrong_in(9, {"mu", 1, Points::cells}, width, corners,
                             [&](int i, int, int j) { return mu_(i, j); });
        for (std::size_t f = 0; f < kinds_.size(); ++f)
            wrong += wrong_in(int(f), kinds_[f], width, corners,
                              [&](int i, int k, int j) { return arrays_[f](i, k, j); });
        return wrong;
    }

    Patch p_;
    Boundaries b_;
    std::vector<TestField> kinds_;
    std::vector<Array3> arrays_;
    Array2 mu_;
    bool inside_ = false;
};

/// All pairs of boundary conditions that one direction may have.
inline std::vector<std::array<Boundary, 2>> boundary_pairs() {
    using enum Boundary;
    return {{periodic, periodic}, {symmetric, symmetric}, {open, open}, {symmetric, open}, {open, symmetric}};
}

/// Wrong points over every pair of boundary conditions, width and kind of exchange, for the
/// patch of `rank`.
inline int wrong_points_everywhere(MPI_Comm comm, int rank, int px, int py, int nx, int ny,
                                   const std::vector<std::array<Boundary, 2>> &pairs_x,
                                   const std::vector<std::array<Boundary, 2>> &pairs_y) {
    int wrong = 0;
    for (const auto &[west, east] : pairs_x)
        for (const auto &[south, north] : pairs_y) {
            const Boundaries b{west, east, south, north};
            const Patch patch = make_patch(rank, px, py, nx, ny, 2, b);
            Halo halo(comm, patch, b);
            HaloCheck check(patch, b);
            for (int width : {3, 1, 2})
                wrong += check.fill(halo, width) + check.start_finish(halo, width) +
                         check.start_finish_inside(halo, width);
            if (halo.is_alone()) wrong += check.around_rows(halo);
        }
    return wrong;
}

} // namespace squall::test
