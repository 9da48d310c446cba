#include "dynamics/advection.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace squall {

Stencil stencil_of_order(int order) {
    const auto frac = [](double a, double b) { return real(a / b); };
    Stencil c;
    switch (order) {
    case 0:
        break;
    case 2:
        c = {1, {0, 0}, {0, 0, 0}};
        break;
    case 3:
    case 4:
        c = {2, {frac(-1, 12), 0}, {frac(-3, 12), frac(1, 12), 0}};
        break;
    case 5:
    case 6:
        c = {3, {frac(-8, 60), frac(1, 60)}, {frac(-10, 60), frac(5, 60), frac(-1, 60)}};
        break;
    default:
        throw std::invalid_argument("advection order must be 2 to 6, not " + std::to_string(order));
    }
    if (order % 2 == 0) std::fill_n(c.d, 3, real(0));
    return c;
}

namespace {

/// The order at a face that lies `inside` points away from the outermost point of the domain.
int reduced_order(int order, int inside) {
    if (inside <= 1) return 2;
    if (inside == 2) return std::min(order, order % 2 == 0 ? 4 : 3);
    return order;
}

int order_at(const AdvectedPoints &points, int order, int face) {
    int result = order;
    if (points.closed_low) result = std::min(result, reduced_order(order, face - points.first));
    if (points.closed_high) result = std::min(result, reduced_order(order, points.last - face + 1));
    return result;
}

} // namespace

AxisStencils make_axis_stencils(const AdvectedPoints &points, int order) {
    AxisStencils s{points.begin, points.end, points.begin, points.end, stencil_of_order(order), {}};
    if (points.closed_low) s.crossed_begin = std::max(points.begin, points.first + 1);
    if (points.closed_high) s.crossed_end = std::min(points.end, points.last);
    for (int face = points.begin; face <= points.end; ++face)
        if (const int here = order_at(points, order, face); here != order)
            s.edges.push_back({face, stencil_of_order(here)});
    return s;
}

VerticalStencils make_vertical_stencils(int n, int order, std::vector<real> above, std::vector<real> below) {
    VerticalStencils v{std::vector<Stencil>(n + 1), std::move(above), std::move(below)};
    const AdvectedPoints points{1, n, true, true, 0, n - 1};
    for (int face = 1; face < n; ++face) v.faces[face] = stencil_of_order(order_at(points, order, face));
    return v;
}

} // namespace squall
