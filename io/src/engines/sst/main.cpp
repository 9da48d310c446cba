/// squall-relay: started by the output runtime, once for every network stream.

#include <cstdio>
#include <cstdlib>

#include "engines/sst/relay.hpp"

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("Squall's output runtime starts squall-relay; see the engine `sst`\n", stderr);
        return 2;
    }
    squall::io::sst::serve_consumers(std::atoi(argv[1]));
}
