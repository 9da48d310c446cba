/// The model's floating-point type, chosen once for the whole build.
#pragma once

namespace squall {

#ifdef SQUALL_DOUBLE
using real = double;
#else
using real = float;
#endif

} // namespace squall
