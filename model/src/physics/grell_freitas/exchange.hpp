/// What draughts do to a column (Grell and Devenyi 2002, section 2; Grell and Freitas 2014).
///
/// Air between them sinks, so that each layer of mass m gets, with M the mass flux of updraughts where it is
/// largest, eta_u and eta_d the draughts' shares of it, s the downdraught's strength,
///     m dh/dt = -M d(eta_u (h_u - h) - s eta_d (h_d - h)),    and wind likewise;
///     m dq/dt = -M (d(eta_u (q_u - q) - s eta_d (q_d - q)) + d(eta_u l) + left + forms - s evaporates),
/// d: upper less lower interface. Rain evaporates from the cloud that is left in the layer, and then from the
/// rain that falls. Condensate below 258 K is ice. The kinetic energy that mixing takes becomes heat. Heating
/// is at most 300 K a day, cooling 150 K; 148 K both of shallow clouds, which leave wind alone.
#pragma once

#include "physics/grell_freitas/draughts.hpp"
#include "physics/tiedtke/rates.hpp"

namespace squall::grell_freitas {

/// Per mass of M: change of layers' energy [J], vapour, cloud water and ice [kg kg-1], momentum [m s-1], and
/// rain.
///
/// WRF's form leaves out what the updraught takes from the lowest layer, and adds the rain that evaporates
/// instead of subtracting it, so that its columns gain water.
struct Response {
    explicit Response(int layers);

    void find(const Air &air, const Cloud &cloud, const Updraught &up, const Downdraught &down);

    Profile energy, vapour, condensate, u, v;
    real rain = 0;

  private:
    void let_fall(const Air &air, const Updraught &up, const Downdraught &down);
};

/// Rates of change for a mass flux [kg m-2 s-1].
struct Exchange : tiedtke::Rates {
    explicit Exchange(int layers);

    void find(const Air &air, const Response &response, real flux, bool shallow);
};

} // namespace squall::grell_freitas
