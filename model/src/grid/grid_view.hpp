/// Views of a patch's grid that kernels take by value.
#pragma once

#include "core/kernel_memory.hpp"
#include "grid/grid.hpp"

namespace squall {

/// Everything constant in time that kernels read. Cheap to copy; the Grid owns the data.
struct GridView {
    int nx, ny, nz;
    real dx, dy, rdx, rdy, p_top;
    real cf1, cf2, cf3, cfn, cfn1;
    ConstProfile dnw, rdnw, rdn, fnm, fnp;
    ConstProfile c1h, c2h, c3h, c4h, c1f, c2f, c3f, c4f;
    ConstField2 msftx, msfty, msfux, msfuy, msfvx, msfvy;
    ConstField2 f, e, sina, cosa, terrain, mub;
    ConstField3 phb, pb, alb, theta_init, phb_residual;
    bool level_base = false; ///< the base pressure is one profile in all columns: it has no gradient

    explicit GridView(const Grid &g)
        : nx(g.shape.nx), ny(g.shape.ny), nz(g.shape.nz), dx(g.dx), dy(g.dy), rdx(g.rdx), rdy(g.rdy),
          p_top(g.vertical.p_top), cf1(g.vertical.cf1), cf2(g.vertical.cf2), cf3(g.vertical.cf3),
          cfn(g.vertical.cfn), cfn1(g.vertical.cfn1), dnw(g.vertical.dnw.data()),
          rdnw(g.vertical.rdnw.data()), rdn(g.vertical.rdn.data()), fnm(g.vertical.fnm.data()),
          fnp(g.vertical.fnp.data()), c1h(g.vertical.c1h.data()), c2h(g.vertical.c2h.data()),
          c3h(g.vertical.c3h.data()), c4h(g.vertical.c4h.data()), c1f(g.vertical.c1f.data()),
          c2f(g.vertical.c2f.data()), c3f(g.vertical.c3f.data()), c4f(g.vertical.c4f.data()),
          msftx(g.msftx.view()), msfty(g.msfty.view()), msfux(g.msfux.view()), msfuy(g.msfuy.view()),
          msfvx(g.msfvx.view()), msfvy(g.msfvy.view()), f(g.f.view()), e(g.e.view()), sina(g.sina.view()),
          cosa(g.cosa.view()), terrain(g.terrain.view()), mub(g.mub.view()), phb(g.phb.view()),
          pb(g.pb.view()), alb(g.alb.view()), theta_init(g.theta_init.view()),
          phb_residual(g.phb_residual.view()) {}

    /// The same with profiles that `memory` keeps, where kernels can read them.
    GridView kept_in(KernelMemory &memory) const {
        GridView kept = *this;
        const auto levels = static_cast<std::size_t>(nz);
        for (ConstProfile *p : {&kept.dnw, &kept.rdnw, &kept.rdn, &kept.fnm, &kept.fnp, &kept.c1h, &kept.c2h,
                                &kept.c3h, &kept.c4h})
            *p = memory.keep(std::span(*p, levels));
        for (ConstProfile *p : {&kept.c1f, &kept.c2f, &kept.c3f, &kept.c4f})
            *p = memory.keep(std::span(*p, levels + 1));
        return kept;
    }
};

} // namespace squall
