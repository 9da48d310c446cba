// A sea partly under ice: what a cell has is the mean of ice and of water beside it.
#include <gtest/gtest.h>

#include "noah_case.hpp"
#include "physics/sea_ice.hpp"

namespace squall {
namespace {

using test::NoahCase;

constexpr real share = real(0.4), cold = 255, open_sea = real(271.4);

/// Cells of ice, or partly of it, under air of -13 degrees.
struct Sea : NoahCase {
    std::vector<real> ice_share, below, ice_skin, ice_vapour, ice_albedo, ice_emissivity;

    explicit Sea(const std::string &scheme, int columns, real of_ice = 0)
        : NoahCase(columns), ice_share(columns, of_ice), below(columns, open_sea), ice_skin(columns, cold),
          ice_vapour(columns, 0), ice_albedo(columns, real(0.7)), ice_emissivity(columns, real(0.95)),
          above_(surface_layer_scheme(scheme).make()), land_(land_scheme("noah").make()) {
        sublayer = surface_layer_scheme(scheme).sublayer;
        set_all(theta, 0, 261);
        set(temperature, 260);
        set_all(q, 0, 0.001);
        set(longwave, 200);
        set(skin, cold), set(availability, 0.95), set(roughness, 0.001);
        set_land(NoahCase::ice, double(noah::Ice::sea));
        set_land(vegetation, 24), set_land(sunlight, 50);
        set_land(albedo, 0.7), set_land(emissivity_now, 0.95);
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < n; ++i) soil.field(0)(i, k) = 265;
    }
    SurfaceColumns surface() {
        SurfaceColumns c = NoahCase::surface();
        if (ice_share[0] > 0)
            c.ice = {ice_share.data(),  below.data(),      ice_skin.data(),
                     ice_vapour.data(), ice_albedo.data(), ice_emissivity.data()};
        return c;
    }
    void advance() {
        const SurfaceColumns c = surface();
        const bool two = SeaIce::any(c);
        if (two) {
            parts_.exchange(*above_, c);
            parts_.tell_land(c);
        } else
            above_->exchange(c);
        land_->advance(c);
        if (two) parts_.blend(c);
    }

  private:
    std::unique_ptr<SurfaceLayerScheme> above_;
    std::unique_ptr<LandScheme> land_;
    SeaIce parts_;
};

class SeaIceUnder : public testing::TestWithParam<const char *> {};

TEST_P(SeaIceUnder, ACellHasTheMeanOfIceAndOfWaterBesideIt) {
    Sea ice(GetParam(), 1), open(GetParam(), 1), cell(GetParam(), 1, share);
    cell.set(NoahCase::skin, sea_ice::mean(share, cold, open_sea));
    open.set(NoahCase::land, 0), open.set(NoahCase::availability, 1);
    open.set(NoahCase::roughness, 1e-4), open.set(NoahCase::skin, open_sea);
    ice.advance(), open.advance(), cell.advance();
    for (const auto row :
         {NoahCase::heat, NoahCase::vapour, NoahCase::skin, NoahCase::ust, NoahCase::scale,
          NoahCase::surface_vapour, NoahCase::heat_exchange, NoahCase::heat_2m, NoahCase::vapour_2m,
          NoahCase::u10, NoahCase::v10, NoahCase::richardson, NoahCase::heat_conductance, NoahCase::theta0})
        EXPECT_EQ(cell.at(row), sea_ice::mean(share, ice.at(row), open.at(row))) << row;
    EXPECT_GT(open.at(NoahCase::heat), 50);
    EXPECT_LT(ice.at(NoahCase::heat), 0);
    EXPECT_EQ(cell.at(NoahCase::roughness), ice.at(NoahCase::roughness));
    EXPECT_EQ(cell.ice_skin[0], ice.at(NoahCase::skin));
    EXPECT_NEAR(cell.of_land(NoahCase::albedo), 0.4 * 0.65 + 0.6 * 0.08, 1e-6);
    EXPECT_EQ(cell.ice_albedo[0], real(0.65));
    EXPECT_NEAR(cell.of_land(NoahCase::emissivity_now), 0.98, 1e-6);
}

TEST_P(SeaIceUnder, ACellAllOfIceIsIceAndOneWithLessThanTwoPerCentIsNotTouched) {
    Sea ice(GetParam(), 1), whole(GetParam(), 1, 1), hardly(GetParam(), 1, real(0.019));
    ice.advance(), whole.advance(), hardly.advance();
    for (const auto row : {NoahCase::heat, NoahCase::vapour, NoahCase::skin, NoahCase::ust, NoahCase::u10}) {
        EXPECT_EQ(whole.at(row), ice.at(row)) << row;
        EXPECT_EQ(hardly.at(row), ice.at(row)) << row;
    }
    EXPECT_EQ(hardly.ice_skin[0], cold);
}

INSTANTIATE_TEST_SUITE_P(Schemes, SeaIceUnder, testing::Values("revised-mm5", "mm5", "eta", "mynn"));

TEST(SeaIce, LandIsToldTheMeanSkinWhereThatIsWrfsForm) {
    Sea own("revised-mm5", 1, share), wrf("revised-mm5", 1, share);
    for (Sea *sea : {&own, &wrf}) sea->set(NoahCase::skin, sea_ice::mean(share, cold, open_sea));
    wrf.as_wrf = true;
    own.advance(), wrf.advance();
    EXPECT_GT(std::abs(own.ice_skin[0] - wrf.ice_skin[0]), real(0.01));
}

TEST(SeaIce, TheSkinOfAnAnalysisIsSplitIntoThatOfIceAndOfWaterWithinBounds) {
    EXPECT_NEAR(sea_ice::ice_temperature(real(0.5), 260, open_sea), 248.6, 1e-3);
    EXPECT_EQ(sea_ice::ice_temperature(real(0.5), 240, open_sea), real(221.4));
    EXPECT_EQ(sea_ice::ice_temperature(real(0.15), 253, open_sea), real(253.15));
    EXPECT_EQ(sea_ice::ice_temperature(real(0.05), 263, open_sea), real(263.15));
    EXPECT_EQ(sea_ice::beside_ice(real(0.5), 0), open_sea); // a file without
    EXPECT_EQ(sea_ice::beside_ice(real(0.9), 280), open_sea);
    EXPECT_EQ(sea_ice::beside_ice(real(0.5), 280), 273);
    EXPECT_EQ(sea_ice::beside_ice(real(0.3), 280), 275);
    EXPECT_EQ(sea_ice::beside_ice(real(0.3), 274), 274);
    EXPECT_EQ(sea_ice::beside_ice(real(0.1), 280), 278);
}

} // namespace
} // namespace squall
