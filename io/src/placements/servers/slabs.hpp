/// Which part of each field which server of a group receives.
#pragma once

#include <string>
#include <vector>

#include "box.hpp"
#include "exchange.hpp"

namespace squall::io {

/// Per field of the layout: what the engine wants where, or slabs of rows in the dimension next to
/// the last, `consecutive` or dealt `round-robin`. The same on every rank.
std::vector<Holdings> slabs(const Layout &layout, int servers, const std::string &assignment);

/// A part of a client's box that belongs to a server.
struct Part {
    std::size_t offer = 0, share = 0; ///< indices in the client's list, and in the field's holdings
    Box box;
};

/// The parts of the offers for one server, in an order that both ends agree on. `Boxes` is a list
/// of things with .field and .box.
template <class Boxes>
std::vector<Part> parts_for(int server, const Boxes &boxes, const std::vector<Holdings> &holdings) {
    std::vector<Part> parts;
    for (std::size_t o = 0; o < boxes.size(); ++o) {
        const auto &shares = holdings[boxes[o].field];
        for (std::size_t s = 0; s < shares.size(); ++s) {
            if (shares[s].writer != server) continue;
            auto box = intersection(boxes[o].box, shares[s].box);
            if (volume(box) > 0) parts.push_back({o, s, std::move(box)});
        }
    }
    return parts;
}

} // namespace squall::io
