#include "frame_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "common/box.hpp"
#include "declare/layout.hpp"
#include "placements/servers/messages.hpp"
#include "placements/servers/server_plan.hpp"

namespace squall::planner {
namespace {

using io::Box;
using io::Layout;

bool goes_east(const std::string &dimension) {
    return dimension.starts_with("west_east") || dimension == "lon";
}
bool goes_north(const std::string &dimension) {
    return dimension.starts_with("south_north") || dimension == "lat";
}

/// The boxes of a patch's fields. A dimension that goes east or north is cut as the patch is; the last patch
/// has the last face. Of what has one of them alone, as means over the other, the first patches have theirs.
std::vector<std::pair<int, Box>> boxes_of(const Layout &layout, const Patch &p) {
    std::vector<std::pair<int, Box>> boxes;
    for (int f = 0; f < std::ssize(layout.fields); ++f) {
        const auto &field = layout.fields[static_cast<std::size_t>(f)];
        if (!field.field.per_frame) continue;
        Box box{std::vector<std::int64_t>(field.shape.size(), 0), field.shape};
        const auto &names = field.field.dimensions;
        const bool east = std::ranges::any_of(names, goes_east),
                   north = std::ranges::any_of(names, goes_north);
        if ((!east && p.cx > 0) || (!north && p.cy > 0)) continue;
        for (std::size_t d = 0; d < field.shape.size() && d < field.field.dimensions.size(); ++d) {
            const auto &name = field.field.dimensions[d];
            const bool x = goes_east(name), y = goes_north(name);
            if (!x && !y) continue;
            const bool face = name.ends_with("_stag") && (x ? p.at_east() : p.at_north());
            // Of a region or of every n-th cell a patch has its share, to rounding.
            const auto kept = [&](std::int64_t cell) { return cell * field.shape[d] / field.domain[d]; };
            const std::int64_t begin = x ? p.x0 : p.y0, end = begin + (x ? p.shape.nx : p.shape.ny) + face;
            box.start[d] = kept(begin);
            box.count[d] = kept(end) - kept(begin);
        }
        boxes.emplace_back(f, std::move(box));
    }
    return boxes;
}

double bytes_of(const Layout &layout, int field, const Box &box) {
    return static_cast<double>(
        io::volume(box) *
        static_cast<std::int64_t>(io::size_of(layout.fields[static_cast<std::size_t>(field)].field.type)));
}

/// Who writes: their nodes, and what of the frame each holds at the end.
struct Writers {
    std::vector<int> node;
    std::vector<double> bytes;
    std::vector<int> messages, shares;
};

std::vector<int> nodes_of_clients(const World &world) {
    std::vector<int> nodes;
    for (const int rank : world.clients) nodes.push_back(world.node_of(rank));
    return nodes;
}

/// Collects points on their way from nodes to writers.
struct Collector {
    explicit Collector(const World &world)
        : world_(world), out(static_cast<std::size_t>(world.nodes())), crossing_(out.size(), 0) {}
    /// `crosses`: from one rank to another that computes, too.
    void add(int from_node, int to_node, double bytes, bool crosses = false) {
        Flow &flow = out[static_cast<std::size_t>(from_node)][to_node];
        flow.to = to_node, flow.bytes += bytes, ++flow.messages;
        if (crosses && from_node == to_node) crossing_[static_cast<std::size_t>(to_node)] += bytes;
    }
    void put_into(FramePlan &plan) const {
        plan.arrivals.resize(out.size());
        plan.inside.assign(out.size(), 0);
        plan.crossing = crossing_;
        for (double &bytes : plan.crossing) bytes /= plan.rounds;
        for (std::size_t n = 0; n < out.size(); ++n)
            for (const auto &[to, flow] : out[n]) {
                if (to == static_cast<int>(n))
                    plan.inside[n] += flow.bytes / plan.rounds;
                else
                    plan.arrivals[n].push_back({to, flow.bytes / plan.rounds, flow.messages});
            }
    }

  private:
    const World &world_;

  public:
    std::vector<std::map<int, Flow>> out;

  private:
    std::vector<double> crossing_; ///< per node
};

/// What goes where, by the shares that the engine or the servers want. `nodes`: of the writers; without, the
/// computing ranks are these.
Writers assemble(const World &world, const Layout &layout, std::vector<int> nodes,
                 const std::string &assignment, Collector &collector, FramePlan &plan) {
    const bool by_ranks = nodes.empty();
    if (by_ranks) nodes = nodes_of_clients(world);
    const auto count = static_cast<int>(nodes.size());
    const auto maps = io::servers::share_maps(layout, count, assignment);
    Writers writers{nodes, std::vector<double>(nodes.size(), 0), std::vector<int>(nodes.size(), 0),
                    std::vector<int>(nodes.size(), 0)};
    for (int f = 0; f < std::ssize(layout.fields); ++f)
        if (layout.fields[static_cast<std::size_t>(f)].field.per_frame)
            for (const auto &share :
                 maps->maps[static_cast<std::size_t>(maps->map_of[static_cast<std::size_t>(f)])].shares())
                ++writers.shares[static_cast<std::size_t>(share.writer)];
    for (int r = 0; r < std::ssize(world.patches); ++r) {
        const int from = world.node_of_patch(r);
        double staged = 0;
        const auto of_rank =
            io::servers::make_plan(boxes_of(layout, world.patches[static_cast<std::size_t>(r)]), *maps);
        for (const auto &[server, part_of] : of_rank.for_servers) {
            const auto s = static_cast<std::size_t>(server);
            double bytes = 0;
            for (const auto &region : part_of.regions)
                for (const auto &part : region.parts)
                    for (const int f : region.fields) bytes += bytes_of(layout, f, part.box);
            writers.bytes[s] += bytes, ++writers.messages[s];
            staged += bytes;
            collector.add(from, nodes[s], bytes, by_ranks && server != r);
        }
        plan.staged = std::max(plan.staged, staged);
    }
    return writers;
}

/// Every computing rank keeps what it has.
Writers as_it_lies(const World &world, const Layout &layout, FramePlan &plan) {
    Writers writers;
    for (int r = 0; r < std::ssize(world.patches); ++r) {
        double bytes = 0;
        for (const auto &[f, box] : boxes_of(layout, world.patches[static_cast<std::size_t>(r)]))
            bytes += bytes_of(layout, f, box);
        writers.node.push_back(world.node_of_patch(r));
        writers.bytes.push_back(bytes);
        writers.messages.push_back(0);
        writers.shares.push_back(1);
        plan.staged = std::max(plan.staged, bytes);
    }
    return writers;
}

/// All to the first of them, who then writes alone.
Writers to_first(const Writers &before, Collector &collector) {
    Writers first{{before.node.front()}, {0}, {0}, {1}};
    for (std::size_t w = 0; w < before.node.size(); ++w) {
        first.bytes[0] += before.bytes[w];
        ++first.messages[0];
        collector.add(before.node[w], before.node.front(), before.bytes[w], w > 0);
    }
    return first;
}

/// Within each node, to a few of its writers; they have a file each.
Writers aggregate(const World &world, const Writers &before, int per_node, FramePlan &plan) {
    const auto nodes = static_cast<std::size_t>(world.nodes());
    std::vector<double> bytes(nodes, 0);
    std::vector<int> ranks(nodes, 0);
    for (std::size_t w = 0; w < before.node.size(); ++w) {
        bytes[static_cast<std::size_t>(before.node[w])] += before.bytes[w];
        ++ranks[static_cast<std::size_t>(before.node[w])];
    }
    Writers few;
    for (std::size_t n = 0; n < nodes; ++n) {
        const int here = std::min(per_node, ranks[n]);
        for (int a = 0; a < here; ++a) {
            few.node.push_back(static_cast<int>(n));
            few.bytes.push_back(bytes[n] / here);
            few.messages.push_back(ranks[n] / here);
            few.shares.push_back(1);
        }
        if (here > 0) plan.inside[n] += bytes[n] / plan.rounds;
    }
    return few;
}

/// In ADIOS2 each rank serialises and compresses before the points go to aggregators.
void made_by_all(const World &world, FramePlan &plan) {
    const auto computing = world.computing_on_node();
    for (std::size_t n = 0; n < plan.writes.size(); ++n) plan.writes[n].makers = computing[n];
}

int fields_of(const Layout &layout) {
    return static_cast<int>(
        std::ranges::count_if(layout.fields, [](const auto &f) { return f.field.per_frame; }));
}

/// Files of a frame, locks of parts that change hands, and what each node has of it.
void put_writers(const World &world, const Writers &writers, bool file_each, int fields_together,
                 FramePlan &plan) {
    plan.writes.assign(static_cast<std::size_t>(world.nodes()), {});
    const double rounds = plan.rounds;
    for (std::size_t w = 0; w < writers.node.size(); ++w) {
        NodeWrites &node = plan.writes[static_cast<std::size_t>(writers.node[w])];
        const int files = plan.shared ? 0 : file_each ? writers.shares[w] : 1;
        node.raw += writers.bytes[w] / rounds;
        ++node.writers;
        node.files += files;
        node.streams += std::max(1, file_each ? 1 : files);
        // A writer's part of a field ends within a stripe, where the next one's begins.
        if (plan.shared && writers.node.size() > 1) node.locks += fields_together;
        node.received = std::max(node.received, writers.messages[w]);
        plan.assembled = std::max(plan.assembled, writers.bytes[w]);
    }
    if (plan.shared && !writers.node.empty())
        plan.writes[static_cast<std::size_t>(writers.node[0])].files = 1;
}

std::vector<int> nodes_of_servers(const World &world) {
    std::vector<int> nodes;
    for (const int rank : world.groups.front()) nodes.push_back(world.node_of(rank));
    return nodes;
}

/// MPI-IO's aggregators, one on each node: all others send them their points; with P ranks each hears of P.
Writers two_phase(const World &world, const Writers &before, Collector &collector, FramePlan &plan) {
    Writers few = aggregate(world, before, 1, plan);
    const auto n = few.node.size();
    for (std::size_t a = 0; a < n && n > 1; ++a) {
        // Each sends to all; what counts is what passes its link, which one flow to the next has as well.
        collector.add(few.node[a], few.node[(a + 1) % n],
                      few.bytes[a] * static_cast<double>(n - 1) / static_cast<double>(n));
        few.messages[a] = static_cast<int>(before.node.size());
    }
    return few;
}

void plan_squall(const World &world, const Layout &layout, int per_node, FramePlan &plan) {
    const auto &engine = *layout.engine;
    const bool servers = plan.placement == "servers" && !world.groups.empty();
    Collector collector(world);
    plan.inside.assign(static_cast<std::size_t>(world.nodes()), 0);
    const bool by_shares = engine.distribution == io::Distribution::by_shares;
    Writers writers;
    if (servers)
        writers = assemble(world, layout, nodes_of_servers(world), world.assignment, collector, plan);
    else if (by_shares)
        writers = assemble(world, layout, {}, "consecutive", collector, plan);
    else
        writers = as_it_lies(world, layout, plan);
    if (servers)
        plan.letters = 2 * *std::ranges::max_element(writers.messages) +
                       static_cast<int>(world.clients.size()) / static_cast<int>(writers.node.size());
    if (engine.distribution == io::Distribution::to_first) writers = to_first(writers, collector);
    plan.shared = engine.together || engine.distribution == io::Distribution::to_first;
    auto inside = plan.inside;
    if (engine.name == "adios") {
        writers = aggregate(world, writers, per_node, plan);
        inside = plan.inside, plan.shared = false;
    } else if (engine.name == "pnetcdf" && !servers) {
        writers = two_phase(world, writers, collector, plan);
        inside = plan.inside;
    }
    collector.put_into(plan);
    for (std::size_t n = 0; n < inside.size(); ++n) plan.inside[n] += inside[n];
    put_writers(world, writers, engine.name == "zarr", fields_of(layout), plan);
    if (engine.name == "adios" && !servers) made_by_all(world, plan);
}

/// Whether every frame begins a file, with what is fixed in time.
bool opens(const Layout &layout) { return layout.spec.frames_per_file == 1; }

/// In zarr a variable is a file, and its description another, of a new store.
int parts_of(const Layout &layout) {
    const int variables = opens(layout) ? static_cast<int>(std::ssize(layout.fields)) : fields_of(layout);
    return layout.engine->name == "zarr" && opens(layout) ? 2 * variables : variables;
}

/// In zarr each variable has one of its own.
int directories_of(const Layout &layout) { return layout.engine->name == "zarr" ? fields_of(layout) : 1; }

/// Of what is stored once a file.
double fixed_bytes(const Layout &layout) {
    double bytes = 0;
    for (const auto &f : layout.fields)
        if (!f.field.per_frame) bytes += static_cast<double>(f.bytes());
    return bytes;
}

/// A frame that begins a file takes the fixed fields along, in the shares of the others.
void add_fixed(const Layout &layout, FramePlan &plan) {
    const double more = plan.bytes > 0 ? 1 + fixed_bytes(layout) / plan.bytes : 1;
    for (auto &flows : plan.arrivals)
        for (Flow &flow : flows) flow.bytes *= more;
    for (double &bytes : plan.inside) bytes *= more;
    for (double &bytes : plan.crossing) bytes *= more;
    for (NodeWrites &node : plan.writes) node.raw *= more;
    plan.bytes *= more, plan.staged *= more, plan.assembled *= more;
}

/// Other programs': field after field, each waited for.
void plan_other(const World &world, const Layout &layout, Way way, int per_node, FramePlan &plan) {
    Collector collector(world);
    plan.inside.assign(static_cast<std::size_t>(world.nodes()), 0);
    const bool whole = way == Way::split || way == Way::aggregated;
    plan.rounds = whole ? 1 : fields_of(layout);
    plan.shared = !whole;
    Writers writers = as_it_lies(world, layout, plan);
    if (way == Way::serial) writers = to_first(writers, collector);
    if (way == Way::collective) writers = two_phase(world, writers, collector, plan);
    if (way == Way::aggregated) writers = aggregate(world, writers, per_node, plan);
    if (way == Way::quilt) {
        if (world.groups.empty()) throw std::invalid_argument("quilt needs servers: set output.servers");
        writers = assemble(world, layout, nodes_of_servers(world), world.assignment, collector, plan);
        for (int &messages : writers.messages)
            messages = static_cast<int>(world.clients.size() / writers.node.size());
    }
    const auto inside = plan.inside;
    collector.put_into(plan);
    for (std::size_t n = 0; n < inside.size(); ++n) plan.inside[n] += inside[n];
    put_writers(world, writers, false, 1, plan);
    if (way == Way::aggregated) made_by_all(world, plan);
}

} // namespace

Way way_named(const std::string &name) {
    static const std::map<std::string, Way> ways{{"squall", Way::squall},         {"serial", Way::serial},
                                                 {"collective", Way::collective}, {"split", Way::split},
                                                 {"aggregated", Way::aggregated}, {"quilt", Way::quilt}};
    if (const auto found = ways.find(name); found != ways.end()) return found->second;
    std::vector<std::string> known;
    for (const auto &[key, way] : ways) known.push_back(key);
    throw std::invalid_argument(
        fmt::format("there is no method \"{}\"; choose one of {}", name, fmt::join(known, ", ")));
}

FramePlan plan_frame(const World &world, const io::StreamSpec &spec, Way way, int aggregators_per_node) {
    const Layout layout(spec);
    FramePlan plan;
    plan.engine = spec.engine, plan.placement = spec.placement, plan.codec = layout.codec.name;
    for (const auto &f : layout.fields)
        if (f.field.per_frame) plan.bytes += static_cast<double>(f.bytes());
    if (way == Way::squall)
        plan_squall(world, layout, aggregators_per_node, plan), plan.parts = parts_of(layout);
    else
        plan_other(world, layout, way, aggregators_per_node, plan);
    if (way == Way::squall) plan.directories = directories_of(layout);
    if (opens(layout)) add_fixed(layout, plan);
    return plan;
}

} // namespace squall::planner
