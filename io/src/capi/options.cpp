/// The C interface: what the options of engines may be.
#include <algorithm>
#include <list>
#include <map>

#include "capi.hpp"

using namespace squall::io;
using namespace squall::io::capi;

namespace {

/// An option as C sees it, with the texts that only C needs.
struct Shown {
    OptionInfo info;
    std::string words;
};

const std::vector<Shown> &options_of(const std::string &engine) {
    static const auto all = [] {
        std::map<std::string, std::vector<Shown>> of;
        for (const auto &e : engine_infos())
            for (const auto &option : e.options) {
                std::string words;
                for (const auto &word : option.words) words += (words.empty() ? "" : " ") + word;
                of[e.name].push_back({option, words});
            }
        return of;
    }();
    static const std::vector<Shown> none;
    const auto names = engines();
    if (std::ranges::find(names, engine) == names.end())
        throw Error("there is no engine \"" + engine + "\" in this build");
    const auto found = all.find(engine);
    return found == all.end() ? none : found->second;
}

const char *name_of(OptionInfo::Kind kind) {
    static const char *names[] = {"number", "size", "boolean", "word", "text"};
    return names[static_cast<int>(kind)];
}

} // namespace

int squall_io_engine_options(const char *engine, int *count) {
    return guarded([&] {
        need(count, "pointer for the count") =
            static_cast<int>(options_of(need_text(engine, "engine")).size());
    });
}

int squall_io_engine_option(const char *engine, int n, squall_io_option *option) {
    return guarded([&] {
        const auto &[info, words] = element(options_of(need_text(engine, "engine")), n, "option");
        need(option, "pointer for the option") = {info.name.c_str(), name_of(info.kind), info.preset.c_str(),
                                                  info.unit.c_str(), info.about.c_str(), words.c_str(),
                                                  info.least};
    });
}
