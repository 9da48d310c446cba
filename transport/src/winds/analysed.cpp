#include "winds/analysed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "globe/rows.hpp"
#include "run/agree.hpp"
#include "winds/continuity.hpp"
#include "winds/side_fluxes.hpp"

namespace squall::transport {
namespace {

/// Of a column's air, what may be lost from one time to the next by winds that are balanced to rounding.
constexpr double balanced = 1e-8;

/// The time of the file from which the interval around a moment goes on.
std::size_t interval_of(const WindHeader &header, double middle) {
    const auto after = std::ranges::upper_bound(header.times, middle);
    const std::ptrdiff_t before = after - header.times.begin() - 1, last = std::ssize(header.times) - 2;
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(before, 0, last));
}

/// The first time of the file that is not before `end`.
std::size_t last_of(const WindHeader &header, double end) {
    const auto found = std::ranges::lower_bound(header.times, end);
    return static_cast<std::size_t>(std::min(found - header.times.begin(), std::ssize(header.times) - 1));
}

using Place = std::pair<WindField, std::vector<double> Weather::*>;
constexpr std::array<Place, 12> places{{{WindField::temperature, &Weather::temperature},
                                        {WindField::humidity, &Weather::humidity},
                                        {WindField::boundary_layer, &Weather::boundary_layer},
                                        {WindField::friction_velocity, &Weather::friction_velocity},
                                        {WindField::sensible_heat, &Weather::sensible_heat},
                                        {WindField::latent_heat, &Weather::latent_heat},
                                        {WindField::rain, &Weather::rain},
                                        {WindField::convective_rain, &Weather::convective_rain},
                                        {WindField::land, &Weather::land},
                                        {WindField::frozen, &Weather::frozen},
                                        {WindField::updraught, &Weather::updraught},
                                        {WindField::downdraught, &Weather::downdraught}}};

/// factor ((1 - share) first + share second)
void blend(const std::vector<double> &first, const std::vector<double> &second, double share, double factor,
           std::span<double> result) {
    const auto size = static_cast<int>(first.size());
    const int piece = std::max(1, size / 256);
    for_each_row((size + piece - 1) / piece, [&](int part) {
        const auto end = static_cast<std::size_t>(std::min(size, (part + 1) * piece));
        for (auto n = static_cast<std::size_t>(part * piece); n < end; ++n)
            result[n] = factor * ((1 - share) * first[n] + share * second[n]);
    });
}

} // namespace

AnalysedWind::AnalysedWind(const WindSettings &settings, const WindHeader &header, const PatchOfGlobe &where,
                           MPI_Comm comm, double begin, double end)
    : header_(header), where_(where), comm_(comm), by_rows_(settings.read == "rows"),
      hand_out_(comm, where.patch(), by_rows_),
      records_(settings.file, header, hand_out_, last_of(header, end), comm),
      interval_(interval_of(header, std::min(begin, end))) {
    start_ = records_.take(interval_);
    end_ = records_.take(interval_ + 1);
    flux_start_ = sides(start_, WindField::potential_after);
    flux_end_ = sides(end_, WindField::potential_before);
}

AnalysedWind::Sides AnalysedWind::sides(const WindValues &record, WindField potential) const {
    MassFluxes fluxes(where_.patch().shape);
    set_side_fluxes(record, potential, where_, comm_, fluxes);
    Sides found{std::move(fluxes.east), std::move(fluxes.north)};
    check_balance(found);
    return found;
}

/// The air that leaves each column and that by which the surface pressure falls.
void AnalysedWind::check_balance(const Sides &sides) const {
    const Shape &s = where_.patch().shape;
    MassFluxes f(s);
    f.east = sides.east, f.north = sides.north;
    const auto pressure = index_of(WindField::surface_pressure);
    const double seconds = header_.times[interval_ + 1] - header_.times[interval_];
    agree(comm_, [&] {
        for (int j = 0; j < s.ny; ++j)
            for (int i = 0; i < s.nx; ++i) {
                double gain = 0;
                for (int k = 0; k < s.nz; ++k)
                    gain += f.east_row(k, j)[i] - f.east_row(k, j)[i + 1] + f.north_row(k, j)[i] -
                            f.north_row(k, j + 1)[i];
                const auto n = static_cast<std::size_t>(j * s.nx + i);
                const double change = end_[pressure][n] - start_[pressure][n];
                const double off = gain * seconds * gravity / where_.area(j) - change;
                if (!(std::abs(off) < balanced * start_[pressure][n]))
                    throw std::runtime_error(fmt::format(
                        "the winds of the file bring {:.4g} Pa more surface pressure than its ps has in cell "
                        "({}, {}), counted from 0 east and north, in the {:g} s from its time {}: make it "
                        "with squall transport prepare",
                        off, where_.patch().x0 + i, where_.patch().y0 + j, seconds, interval_));
            }
    });
}

void AnalysedWind::go_to(double middle) {
    const std::size_t wanted = interval_of(header_, middle);
    while (interval_ < wanted) {
        ++interval_;
        start_ = std::move(end_);
        end_ = records_.take(interval_ + 1);
        flux_start_ = sides(start_, WindField::potential_after);
        flux_end_ = sides(end_, WindField::potential_before);
    }
}

double AnalysedWind::share(double time) const {
    const double first = header_.times[interval_];
    return (time - first) / (header_.times[interval_ + 1] - first);
}

void AnalysedWind::find(const Block &air, double begin, double step, MassFluxes &fluxes, Weather &weather) {
    const double middle = begin + 0.5 * step;
    go_to(middle);
    blend(flux_start_.east, flux_end_.east, share(middle), step, fluxes.east);
    blend(flux_start_.north, flux_end_.north, share(middle), step, fluxes.north);
    set_vertical_fluxes(air, where_, fluxes);
    weather.has_updraughts = header_.updraughts;
    for (const auto &[field, member] : places)
        if (!start_[index_of(field)].empty())
            blend(start_[index_of(field)], end_[index_of(field)], share(middle), 1, weather.*member);
}

Scratch<double> AnalysedWind::surface(double time) const {
    const auto n = index_of(WindField::surface_pressure);
    Scratch<double> values(start_[n].size());
    blend(start_[n], end_[n], share(time), 1, values);
    return values;
}

WindCosts AnalysedWind::costs() const {
    WindCosts all = records_.costs();
    std::array<double, 3> most{all.reading, all.waiting, all.scattering};
    std::array<std::int64_t, 2> sum{all.sent.messages, all.sent.bytes};
    MPI_Allreduce(MPI_IN_PLACE, most.data(), 3, MPI_DOUBLE, MPI_MAX, comm_);
    MPI_Allreduce(MPI_IN_PLACE, sum.data(), 2, MPI_INT64_T, MPI_SUM, comm_);
    all.reading = most[0], all.waiting = most[1], all.scattering = most[2];
    all.sent = {sum[0], sum[1]};
    return all;
}

std::string AnalysedWind::summary() const {
    const WindCosts all = costs();
    return fmt::format(
        "winds: {} records, read by {} in {:.3g} s beside the steps, which waited {:.3g} s for "
        "them; scattered in {:.3g} s, {:.3g} MB of them to other ranks in {} messages\n",
        all.records, by_rows_ ? "the first rank of each row of patches" : "one rank", all.reading,
        all.waiting, all.scattering, 1e-6 * static_cast<double>(all.sent.bytes), all.sent.messages);
}

} // namespace squall::transport
