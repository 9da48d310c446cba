#include "initial/blank.hpp"

namespace squall {

InitialState blank_state(const Config &config, Shape shape, double dx, double dy) {
    InitialState s;
    s.scalars = scalars_of(config);
    s.state = State(shape, s.scalars.size());
    for (std::size_t n = 0; n < config.tracers.size(); ++n)
        s.state.scalars[static_cast<std::size_t>(s.scalars.first_tracer) + n].fill(
            real(config.tracers[n].initial));
    if (s.scalars.moist()) s.physics = PhysicsState(shape);
    if (config.physics.boundary_layer != "none") {
        s.ground = Ground(shape);
        s.ground.temperature.fill(real(config.physics.surface_temperature));
        s.ground.wetness.fill(1);
    }
    Grid &g = s.grid;
    g.shape = shape;
    g.dx = real(dx);
    g.dy = real(dy);
    g.rdx = real(1) / g.dx;
    g.rdy = real(1) / g.dy;
    g.qv_base.assign(static_cast<std::size_t>(shape.nz), 0);
    for (Array2 *a : {&g.msftx, &g.msfty, &g.msfux, &g.msfuy, &g.msfvx, &g.msfvy, &g.cosa}) {
        *a = Array2(shape);
        a->fill(1);
    }
    for (Array2 *a : {&g.f, &g.e, &g.sina, &g.lat, &g.lon, &g.terrain, &g.mub}) *a = Array2(shape);
    for (Array3 *a : {&g.phb, &g.pb, &g.alb, &g.theta_init, &g.phb_residual}) *a = Array3(shape);
    return s;
}

} // namespace squall
