"""Derived fields made once more, of a frame's own variables, by published formulas and MetPy: nothing here is
Squall's. Arrays are NumPy's, (level, south_north, west_east), in double precision."""

import metpy.calc
import numpy as np
from metpy.units import units

G, KELVIN = 9.81, 273.15


def quantity(array, unit):
    return units.Quantity(np.asarray(array, float), unit)


def of(frame, *names):
    """Sums of variables on mass points."""
    total = sum(frame[name].values.astype(float) for name in names)
    for axis, dim in enumerate(frame[names[0]].dims):
        if dim.endswith("_stag"):
            low = total.take(range(total.shape[axis] - 1), axis)
            total = 0.5 * (low + total.take(range(1, total.shape[axis]), axis))
    return total


def temperature(frame):
    pressure, theta = quantity(of(frame, "P", "PB"), "Pa"), quantity(of(frame, "T") + 300, "K")
    return metpy.calc.temperature_from_potential_temperature(pressure, theta).to("K").m


def dry_density(frame):
    vapour = of(frame, "QVAPOR")
    pressure, warm = quantity(of(frame, "P", "PB"), "Pa"), quantity(temperature(frame), "K")
    return metpy.calc.density(pressure, warm, quantity(vapour, "")).to("kg/m^3").m / (1 + vapour)


def height(frame):
    return of(frame, "PH", "PHB") / G


def highest_fall_through(values, z, threshold):
    """Where profiles fall through a value the last time on the way up, as MetPy's find_intersections has it;
    not a number where they never do."""
    found = np.full(z.shape[1:], np.nan)
    for j, i in np.ndindex(found.shape):
        line = np.full(len(z), float(threshold))
        x, _ = metpy.calc.find_intersections(z[:, j, i], values[:, j, i], line, direction="decreasing")
        x = np.asarray(getattr(x, "m", x), float)
        x = x[np.isfinite(x)]
        if len(x):
            found[j, i] = x.max()
    return found


def freezing_level(frame):
    return highest_fall_through(temperature(frame), height(frame), KELVIN)


def _power_law(content, intercept, heavy):
    """Stoelinga (2005), Simulated equivalent reflectivity factor as currently formulated in RIP, equations 1
    to 3: 720 (1 / (pi rho_x))^1.75 content^1.75 / N0^0.75 [mm6 m-3], by mass as water."""
    return 720e18 * (content / (np.pi * heavy)) ** 1.75 / intercept**0.75 * (heavy / 1000) ** 2


def echoes_of_exponentials(frame, scheme):
    """dBZ by Stoelinga's power laws, of Kessler's rain, or with the intercepts of Lin, of WSM6 (Hong and Lim
    2006, table 1; snow by Hong et al. 2004, equation 6), of WSM5, which has no graupel, or of WSM3, whose
    rain is snow where it freezes. Frozen particles have 0.224 of it below 0 °C."""
    density, warm = dry_density(frame), temperature(frame)
    dry = np.where(warm < KELVIN, 0.224, 1.0)

    def content(name):
        q = of(frame, name)
        return density * np.where(q > 1e-9, q, 0)

    total = _power_law(content("QRAIN"), 8e6, 1000)
    of_snow = np.minimum(2e6 * np.exp(0.12 * (KELVIN - warm).clip(0)), 1e11)
    if scheme == "wsm3":
        total = np.where(warm < KELVIN, dry * _power_law(content("QRAIN"), of_snow, 100), total)
    if scheme == "lin":
        total += dry * (_power_law(content("QSNOW"), 3e6, 100) + _power_law(content("QGRAUP"), 4e6, 400))
    if scheme.startswith("wdm"):
        total = _counted_drops(frame, density)
    if scheme in ("wsm5", "wsm6", "wdm5", "wdm6"):
        total += dry * _power_law(content("QSNOW"), of_snow, 100)
    if scheme in ("wsm6", "wdm6"):
        total += dry * _power_law(content("QGRAUP"), 4e6, 500)
    return 10 * np.log10(total.clip(10**-3.5))


def _counted_drops(frame, density):
    """Sum over bins of Lim and Hong's (2010) drops, equation 1, whose 1 / slope is no more than 1 mm."""
    q, number = of(frame, "QRAIN"), density * of(frame, "QNRAIN").clip(0)
    some = (q > 1e-9) & (number > 1e-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(some, (4 * np.pi * 1000 * number / (density * q)) ** (1 / 3), 5e4).clip(1e3)
    x = np.linspace(0, 40, 2001)[1:]
    seventh = np.sum(x**7 * np.exp(-x)) * (x[1] - x[0])
    return np.where(q > 1e-9, 1e18 * number / slope**6 * seventh, 0)


def _spectrum(number, slope, heavy):
    """Sum over 2,000 bins of diameter of number N0 e^(-slope D) dD times D^6, seen by mass [mm6 m-3]."""
    x = np.linspace(0, 40, 2001)[1:]
    return 1e18 * number / slope**7 * np.sum(x**6 * np.exp(-x)) * (x[1] - x[0]) * (heavy / 1000) ** 2


def echoes_of_thompson(frame):
    """dBZ of Thompson et al. (2008): rain of its mass and number, and graupel with the intercept that WRF 4's
    scheme takes of its content, added up over bins of diameter; snow over bins of the distribution of Field
    et al. (2005) with their table 2, of which flakes have 0.069 D^2 kg."""
    density, warm = dry_density(frame), temperature(frame)
    dry = np.where(warm < KELVIN, 0.224, 1.0)
    rain, snow, graupel = (density * of(frame, name) for name in ("QRAIN", "QSNOW", "QGRAUP"))
    there = {name: of(frame, name) > 1e-9 for name in ("QRAIN", "QSNOW", "QGRAUP")}
    with np.errstate(divide="ignore", invalid="ignore"):
        number = density * of(frame, "QNRAIN").clip(1e-6)
        slope = (np.pi * 1000 * number / rain) ** (1 / 3)
        # Drops are 37.5 micrometres to 2.5 mm in the median of their volume, whatever their number.
        slope = slope.clip(3.672 / 2.5e-3, 3.672 / 37.5e-6)
        number = rain * slope**3 / (np.pi * 1000)
        total = np.where(there["QRAIN"], _spectrum(number * slope, slope, 1000), 0)
        intercept = 10 ** (3 + 2 / 7 * (np.log10(graupel.clip(1e-9)) + 8)).clip(2, 6)
        slope = (np.pi * 400 * intercept / graupel) ** 0.25
        total += np.where(there["QGRAUP"], dry * _spectrum(intercept, slope, 400), 0)
    flakes = np.zeros_like(snow)
    flakes[there["QSNOW"]] = _flakes(snow[there["QSNOW"]], warm[there["QSNOW"]] - KELVIN)
    return 10 * np.log10((total + dry * flakes).clip(10**-3.5))


#: Field et al. (2005), table 2, of log10 A and B; terms are 1, T, n, Tn, T2, n2, T2n, Tn2, T3, n3.
_A = (5.065339, -0.062659, -3.032362, 0.029469, -0.000285, 0.312550, 0.000204, 0.003199, 0.0, -0.015952)
_B = (0.476221, -0.015896, 0.165977, 0.007468, -0.000141, 0.060366, 0.000079, 0.000594, 0.0, -0.003577)


def _flakes(snow, celsius):
    """Equivalent reflectivity factor as water [mm6 m-3] of contents [kg m-3], bin by bin."""
    second = snow / 0.069
    t, n = np.minimum(celsius, -0.1), 3.0
    terms = (t**0, t, n, t * n, t * t, n * n, t * t * n, t * n * n, t**3, n**3)
    a, b = (sum(c * term for c, term in zip(row, terms, strict=True)) for row in (_A, _B))
    third = 10**a * second**b
    x = np.linspace(0, 20, 4001)[1:]
    shape = 490.6 * np.exp(-20.78 * x) + 17.46 * x**0.6357 * np.exp(-3.290 * x)
    fourth = second**2 * second**2 / third**3 * (third / second) ** 5 * np.sum(x**4 * shape) * (x[1] - x[0])
    return 1e18 * (6 * 0.069 / (np.pi * 1000)) ** 2 * fourth


def updraught_helicity(frame, low=2000.0, high=5000.0):
    """Kain et al. (2008), equation 1, by MetPy's vorticity: of w times it, linear between the middles of
    layers and where w is upwards, added up every 10 m. Winds are on a plane without map factors."""
    dx, dy = (units.Quantity(float(frame.attrs[name]), "m") for name in ("DX", "DY"))
    u, v = (quantity(of(frame, name), "m/s") for name in ("U", "V"))
    turning = metpy.calc.vorticity(u, v, dx=dx, dy=dy).to("1/s").m
    product = turning * of(frame, "W").clip(0)
    ground = (frame["PH"] + frame["PHB"]).values[0].astype(float) / G
    above = height(frame) - ground
    fine = np.arange(low + 5, high, 10.0)
    found = np.zeros(above.shape[1:])
    for j, i in np.ndindex(found.shape):
        found[j, i] = 10.0 * np.interp(fine, above[:, j, i], product[:, j, i]).sum()
    return found


def metpys(p, t, dew, kind):
    """CAPE and CIN [J kg-1] by MetPy; of mixed air along MetPy's ascent, added up here: MetPy's own function
    puts a straight line in the place of the environment that is mixed, and takes what is positive below the
    level of free convection off CIN."""
    p, t, dew = quantity(p, "Pa"), quantity(t, "K"), quantity(dew, "K")
    if kind == "mixed_layer":
        return along_metpys_ascent(p, t, dew, *metpy.calc.mixed_parcel(p, t, dew)[1:])[:2]
    of = {"surface": metpy.calc.surface_based_cape_cin, "most_unstable": metpy.calc.most_unstable_cape_cin}
    cape, cin = of[kind](p, t, dew)
    return cape.m, -cin.m


def along_metpys_ascent(p, t, dew, t_start, dew_start):
    """CAPE, CIN, and the pressures of condensation and of free convection, if any [Pa]."""
    path = metpy.calc.parcel_profile(p, t_start, dew_start)
    lcl = metpy.calc.lcl(p[0], t_start, dew_start)[0]
    held = metpy.calc.saturation_mixing_ratio(p[0], dew_start).to("").m
    held = np.where(p > lcl, held, metpy.calc.saturation_mixing_ratio(p, path).to("").m)
    inside = metpy.calc.virtual_temperature(path, quantity(held, ""))
    excess = (inside - metpy.calc.virtual_temperature_from_dewpoint(p, t, dew)).to("K").m
    x = -np.log(p.m)
    fine = np.linspace(x[0], x[-1], 20_001)
    buoyancy = np.interp(fine, x, excess)
    free = np.flatnonzero((fine > -np.log(lcl.to("Pa").m)) & (buoyancy > 0))
    first = free[0] if len(free) else len(fine)
    energy = 287.05 * (fine[1] - fine[0])
    cape, cin = np.maximum(buoyancy[first:], 0).sum(), np.maximum(-buoyancy[:first], 0).sum()
    return energy * cape, energy * cin, lcl.to("Pa").m, np.exp(-fine[first]) if len(free) else np.nan


def metpys_levels(p, t, dew, z, kind):
    """Heights of condensation and of free convection [m] by MetPy's parcels and ascent."""
    p, t, dew = quantity(p, "Pa"), quantity(t, "K"), quantity(dew, "K")
    first = metpy.calc.most_unstable_parcel(p, t, dew)[3] if kind == "most_unstable" else 0
    above = p[first:], t[first:], dew[first:]
    start = metpy.calc.mixed_parcel(p, t, dew)[1:] if kind == "mixed_layer" else (t[first], dew[first])
    return (np.interp(-np.log(level), -np.log(p.m), z) for level in along_metpys_ascent(*above, *start)[2:])
