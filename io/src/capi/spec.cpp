/// The C interface: declarations of streams.
#include <algorithm>

#include "capi.hpp"

using namespace squall::io;
using namespace squall::io::capi;

namespace {

/// A field, or a source.
Field &field_of(StreamSpec &spec, const std::string &name) {
    for (auto *fields : {&spec.fields, &spec.sources})
        if (const auto f = std::ranges::find(*fields, name, &Field::name); f != fields->end()) return *f;
    throw Error("stream " + spec.name + ": field " + name +
                " is not declared; call squall_io_spec_field first");
}

std::vector<std::string> names_from(int n, const char *const names[]) {
    std::vector<std::string> list;
    for (int d = 0; d < n; ++d)
        list.push_back(need_text((&need(names, "list of dimensions"))[d], "name of a dimension"));
    return list;
}

Reduction &reduction_of(squall_io_spec *spec, const char *field) {
    auto &reduction = field_of(need(spec, "spec").spec, need_text(field, "field")).reduction;
    if (!reduction)
        throw Error(std::string("field ") + field +
                    " is not made from another; call squall_io_spec_reduction first");
    return *reduction;
}

Decomposition &decomposition_of(squall_io_spec *spec, const char *name) {
    auto &stream = need(spec, "spec").spec;
    const auto wanted = need_text(name, "name of a decomposition");
    const auto d = std::ranges::find(stream.decompositions, wanted, &Decomposition::name);
    if (d == stream.decompositions.end())
        throw Error("stream " + stream.name + ": decomposition " + wanted +
                    " is not declared; call squall_io_spec_decomposition first");
    return *d;
}

int add_attribute(squall_io_spec *spec, const char *field, const char *name, auto value) {
    return guarded([&] {
        auto &stream = need(spec, "spec").spec;
        auto &attributes = field ? field_of(stream, field).attributes : stream.attributes;
        attributes.emplace_back(need_text(name, "name of an attribute"), Value(value()));
    });
}

template <class T> std::vector<T> numbers(int count, const T *values) {
    if (count < 1)
        throw Error("an attribute of " + std::to_string(count) + " numbers; it needs at least one");
    return {&need(values, "values of an attribute"), values + count};
}

int set_precision(squall_io_spec *spec, const char *field, auto make) {
    return guarded([&] { field_of(need(spec, "spec").spec, need_text(field, "field")).precision = make(); });
}

} // namespace

int squall_io_spec_new(const char *name, const char *path, squall_io_spec **spec) {
    return guarded([&] {
        StreamSpec stream;
        stream.name = need_text(name, "name");
        stream.path = need_text(path, "path");
        need(spec, "pointer for the spec") = new squall_io_spec{std::move(stream)};
    });
}

void squall_io_spec_free(squall_io_spec *spec) { delete spec; }

int squall_io_spec_set(squall_io_spec *spec, const char *key, const char *value) {
    return guarded(
        [&] { set_key(need(spec, "spec").spec, need_text(key, "key"), need_text(value, "value")); });
}

int squall_io_spec_option(squall_io_spec *spec, const char *option, const char *value) {
    return guarded(
        [&] { need(spec, "spec").spec.options[need_text(option, "option")] = need_text(value, "value"); });
}

int squall_io_spec_dimension(squall_io_spec *spec, const char *name, int64_t size) {
    return guarded([&] { need(spec, "spec").spec.dimensions.push_back({need_text(name, "name"), size}); });
}

int squall_io_spec_varying(squall_io_spec *spec, const char *name, int64_t most) {
    return guarded([&] {
        need(spec, "spec").spec.dimensions.push_back({need_text(name, "name"), most, true});
    });
}

int squall_io_spec_subset(squall_io_spec *spec, const char *dimension, int64_t start, int64_t stop,
                          int64_t stride) {
    return guarded([&] {
        need(spec, "spec").spec.subset.push_back({need_text(dimension, "dimension"), start, stop, stride});
    });
}

int squall_io_spec_field(squall_io_spec *spec, const char *name, squall_io_type type, int ndims,
                         const char *const dimensions[], int per_frame) {
    return guarded([&] {
        need(spec, "spec")
            .spec.fields.push_back({need_text(name, "name"),
                                    type_from(type),
                                    names_from(ndims, dimensions),
                                    {},
                                    per_frame != 0});
    });
}

int squall_io_spec_source(squall_io_spec *spec, const char *name, squall_io_type type, int ndims,
                          const char *const dimensions[], int per_frame) {
    return guarded([&] {
        need(spec, "spec")
            .spec.sources.push_back({need_text(name, "name"),
                                     type_from(type),
                                     names_from(ndims, dimensions),
                                     {},
                                     per_frame != 0});
    });
}

int squall_io_spec_reduction(squall_io_spec *spec, const char *field, const char *of, const char *method,
                             int nover, const char *const over[]) {
    return guarded([&] {
        field_of(need(spec, "spec").spec, need_text(field, "field")).reduction =
            Reduction{.of = need_text(of, "source"),
                      .method = need_text(method, "method"),
                      .over = names_from(nover, over)};
    });
}

int squall_io_spec_reduction_set(squall_io_spec *spec, const char *field, const char *key,
                                 const char *value) {
    return guarded(
        [&] { set_key(reduction_of(spec, field), need_text(key, "key"), need_text(value, "value")); });
}

int squall_io_spec_reduction_levels(squall_io_spec *spec, const char *field, int nlevels,
                                    const double levels[]) {
    return guarded([&] {
        auto &reduction = reduction_of(spec, field);
        if (nlevels > 0) reduction.levels.assign(&need(levels, "list of levels"), levels + nlevels);
    });
}

int squall_io_spec_places(squall_io_spec *spec, const char *name, int64_t count, int ndims,
                          const char *const dimensions[], const double positions[]) {
    return guarded([&] {
        Places places;
        places.name = need_text(name, "name");
        places.dimensions = names_from(ndims, dimensions);
        places.count = count;
        if (positions && count > 0) places.positions.assign(positions, positions + count * ndims);
        need(spec, "spec").spec.places.push_back(std::move(places));
    });
}

int squall_io_spec_places_stagger(squall_io_spec *spec, const char *name, const char *dimension,
                                  const char *of, double by) {
    return guarded([&] {
        auto &stream = need(spec, "spec").spec;
        const auto wanted = need_text(name, "name of places");
        const auto places = std::ranges::find(stream.places, wanted, &Places::name);
        if (places == stream.places.end())
            throw Error("stream " + stream.name + ": places " + wanted +
                        " are not declared; call squall_io_spec_places first");
        places->staggers.push_back({need_text(dimension, "dimension"), need_text(of, "dimension"), by});
    });
}

int squall_io_spec_accumulators(squall_io_spec *spec, const squall_io_spec *of) {
    return guarded([&] {
        auto &fields = need(spec, "spec").spec.fields;
        for (auto &field : accumulators(need(of, "spec").spec)) fields.push_back(std::move(field));
    });
}

int squall_io_spec_reduction_within(squall_io_spec *spec, const char *field, const char *dimension,
                                    int64_t start, int64_t stop) {
    return guarded([&] {
        reduction_of(spec, field).within.push_back({need_text(dimension, "dimension"), start, stop});
    });
}

int squall_io_spec_reduction_coarsen(squall_io_spec *spec, const char *field, const char *dimension,
                                     int64_t factor, const char *onto) {
    return guarded([&] {
        reduction_of(spec, field)
            .coarsen.push_back({need_text(dimension, "dimension"), factor, need_text(onto, "dimension")});
    });
}

int squall_io_spec_texts(squall_io_spec *spec, const char *name, int letters, int ndims,
                         const char *const dimensions[], int per_frame) {
    if (const int status = squall_io_spec_field(spec, name, SQUALL_IO_TEXT, ndims, dimensions, per_frame))
        return status;
    spec->spec.fields.back().letters = letters;
    return SQUALL_IO_OK;
}

int squall_io_spec_time(squall_io_spec *spec, const char *name, const char *units, int bounds) {
    return guarded([&] {
        TimeAxis axis;
        if (name) axis.name = name;
        if (units) axis.units = units;
        axis.bounds = bounds != 0;
        need(spec, "spec").spec.time = axis;
    });
}

int squall_io_spec_fill(squall_io_spec *spec, const char *field, double fill) {
    return guarded([&] { field_of(need(spec, "spec").spec, need_text(field, "field")).fill = fill; });
}

int squall_io_spec_optional(squall_io_spec *spec, const char *field) {
    return guarded([&] { field_of(need(spec, "spec").spec, need_text(field, "field")).optional = true; });
}

int squall_io_spec_decomposition(squall_io_spec *spec, const char *name, int ndims,
                                 const char *const dimensions[]) {
    return guarded([&] {
        Decomposition d;
        d.name = need_text(name, "name");
        d.dimensions = names_from(ndims, dimensions);
        need(spec, "spec").spec.decompositions.push_back(std::move(d));
    });
}

int squall_io_spec_decomposition_box(squall_io_spec *spec, const char *name, const int64_t start[],
                                     const int64_t count[]) {
    return guarded([&] {
        auto &d = decomposition_of(spec, name);
        d.boxes.push_back(box_from(static_cast<int>(d.dimensions.size()), start, count));
    });
}

int squall_io_spec_decomposition_indices(squall_io_spec *spec, const char *name, int64_t n,
                                         const int64_t indices[]) {
    return guarded([&] {
        auto &d = decomposition_of(spec, name);
        if (n > 0) d.indices.insert(d.indices.end(), &need(indices, "list of indices"), indices + n);
    });
}

int squall_io_spec_decomposition_unowned(squall_io_spec *spec, const char *name, const int64_t start[],
                                         const int64_t count[]) {
    return guarded([&] {
        auto &d = decomposition_of(spec, name);
        d.unowned.push_back(box_from(static_cast<int>(d.dimensions.size()), start, count));
    });
}

int squall_io_spec_decomposed(squall_io_spec *spec, const char *field, const char *decomposition) {
    return guarded([&] {
        field_of(need(spec, "spec").spec, need_text(field, "field")).decomposition =
            need_text(decomposition, "decomposition");
    });
}

int squall_io_spec_pack(squall_io_spec *spec, const char *field, double low, double high) {
    return set_precision(
        spec, field, [&] { return Precision{.kind = Precision::Kind::packed, .low = low, .high = high}; });
}

int squall_io_spec_round(squall_io_spec *spec, const char *field, const char *kind, double bound) {
    return set_precision(spec, field, [&] {
        const auto word = need_text(kind, "kind");
        if (word != "absolute" && word != "relative")
            throw Error("there is no kind of rounding \"" + word + "\"; choose absolute or relative");
        return Precision{.kind = word == "absolute" ? Precision::Kind::absolute : Precision::Kind::relative,
                         .bound = bound};
    });
}

int squall_io_spec_attribute_text(squall_io_spec *spec, const char *field, const char *name,
                                  const char *text) {
    return add_attribute(spec, field, name, [&] { return need_text(text, "text of an attribute"); });
}
int squall_io_spec_attribute_int(squall_io_spec *spec, const char *field, const char *name, int count,
                                 const int32_t *values) {
    return add_attribute(spec, field, name, [&] { return numbers(count, values); });
}
int squall_io_spec_attribute_float(squall_io_spec *spec, const char *field, const char *name, int count,
                                   const float *values) {
    return add_attribute(spec, field, name, [&] { return numbers(count, values); });
}
int squall_io_spec_attribute_double(squall_io_spec *spec, const char *field, const char *name, int count,
                                    const double *values) {
    return add_attribute(spec, field, name, [&] { return numbers(count, values); });
}
