/// Made-up fields that compress about as a weather model's do: a mean state that changes with
/// height, waves as wide as the domain, and noise whose energy falls with the -5/3 power of the
/// wavenumber down to four grid spacings, below which a model's own filters act.

#include <array>
#include <cmath>
#include <numbers>

#include "contents.hpp"

namespace squall::bench {
namespace {

struct Profile {
    const char *name;
    double mean, per_height; ///< at the ground, and what the top has more
    double wave, noise;      ///< amplitudes
    double scarcity;         ///< clouds: this is taken off and what remains is cut at 0
};

constexpr std::array<Profile, 15> profiles{{
    {"U", 5, 25, 8, 2, 0},
    {"V", 0, 0, 6, 2, 0},
    {"W", 0, 0, 0.2, 0.8, 0},
    {"theta", 290, 120, 4, 0.5, 0},
    {"PH", 100, 1.5e5, 400, 20, 0},
    {"P", 98000, -9.2e4, 600, 15, 0},
    {"T", 288, -70, 4, 0.5, 0},
    {"QVAPOR", 1.4e-2, -1.3e-2, 1e-3, 4e-4, 0},
    {"QCLOUD", 0, 0, 4e-4, 6e-4, 8e-4},
    {"QRAIN", 0, 0, 6e-4, 8e-4, 1.2e-3},
    {"QICE", 0, 0, 1e-4, 2e-4, 2e-4},
    {"QSNOW", 0, 0, 3e-4, 5e-4, 6e-4},
    {"QGRAUP", 0, 0, 8e-4, 9e-4, 1.5e-3},
    {"TKE", 0.2, -0.2, 0.3, 0.6, 0.3},
    {"REFL_10CM", -20, 0, 25, 15, 0},
}};

constexpr std::array<std::int64_t, 6> spacings{64, 32, 16, 8, 4, 2}; ///< of the noise's lattices

/// Velocity at a scale goes with its cube root (Kolmogorov); the finest is what filters leave.
double amplitude(std::int64_t spacing) {
    return std::cbrt(static_cast<double>(spacing) / 64) * (spacing < 4 ? 0.3 : 1);
}

/// A number in [-1, 1] that depends on nothing but the arguments.
float scatter(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    std::uint64_t h =
        a * 0x9E3779B97F4A7C15u ^ b * 0xC2B2AE3D27D4EB4Fu ^ c * 0x165667B19E3779F9u ^ d * 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 31) * 0xBF58476D1CE4E5B9u;
    h = (h ^ h >> 29) * 0x94D049BB133111EBu;
    return static_cast<float>(static_cast<double>(h >> 11) * 0x1p-52 - 1);
}

float ease(std::int64_t at, std::int64_t spacing) {
    const auto t = static_cast<float>(at % spacing) / static_cast<float>(spacing);
    return t * t * (3 - 2 * t);
}

/// Adds a row of one lattice's noise, interpolated between its points.
void add_noise(std::uint64_t seed, std::int64_t spacing, double size, std::int64_t k, std::int64_t j,
               std::int64_t i, std::vector<float> &row) {
    const auto low = std::max<std::int64_t>(spacing / 2, 1); // air is stretched along the ground
    const float u = ease(k, low), v = ease(j, spacing);
    const auto first = i / spacing, n = (i + static_cast<std::int64_t>(row.size())) / spacing - first + 2;
    std::vector<float> lattice(static_cast<std::size_t>(n));
    for (std::int64_t m = 0; m < n; ++m) {
        const auto at = [&](int dk, int dj) {
            return scatter(seed, k / low + dk, j / spacing + dj, first + m);
        };
        lattice[m] = static_cast<float>(size) *
                     std::lerp(std::lerp(at(0, 0), at(0, 1), v), std::lerp(at(1, 0), at(1, 1), v), u);
    }
    for (std::size_t m = 0; m < row.size(); ++m) {
        const auto x = i + static_cast<std::int64_t>(m);
        const auto cell = x / spacing - first;
        row[m] += std::lerp(lattice[cell], lattice[cell + 1], ease(x, spacing));
    }
}

class MadeUp final : public Contents {
  public:
    explicit MadeUp(const Settings &settings) {
        shape = {settings.size[2], settings.size[1], settings.size[0]};
        for (int f = 0; f < settings.fields; ++f) {
            const auto round = f / profiles.size();
            const std::string name = profiles[f % profiles.size()].name;
            names.push_back(round == 0 ? name : name + "_" + std::to_string(round + 1));
        }
    }

    void fill(int field, const io::Box &box, float *first, const io::Strides &strides) const override {
        std::vector<float> row(static_cast<std::size_t>(box.count[2]));
        for (std::int64_t k = 0; k < box.count[0]; ++k)
            for (std::int64_t j = 0; j < box.count[1]; ++j) {
                make_row(field, box.start[0] + k, box.start[1] + j, box.start[2], row);
                float *to = first + k * strides[0] + j * strides[1];
                for (std::size_t i = 0; i < row.size(); ++i)
                    to[static_cast<std::ptrdiff_t>(i) * strides[2]] = row[i];
            }
    }

  private:
    void make_row(int field, std::int64_t k, std::int64_t j, std::int64_t i, std::vector<float> &row) const {
        const auto &p = profiles[field % profiles.size()];
        constexpr double turn = 2 * std::numbers::pi;
        const double height = static_cast<double>(k) / static_cast<double>(shape[0]);
        const double y = static_cast<double>(j) / static_cast<double>(shape[1]);
        for (std::size_t m = 0; m < row.size(); ++m) {
            const double x =
                static_cast<double>(i + static_cast<std::int64_t>(m)) / static_cast<double>(shape[2]);
            row[m] = static_cast<float>(p.wave * std::sin(turn * (2 * x + height + 0.3 * field)) *
                                        std::cos(turn * (y - 0.2 * x)));
        }
        for (const auto spacing : spacings)
            add_noise(static_cast<std::uint64_t>(field * 100 + spacing), spacing,
                      p.noise * amplitude(spacing), k, j, i, row);
        const auto base = static_cast<float>(p.mean + p.per_height * height - p.scarcity);
        for (auto &value : row) value = p.scarcity > 0 ? std::max(value + base, 0.0F) : value + base;
    }
};

} // namespace

std::unique_ptr<Contents> made_up(const Settings &settings) { return std::make_unique<MadeUp>(settings); }

} // namespace squall::bench
