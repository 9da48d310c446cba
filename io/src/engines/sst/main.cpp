/// squall-relay: started by the output runtime, once for every network stream.

#include <cstdio>
#include <cstdlib>

#include "engines/sst/relay.hpp"

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("squall-relay is started by Squall's output runtime; see the engine `sst`\n", stderr);
        return 2;
    }
    squall::io::sst::serve_consumers(std::atoi(argv[1]));
}
