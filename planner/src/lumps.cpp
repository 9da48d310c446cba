#include "lumps.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace squall::planner {
namespace {

std::size_t lump_of(std::size_t node, int together) { return node / static_cast<std::size_t>(together); }

/// For each lump what f makes of the values of its nodes, two at a time.
template <class T, class F> std::vector<T> folded(const std::vector<T> &of_nodes, int together, F f) {
    std::vector<T> of_lumps;
    for (std::size_t n = 0; n < of_nodes.size(); ++n)
        if (n % static_cast<std::size_t>(together) == 0)
            of_lumps.push_back(of_nodes[n]);
        else
            of_lumps.back() = f(of_lumps.back(), of_nodes[n]);
    return of_lumps;
}

double larger(double a, double b) { return std::max(a, b); }
double sum(double a, double b) { return a + b; }

/// Nodes' worth: all over the most of one; where there is nothing, all nodes.
std::vector<double> worth(const std::vector<double> &of_nodes, int together) {
    auto all = folded(of_nodes, together, sum);
    const auto most = folded(of_nodes, together, larger);
    for (std::size_t l = 0; l < all.size(); ++l) all[l] = most[l] > 0 ? all[l] / most[l] : together;
    return all;
}

std::vector<std::vector<Flow>> merged(const std::vector<std::vector<Flow>> &out, int together) {
    std::vector<std::map<int, Flow>> by_lump((out.size() + static_cast<std::size_t>(together) - 1) /
                                             static_cast<std::size_t>(together));
    for (std::size_t n = 0; n < out.size(); ++n)
        for (const Flow &flow : out[n]) {
            const int to = flow.to / together;
            Flow &all = by_lump[lump_of(n, together)][to];
            all.to = to, all.bytes += flow.bytes, all.messages += flow.messages;
        }
    std::vector<std::vector<Flow>> flows;
    for (const auto &of : by_lump) {
        flows.emplace_back();
        for (const auto &[to, flow] : of) flows.back().push_back(flow);
    }
    return flows;
}

/// Bytes that leave each node, and that arrive there.
struct Through {
    std::vector<double> out, in;
    explicit Through(std::size_t nodes) : out(nodes, 0), in(nodes, 0) {}
    void add(std::size_t from, const std::vector<Flow> &flows, double times) {
        for (const Flow &flow : flows)
            out[from] += times * flow.bytes, in[static_cast<std::size_t>(flow.to)] += times * flow.bytes;
    }
    Widths widths(int together) const { return {worth(out, together), worth(in, together)}; }
};

Phase lumped(const Phase &phase, int together) {
    std::vector<std::vector<Flow>> out;
    for (const NodePhase &node : phase.nodes) out.push_back(node.out);
    const auto flows = merged(out, together);
    Phase seen{std::vector<NodePhase>(flows.size()), phase.times};
    for (std::size_t l = 0; l < flows.size(); ++l) {
        seen.nodes[l].out = flows[l];
        for (const Flow &flow : flows[l])
            seen.nodes[static_cast<std::size_t>(flow.to)].from.push_back(static_cast<int>(l));
    }
    return seen;
}

Work larger_work(const Work &a, const Work &b) {
    Work work{std::max(a.computing, b.computing), {}};
    std::ranges::transform(a.inside, b.inside, std::back_inserter(work.inside), larger);
    return work;
}

/// Writers and makers are so many as make the time of the node that takes longest.
NodeWrites both(const NodeWrites &a, const NodeWrites &b) {
    if (a.writers == 0 || b.writers == 0) return a.writers == 0 ? b : a;
    NodeWrites all = a;
    all.raw += b.raw;
    if (all.raw > 0) { // there may be more writers than parts of a field
        all.writers = all.raw / std::max(a.raw / a.writers, b.raw / b.writers);
        all.makers = all.raw / std::max(a.raw / a.making(), b.raw / b.making());
        all.nodes = all.raw / std::max(a.raw / a.nodes, b.raw / b.nodes);
    }
    all.files += b.files, all.streams += b.streams, all.locks += b.locks;
    all.received = std::max(a.received, b.received);
    return all;
}

} // namespace

int together(int nodes, int most) { return std::max(1, (nodes + most - 1) / most); }

StepOfNodes lumped(StepOfNodes step, int together) {
    if (together == 1) return step;
    Through through(step.works.size());
    for (const Phase &phase : step.plan.phases)
        for (std::size_t n = 0; n < phase.nodes.size(); ++n)
            through.add(n, phase.nodes[n].out, static_cast<double>(phase.times));
    for (Phase &phase : step.plan.phases) phase = lumped(phase, together);
    step.works = folded(step.works, together, larger_work);
    step.widths = through.widths(together);
    return step;
}

FrameOfNodes lumped(FrameOfNodes frame, int together) {
    if (together == 1) return frame;
    Through through(frame.writes.size());
    std::vector<double> written;
    for (std::size_t n = 0; n < frame.writes.size(); ++n) {
        through.add(n, frame.arrivals[n], 1);
        written.push_back(frame.writes[n].raw);
    }
    Widths widths = through.widths(together);
    const auto writing = worth(written, together); // comes after: whoever is alone in either keeps his link
    for (std::size_t l = 0; l < writing.size(); ++l) widths.out[l] = std::min(widths.out[l], writing[l]);
    return {merged(frame.arrivals, together), folded(frame.writes, together, both),
            folded(frame.copied, together, larger), folded(frame.gathered, together, larger),
            std::move(widths)};
}

} // namespace squall::planner
