#include "parallel/edge_lines.hpp"

namespace squall {
namespace {

/// Reflects or clamps a line beyond one side of [first, last] back across it.
EdgeLine fold(EdgeLine line, Boundary boundary, int edge, Line kind) {
    if (boundary == Boundary::open || boundary == Boundary::specified) return {line.to, edge, line.sign};
    if (kind == Line::wind) return {line.to, 2 * edge - line.from, -line.sign};
    if (kind == Line::metric) return {line.to, 2 * edge - line.from, line.sign};
    const int wall = line.from < edge ? -1 : 1; // half a cell beyond the outermost cell
    return {line.to, 2 * edge + wall - line.from, line.sign};
}

EdgeLine source(const PatchAxis &a, int to, Line kind) {
    if (a.wraps) return {to, (to % a.n + a.n) % a.n, 1};
    const int last = kind == Line::cells ? a.n - 1 : a.n;
    EdgeLine line{to, to, 1};
    for (;;) {
        if (a.low_edge && line.from < 0)
            line = fold(line, a.low, 0, kind);
        else if (a.high_edge && line.from > last)
            line = fold(line, a.high, last, kind);
        else
            return line;
    }
}

} // namespace

EdgeLines edge_lines(const PatchAxis &a, Line kind, int width) {
    EdgeLines e;
    const bool wall_low = a.low_edge && a.low == Boundary::symmetric;
    const bool wall_high = a.high_edge && a.high == Boundary::symmetric;
    if (kind == Line::wind && wall_low) e.walls[e.wall_count++] = 0;
    if (kind == Line::wind && wall_high) e.walls[e.wall_count++] = a.n;

    const int beyond = kind != Line::cells && a.high_edge ? a.n + 1 : a.n;
    for (int d = 0; d < width; ++d) {
        if (a.wraps || a.low_edge) e.lines[e.line_count++] = source(a, -1 - d, kind);
        if (a.wraps || a.high_edge) e.lines[e.line_count++] = source(a, beyond + d, kind);
    }
    return e;
}

} // namespace squall
