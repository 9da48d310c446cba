#include "runfile/keys.hpp"
#include "tracers/shapes.hpp"

namespace squall::transport {
namespace {

const Rule time_rule{.unit = "s", .min = 0}, latitude{.min = -90, .max = 90},
    velocity{.unit = "m/s", .min = 0}, height_rule{.unit = "m", .min = -1000, .max = 1e5},
    rate{.unit = "s-1", .min = 0};

TransportTable distribution_keys() {
    using T = TracerSettings;
    const auto in = [](auto member) {
        return [member](Settings &s) -> Slot { return &(s.tracers.back().*member); };
    };
    return {
        "tracer.<name>",
        "One table for each tracer.",
        {{"shape", in(&T::shape), "distribution at the start", {.choices = shape_names()}},
         {"scale", in(&T::scale), "factor by which it is multiplied"},
         {"amount",
          in(&T::amount),
          "whether its mixing ratio is one of mass or of moles; of moles, its columns are in Dobson units",
          {.choices = {"mass", "mole"}}},
         {"family", in(&T::family),
          "name of a family; the limiter takes the same share of the slopes of all its tracers, so that sums "
          "of "
          "them are carried as one tracer is"}}};
}

auto of_sources(auto member) {
    return [member](Settings &s) -> Slot { return &(s.tracers.back().sources.*member); };
}

std::vector<TransportKey> emission_keys() {
    using S = SourceSettings;
    const auto in = [](auto member) { return of_sources(member); };
    return {
        {"emission",
         in(&S::emission),
         "emission at the ground, of tracers by mass",
         {.unit = "kg m-2 s-1", .min = 0}},
        {"emission_south", in(&S::emission_south), "southern limit of emission, in degrees", latitude},
        {"emission_north", in(&S::emission_north), "its northern limit", latitude},
        {"emission_surface",
         in(&S::emission_surface),
         "surface that emits, by the weather's shares of a cell; radon: \"unfrozen-land\"",
         {.choices = {"all", "land", "unfrozen-land", "sea"}}},
        {"emission_file", in(&S::emission_file),
         "netCDF file with a map of emissions in kg m-2 s-1 over latitude, longitude and perhaps time, on "
         "any grid"},
        {"emission_variable", in(&S::emission_variable), "its variable, where several have these units"},
    };
}

std::vector<TransportKey> sink_keys() {
    using S = SourceSettings;
    const auto in = [](auto member) { return of_sources(member); };
    return {
        {"lifetime", in(&S::lifetime), "e-folding time of decay; \"0 s\": none, radon: \"5.517 d\"",
         time_rule},
        {"deposition_velocity", in(&S::deposition_velocity),
         "velocity of dry deposition out of the lowest layer", velocity},
        {"deposition_velocity_land",
         in(&S::deposition_velocity_land),
         "that over land",
         velocity,
         {},
         "deposition_velocity"},
        {"deposition_velocity_sea",
         in(&S::deposition_velocity_sea),
         "that over sea",
         velocity,
         {},
         "deposition_velocity"},
        {"washout", in(&S::washout), "rate at which rain of 1 mm in an hour removes the tracer below clouds",
         rate},
        {"rainout", in(&S::rainout), "that in clouds, layers of more than 80 % relative humidity", rate},
        {"washout_exponent",
         in(&S::washout_exponent),
         "exponent of the rain, of both rates",
         {.min = 0, .max = 3}},
        {"particle_diameter",
         in(&S::particle_diameter),
         "the tracer is of spheres of this diameter, which sink by Stokes' law with Cunningham's correction; "
         "\"0 m\": it does not sink",
         {.unit = "m", .min = 0, .max = 1e-4}},
        {"particle_density",
         in(&S::particle_density),
         "their density",
         {.unit = "kg m-3", .min = 0, .above = true}},
        {"linoz", in(&S::linoz),
         "netCDF file of linearised ozone chemistry (McLinden et al. 2000), for a tracer by moles"},
        {"clock", in(&S::clock),
         "whether the tracer is the age of air: the time in s since it was in the lowest layer"},
    };
}

std::vector<TransportKey> eruption_keys() {
    using S = SourceSettings;
    const auto in = [](auto member) { return of_sources(member); };
    return {
        {"eruption_mass",
         in(&S::eruption_mass),
         "mass of an eruption, of tracers by mass; a release of its own",
         {.unit = "kg", .min = 0}},
        {"eruption_longitude",
         in(&S::eruption_longitude),
         "its longitude, in degrees",
         {.min = -360, .max = 360}},
        {"eruption_latitude", in(&S::eruption_latitude), "its latitude", latitude},
        {"eruption_bottom", in(&S::eruption_bottom), "height of its lower end above the sea", height_rule},
        {"eruption_top", in(&S::eruption_top), "height of its upper end", height_rule},
        {"eruption_start", in(&S::eruption_start), "when it begins, after run.start", time_rule},
        {"eruption_duration", in(&S::eruption_duration), "how long it lasts", time_rule},
    };
}

} // namespace

const TransportTable &tracer_keys() {
    static const TransportTable table = [] {
        TransportTable all = distribution_keys();
        for (const auto &keys : {emission_keys(), sink_keys(), eruption_keys()})
            all.keys.insert(all.keys.end(), keys.begin(), keys.end());
        return all;
    }();
    return table;
}

const TransportTable &release_keys() {
    using R = ReleaseSettings;
    const auto in = [](auto member) {
        return [member](Settings &s) -> Slot { return &(s.tracers.back().sources.releases.back().*member); };
    };
    static const TransportTable table{
        "tracer.<name>.release.<name>",
        "One table for each release of mass into the air: at a point or along a line (longitude, latitude), "
        "or over "
        "an area (region).",
        {{"mass",
          in(&R::mass),
          "all of its mass",
          {.unit = "kg", .min = 0, .above = true},
          Presence::required},
         {"longitude",
          in(&R::longitude),
          "longitude of the point, or longitudes of the line's corners, in degrees",
          {.min = -360, .max = 360, .example = "[14.99]"}},
         {"latitude", in(&R::latitude), "latitudes of these", {.min = -90, .max = 90, .example = "[37.75]"}},
         {"region",
          in(&R::region),
          "western, eastern, southern and northern limit of the area, in degrees",
          {.min = -360, .max = 720, .example = "[-10, 30, 35, 60]"}},
         {"bottom", in(&R::bottom), "height of its lower end above the sea", height_rule},
         {"top", in(&R::top), "height of its upper end; the same: at this height alone", height_rule},
         {"profile",
          in(&R::profile),
          "weights of parts of equal thickness, from the bottom to the top; empty: the same mass at all "
          "heights",
          {.min = 0, .example = "[1, 1, 4]"}},
         {"start", in(&R::start), "when it begins, after run.start", time_rule},
         {"duration",
          in(&R::duration),
          "how long it lasts",
          {.unit = "s", .min = 0, .above = true},
          Presence::required}}};
    return table;
}

} // namespace squall::transport
