/// squall-io-count: what diagnostics send on many ranks, as JSON. `squall lab diagnostics` runs it.

#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "count.hpp"

int main(int argc, char **argv) {
    CLI::App app("Counts the messages of reductions on many ranks, without sending them.");
    squall::bench::Diagnostics what{.nx = 400, .ny = 400, .nz = 40};
    std::vector<std::int64_t> size{what.nx, what.ny, what.nz};
    std::vector<int> ranks{80, 400};
    app.add_option("--size", size, "number of points in x, y and z")->expected(3)->check(CLI::PositiveNumber);
    app.add_option("--ranks", ranks)->check(CLI::PositiveNumber);
    app.add_option("--fields", what.fields)->check(CLI::PositiveNumber);
    app.add_option("--stations", what.stations)->check(CLI::NonNegativeNumber);
    app.add_flag("--zonal", what.zonal);
    CLI11_PARSE(app, argc, argv);
    what.nx = size[0], what.ny = size[1], what.nz = size[2];
    auto all = nlohmann::ordered_json::array();
    for (const int n : ranks) {
        choose_patches(what, n);
        const auto sent = count(what);
        all.push_back({{"ranks", n},
                       {"messages", sent.messages},
                       {"bytes", sent.bytes},
                       {"largest", sent.largest},
                       {"heard", sent.heard},
                       {"gathered", sent.gathered}});
    }
    std::cout << all << "\n";
}
