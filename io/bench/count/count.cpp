#include "count.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reduce/evaluator.hpp"
#include "reduce/report.hpp"

namespace squall::bench {
namespace {

using namespace squall::io;

Field made(const std::string &name, Reduction reduction) {
    Field f{name, Type::f64, {}, {}};
    f.reduction = std::move(reduction);
    return f;
}

std::shared_ptr<const Layout> layout_of(const Diagnostics &what) {
    StreamSpec s;
    s.name = "diagnostics";
    s.path = "never.nc";
    s.dimensions = {{"z", what.nz}, {"y", what.ny}, {"x", what.nx}};
    for (int n = 0; n < what.fields; ++n) {
        const auto name = fmt::format("F{}", n);
        s.sources.push_back({name, Type::f32, {"z", "y", "x"}, {}});
        if (what.zonal) s.fields.push_back(made(name + "_zonal", {.of = name, .over = {"x"}}));
        if (what.domain) s.fields.push_back(made(name + "_mean", {.of = name, .over = {"z", "y", "x"}}));
        if (what.stations > 0)
            s.fields.push_back(made(name + "_at", {.of = name, .method = "linear", .at = "station"}));
    }
    Places places{.name = "station", .dimensions = {"y", "x"}, .count = what.stations};
    for (int n = 0; n < what.stations; ++n) {
        const auto [x, y] = station(what, n);
        places.positions.push_back(y);
        places.positions.push_back(x);
    }
    if (what.stations > 0) s.places.push_back(std::move(places));
    return std::make_shared<const Layout>(std::move(s));
}

Box patch_of(const Diagnostics &what, int rank) {
    const auto part = [](std::int64_t size, int n, int parts) { return size * n / parts; };
    const int x = rank % what.px, y = rank / what.px;
    const auto y0 = part(what.ny, y, what.py), x0 = part(what.nx, x, what.px);
    return {{0, y0, x0}, {what.nz, part(what.ny, y + 1, what.py) - y0, part(what.nx, x + 1, what.px) - x0}};
}

/// What a rank makes of its patch, and takes in of those below it in the tree.
class Rank {
  public:
    Rank(const Layout &layout, Evaluator &evaluator)
        : layout_(layout), evaluator_(evaluator), work_(evaluator.begin()) {}

    void put(const Box &box, const std::vector<float> &values) {
        for (const auto &source : layout_.spec.sources)
            evaluator_.add({source.name, box, values.data(), Type::f32, {}}, work_);
    }
    /// Lets go of what is complete, and returns the message with the rest.
    std::vector<std::byte> message() {
        finish();
        Report report;
        report.partials = std::move(work_.partials);
        report.at_places = std::move(work_.at_places);
        return report.pack(layout_);
    }
    void hear(const std::vector<std::byte> &message) {
        auto theirs = Report::unpack(message, layout_);
        for (std::size_t f = 0; f < layout_.folds.size(); ++f)
            for (auto &partial : theirs.partials[f].take_all())
                work_.partials[f].add(layout_.folds[f], std::move(partial));
        for (std::size_t s = 0; s < layout_.samples.size(); ++s)
            work_.at_places[s].take(theirs.at_places[s], layout_.samples[s]);
    }
    /// Lets go of what is complete. How much is not.
    std::int64_t finish() {
        std::int64_t left = 0;
        for (std::size_t f = 0; f < layout_.folds.size(); ++f) {
            evaluator_.take_complete(f, work_.partials[f]);
            left += std::ssize(work_.partials[f].list());
        }
        for (std::size_t s = 0; s < layout_.samples.size(); ++s) {
            work_.samplers[s]->make(work_.at_places[s]);
            left += std::ssize(work_.at_places[s].partly);
        }
        return left;
    }

  private:
    const Layout &layout_;
    Evaluator &evaluator_;
    Evaluator::Work work_;
};

} // namespace

Station station(const Diagnostics &what, int n) {
    return {std::fmod(n * 91.13, static_cast<double>(what.nx - 1)),
            std::fmod(n * 37.77, static_cast<double>(what.ny - 1))};
}

Sent count(const Diagnostics &what) {
    const auto layout = layout_of(what);
    Evaluator evaluator(layout, false);
    const int size = what.px * what.py;
    std::vector<std::vector<std::pair<int, std::vector<std::byte>>>> inbox(static_cast<std::size_t>(size));
    Sent sent;
    sent.gathered = 4 * what.fields * what.nz * what.ny * what.nx;
    for (int rank = size - 1; rank >= 0; --rank) { // children have higher numbers
        Rank here(*layout, evaluator);
        const auto box = patch_of(what, rank);
        std::vector<float> values(static_cast<std::size_t>(box.count[0] * box.count[1] * box.count[2]));
        for (std::size_t n = 0; n < values.size(); ++n) values[n] = 280 + 0.37F * static_cast<float>(n % 97);
        here.put(box, values);
        std::int64_t heard = 0;
        for (const auto &[from, message] : inbox[static_cast<std::size_t>(rank)]) {
            here.hear(message);
            heard += std::ssize(message);
        }
        inbox[static_cast<std::size_t>(rank)].clear();
        sent.heard = std::max(sent.heard, heard);
        if (rank == 0) {
            sent.left_at_first = here.finish();
            break;
        }
        auto message = here.message();
        ++sent.messages;
        sent.bytes += std::ssize(message);
        sent.largest = std::max<std::int64_t>(sent.largest, std::ssize(message));
        const int above = rank & (rank - 1);
        sent.each.push_back({rank, above, std::ssize(message)});
        inbox[static_cast<std::size_t>(above)].emplace_back(rank, std::move(message));
    }
    return sent;
}

void choose_patches(Diagnostics &what, int ranks) {
    what.py = static_cast<int>(std::sqrt(ranks));
    while (ranks % what.py != 0) --what.py;
    what.px = ranks / what.py;
}

} // namespace squall::bench
