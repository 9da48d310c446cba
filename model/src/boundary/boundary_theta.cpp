#include "boundary/boundary_theta.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <regex>

#include <fmt/format.h>

#include "initial/input_file.hpp"
#include "initial/levels_in_file.hpp"
#include "initial/theta_in_file.hpp"

namespace squall {
namespace {

/// Where air holds so little vapour, both are the same [K, rms].
constexpr double no_difference = 1e-3;
/// Values of one of the two are this much nearer to it, in parts of what lies between both, than those of a
/// state that was changed since (by data assimilation) are to either.
constexpr double sure = 0.1, likely = 0.5;

std::string text_of(const std::optional<io::Value> &value) {
    const auto *text = value ? std::get_if<std::string>(&*value) : nullptr;
    return text ? *text : "";
}

std::optional<double> number_of(const io::Reader &file, const char *name) {
    const auto value = file.attribute(name);
    if (!value || std::holds_alternative<std::string>(*value)) return {};
    return file.number(name);
}

/// The first number of WRF's version in a file's TITLE, as of " OUTPUT FROM REAL_EM V4.7.1 PREPROCESSOR".
std::optional<int> version_in(const std::string &title) {
    static const std::regex version("\\bV([0-9]{1,3})\\b", std::regex::icase);
    std::smatch found;
    if (!std::regex_search(title, found, version)) return {};
    return std::stoi(found[1]);
}

/// WRF 4 describes T_B* as of either kind, "... moist ..."; older versions as theta - t0.
std::string description_of_theta(const io::Reader &file) {
    if (!file.has("T_BXS")) return "";
    const auto &attributes = file.field("T_BXS").attributes;
    const auto found = std::ranges::find(attributes, std::string("description"), &io::Attribute::name);
    return found == attributes.end() ? "" : text_of(found->value);
}

/// What a header says.
struct Header {
    std::optional<bool> use_theta_m;
    std::optional<int> version;
    bool by_squall = false, tells_moist = false; ///< T_B* are described as WRF 4 describes them

    static Header of(const io::Reader &file) {
        Header h;
        const std::string title = text_of(file.attribute("TITLE")), theta = description_of_theta(file);
        if (const auto number = number_of(file, "USE_THETA_M")) h.use_theta_m = *number != 0;
        h.version = version_in(title);
        h.by_squall = title.find("SQUALL PREPARE") != std::string::npos;
        h.tells_moist = theta.find("moist") != std::string::npos;
        if (!h.version && !theta.empty()) h.version = h.tells_moist ? 4 : 3;
        return h;
    }
    bool by_older_squall() const { return by_squall && !tells_moist; }
};

/// What headers make likely, and why.
struct Claim {
    bool moist = false;
    bool certain = true; ///< they say so
    std::string why;
};

Claim claim_of(const Header &file, const std::optional<Header> &initial, bool has_thm) {
    const auto flag = file.use_theta_m || !initial ? file.use_theta_m : initial->use_theta_m;
    const auto version = file.version || !initial ? file.version : initial->version;
    if (flag && !*flag) return {false, true, "it says USE_THETA_M = 0"};
    if (file.by_older_squall()) return {false, false, "an older version of Squall wrote its header"};
    if (version && *version < 4) return {false, true, fmt::format("WRF {} wrote its header", *version)};
    if (version && flag)
        return {true, true, fmt::format("WRF {} wrote its header with USE_THETA_M = 1", *version)};
    if (version) return {true, false, fmt::format("WRF {} wrote its header", *version)};
    return {has_thm || (flag && !initial), false, "no header names the version of WRF"};
}

/// One row of the domain's cells.
Patch row_of(const Config &config, int j) {
    Patch row;
    row.shape = {config.domain.nx, 1, config.domain.nz};
    row.nx_domain = config.domain.nx, row.ny_domain = config.domain.ny;
    row.y0 = j;
    return row;
}

/// Mean squares of how far the file's theta is from that of initial.file, and these two from each other [K2].
struct Agreement {
    double dry = 0, moist = 0, apart = 0;
    std::size_t points = 0;
    double rms(double sum) const { return points > 0 ? std::sqrt(sum / double(points)) : 0; }
};

/// The outermost row in the south or north, at run.start.
void compare_row(const BoundaryFile &file, const InputFile &initial, const Config &config,
                 const VerticalGrid &levels, Side side, Agreement &sums) {
    const Patch row = row_of(config, side == Side::south ? 0 : config.domain.ny - 1);
    const int nz = row.shape.nz, nx = row.shape.nx, record = file.record_at(0);
    const real elapsed = real(-file.record(record).begin);
    RimField theta(row, Points::cells, nz, 1, 1), mu(row, Points::cells, 1, 1, 1);
    file.check("T", theta, row);
    file.check("MU", mu, row);
    file.read("T", record, theta);
    file.read("MU", record, mu);
    Array3 vapour(row.shape), dry(row.shape);
    Array2 mub(row.shape);
    initial.volume("QVAPOR", Points::cells, nz, row, vapour);
    read_dry_theta(initial, row, vapour, dry);
    initial.plane("MUB", Points::cells, row, mub);
    for (int k = 0; k < nz; ++k)
        for (int i = 0; i < nx; ++i) {
            const double column = mub(i, 0) + mu.strip(side).at(mu.place(side, 0, 0, i), elapsed);
            const double mass = levels.c1h[k] * column + levels.c2h[k];
            const double found = theta.strip(side).at(theta.place(side, 0, k, i), elapsed) / mass;
            const double of_dry = dry(i, k, 0), of_moist = moistened(dry(i, k, 0), vapour(i, k, 0));
            sums.dry += (found - of_dry) * (found - of_dry);
            sums.moist += (found - of_moist) * (found - of_moist);
            sums.apart += (of_moist - of_dry) * (of_moist - of_dry);
        }
    sums.points += std::size_t(nz) * std::size_t(nx);
}

/// None where the files do not tell: without the fields for it, or without values for run.start.
std::optional<Agreement> compare_values(const BoundaryFile &file, const InputFile &initial,
                                        const Config &config) {
    if (file.record(file.record_at(0)).begin > 0) return {};
    for (const char *name : {"T", "QVAPOR", "MUB"})
        if (!initial.has(name)) return {};
    const VerticalGrid levels = levels_in_file(config.initial.file, config.domain.nz);
    Agreement sums;
    for (const Side side : {Side::south, Side::north}) compare_row(file, initial, config, levels, side, sums);
    return sums;
}

std::string kind(bool moist) { return moist ? "moist air" : "dry air"; }

/// What the values make of the claim; `a`: none where they do not tell.
BoundaryTheta judge(const Claim &claim, const std::optional<Agreement> &a, const std::string &path) {
    const double apart = a ? a->rms(a->apart) : 0;
    if (a && apart < no_difference) return {claim.moist, ""};
    const double nearest = a ? a->rms(std::min(a->dry, a->moist)) : 0;
    const bool by_values = a && nearest < (claim.certain ? sure : likely) * apart;
    const bool moist = by_values ? a->moist < a->dry : claim.moist;
    if (by_values ? moist == claim.moist : claim.certain) return {moist, ""};
    std::string note = fmt::format("{}: T_B* are read as the potential temperature of {}", path, kind(moist));
    if (by_values)
        note += fmt::format(
            ", because they match initial.file that way (within {:.2g} K; {:.2g} K as {}), although {}",
            nearest, a->rms(std::max(a->dry, a->moist)), kind(!moist), claim.why);
    else
        note += fmt::format(": {}", claim.why);
    return {moist, note};
}

} // namespace

BoundaryTheta theta_of(const BoundaryFile &file, const Config &config) {
    const Header header = Header::of(file.reader());
    std::optional<Header> initial;
    std::optional<Agreement> agreement;
    bool filled = false;
    if (!config.initial.file.empty()) {
        initial = Header::of(io::Reader(config.initial.file));
        const InputFile input(config.initial.file, "use another file");
        filled = has_thm(input, row_of(config, 0));
        agreement = compare_values(file, input, config);
    }
    BoundaryTheta made = judge(claim_of(header, initial, filled), agreement, file.reader().path());
    if (!made.moist && header.by_older_squall() && header.use_theta_m.value_or(false))
        made.note = fmt::format("{}: an older version of Squall prepared this file with the potential "
                                "temperature of dry air in T_B*, and it is read that way; WRF would read it "
                                "as moist air's: run `squall prepare` again before WRF reads it",
                                file.reader().path());
    return made;
}

} // namespace squall
