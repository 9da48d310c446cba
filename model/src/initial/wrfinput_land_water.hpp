/// Soil moisture, snow and vegetation of a wrfinput file, for land that keeps account of them.
#pragma once

#include "initial/initial.hpp"
#include "initial/input_file.hpp"
#include "initial/land_use.hpp"
#include "settings/config.hpp"

namespace squall {

/// Reads what SurfaceState::land_water begins with and Ground::cover, after read_surface's land use and soil
/// temperature: classes (IVGTYP, else LU_INDEX; ISLTYP), greenness (VEGFRA, SHDMIN, SHDMAX), TMN, SNOALB,
/// SMOIS brought to the layers of the scheme, CANWAT, SNOW and SNOWH. What of the soil's water is liquid
/// follows from its temperature. Sea ice (SEAICE or XICE as read_surface has it) has the temperatures of ice
/// of 3 m. Throws std::runtime_error: as InputFile; on land a class that there is not, or a moisture or deep
/// temperature that cannot be.
void read_land_water(const InputFile &file, LandClasses classes, const Config &config, const Patch &patch,
                     InitialState &s);

} // namespace squall
