/// Plays files back through a fuzzer's entry, without a fuzzer: what once was wrong must stay right. A fault
/// ends the program by its signal; under the sanitizers also what only happens to go well.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

int main(int argc, char **argv) {
    std::vector<std::filesystem::path> files;
    for (int n = 1; n < argc; ++n)
        for (const auto &entry : std::filesystem::directory_iterator(argv[n])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto &file : files) {
        std::printf("%s\n", file.c_str());
        std::fflush(stdout); // the last one named is the one that ended it
        std::ifstream in(file, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
    }
    std::printf("%zu files\n", files.size());
    return files.empty() ? 1 : 0;
}
