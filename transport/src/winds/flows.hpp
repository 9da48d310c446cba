/// The flows that there are.
#pragma once

#include <vector>

#include "winds/flow.hpp"

namespace squall::transport {

/// Rotation as of a solid body around an axis that may be tilted, over the poles too.
///
/// Williamson, D. L., and others (1992): A standard test set for numerical approximations to the shallow
/// water equations in spherical geometry. J. Comput. Phys. 102, 211-224, case 1.
class SolidBody : public Flow {
  public:
    explicit SolidBody(const WindSettings &settings);
    double stream(double lon, double lat, double time) const override;
    std::optional<Direction3> origin(const Direction3 &there, double time) const override;

  protected:
    double rate_; ///< [s-1]
    Direction3 axis_;
};

/// Two vortices on opposite sides, which such a rotation carries around.
///
/// Nair, R. D., and C. Jablonowski (2008): Moving vortices on the sphere: A test case for horizontal
/// advection problems. Mon. Wea. Rev. 136, 699-711.
class MovingVortices : public SolidBody {
  public:
    explicit MovingVortices(const WindSettings &settings);
    double stream(double lon, double lat, double time) const override;
    std::optional<Direction3> origin(const Direction3 &there, double time) const override;

  private:
    double turn(double sine) const; ///< [s-1], by the sine of the latitude of the vortices' own globe
    std::vector<double> integral_;  ///< of turn() over the sine, from 0, at even steps to 1
};

/// Deformation that turns back at half the period, carried around meanwhile.
///
/// Nair, R. D., and P. H. Lauritzen (2010): A class of deformational flow test cases for linear transport
/// problems on the sphere. J. Comput. Phys. 229, 8868-8887, case 4.
class Deformation : public Flow {
  public:
    explicit Deformation(const WindSettings &settings) : period_(settings.period) {}
    double stream(double lon, double lat, double time) const override;
    std::optional<Direction3> origin(const Direction3 &there, double time) const override;

  protected:
    double period_;
};

/// The same with air that rises and sinks.
///
/// Kent, J., P. A. Ullrich and C. Jablonowski (2014): Dynamical core model intercomparison project: Tracer
/// transport test cases. Q. J. R. Meteorol. Soc. 140, 1279-1293, test 1-1.
class Deformation3 : public Deformation {
  public:
    explicit Deformation3(const WindSettings &settings) : Deformation(settings) {}
    bool overturns() const override { return true; }
    double zonal(double lon, double south, double north, double time) const override;
    double profile_zonal(double pressure) const override;
};

/// Their test 1-2: ten cells like Hadley's, to and fro.
class HadleyCells : public Flow {
  public:
    explicit HadleyCells(const WindSettings &settings) : period_(settings.period) {}
    double stream(double lon, double lat, double time) const override;
    bool overturns() const override { return true; }
    double meridional(double lat, double time) const override;
    double profile_meridional(double pressure) const override;
    std::optional<Direction3> origin(const Direction3 &there, double time) const override;

  private:
    double period_;
};

/// Their test 1-3: solid-body rotation at all heights, over levels that follow mountains.
class OverMountain : public SolidBody {
  public:
    explicit OverMountain(const WindSettings &settings) : SolidBody(settings) {}
    double terrain(double lon, double lat) const override;
};

/// A wave of four lows and four highs around each pole on westerlies, which goes east without a change of
/// shape: an exact solution of the barotropic vorticity equation.
///
/// Haurwitz, B. (1940): The motion of atmospheric disturbances on the spherical earth. J. Mar. Res. 3,
/// 254-267; as case 6 of Williamson and others (1992).
class RossbyHaurwitz : public Flow {
  public:
    explicit RossbyHaurwitz(const WindSettings &) {}
    double stream(double lon, double lat, double time) const override;
    std::optional<Direction3> origin(const Direction3 &there, double time) const override;
};

} // namespace squall::transport
