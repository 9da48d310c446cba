/// A small wrfinput file for tests, to be spoilt at will before it is written.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <netcdf.h>

namespace squall::testing_support {

/// 6 x 5 x 4 cells of an idealised run; every value is a function of its 0-based place, so that a
/// reader's mistake shows.
struct FakeInput {
    struct Variable {
        std::vector<std::string> dimensions; ///< after Time
        std::function<double(int k, int j, int i)> value;
    };
    std::map<std::string, int> dimensions{{"west_east", 6},   {"west_east_stag", 7},
                                          {"south_north", 5}, {"south_north_stag", 6},
                                          {"bottom_top", 4},  {"bottom_top_stag", 5}};
    std::map<std::string, Variable> variables;
    std::map<std::string, std::string> texts{{"TITLE", " OUTPUT FROM IDEAL V4.7.1 PREPROCESSOR"},
                                             {"GRIDTYPE", "C"}};
    std::map<std::string, double> numbers{{"DX", 2000}, {"DY", 3000}, {"HYBRID_OPT", 0}};
    std::string time = "2001-02-03_04:05:06";
    int format = NC_NETCDF4;
    bool unlimited_time = true;

    FakeInput() {
        const auto eta = [](double k) { return 1 - k / 4; };
        const auto one = [](int, int, int) { return 1.0; };
        const auto zero = [](int, int, int) { return 0.0; };
        const auto place = [](double base, double scale) {
            return [=](int k, int j, int i) { return base + scale * (k + 0.1 * j + 0.01 * i); };
        };
        scalar("P_TOP", 10000);
        scalar("THIS_IS_AN_IDEAL_RUN", 1);
        variables["ZNW"] = {{"bottom_top_stag"}, [=](int, int, int k) { return eta(k); }};
        variables["ZNU"] = {{"bottom_top"}, [=](int, int, int k) { return eta(k + 0.5); }};
        variables["U_BASE"] = {{"bottom_top"}, [=](int, int, int k) { return 3.0 * k; }};
        for (const char *name : {"MAPFAC_MX", "MAPFAC_MY", "COSALPHA"}) plane(name, one);
        for (const char *name : {"SINALPHA", "XLAT", "XLONG", "HGT", "E"}) plane(name, zero);
        for (const char *name : {"MAPFAC_UX", "MAPFAC_UY"}) plane(name, one, "south_north", "west_east_stag");
        for (const char *name : {"MAPFAC_VX", "MAPFAC_VY"}) plane(name, one, "south_north_stag", "west_east");
        plane("F", place(1e-4, 1e-6));
        plane("MUB", place(85000, 100));
        plane("MU", place(50, 10));
        volume("U", place(10, 1), "bottom_top", "south_north", "west_east_stag");
        volume("V", place(-10, 1), "bottom_top", "south_north_stag", "west_east");
        volume("T", place(0, 5));
        volume("THM", place(1, 5));
        volume("T_INIT", place(2, 5));
        volume("PHB", phb, "bottom_top_stag");
        volume("PH", ph, "bottom_top_stag");
    }

    /// Base-state geopotential in balance with T_INIT and MUB, and a departure from it.
    static double phb(int k, int j, int i) {
        const double mub = 85000 + 100 * (0.1 * j + 0.01 * i);
        double phi = 0;
        for (int n = 0; n < k; ++n) {
            const double p = (1 - (n + 0.5) / 4) * mub + 10000;
            const double theta = 302 + 5 * (n + 0.1 * j + 0.01 * i);
            phi += 287 * theta * std::pow(p / 1e5, 2.0 / 7) * std::log((p + mub / 8) / (p - mub / 8));
        }
        return phi;
    }
    /// The same linear in eta, as ideal.exe has it.
    static double phb_linear(int k, int j, int i) {
        const double mub = 85000 + 100 * (0.1 * j + 0.01 * i);
        double phi = 0;
        for (int n = 0; n < k; ++n) {
            const double p = (1 - (n + 0.5) / 4) * mub + 10000;
            const double theta = 302 + 5 * (n + 0.1 * j + 0.01 * i);
            phi += 287 * theta * std::pow(p / 1e5, 2.0 / 7) * (mub / 4) / p;
        }
        return phi;
    }
    static double ph(int k, int j, int i) { return 100 * k * (1 + 0.1 * j + 0.01 * i); }

    void scalar(const std::string &name, double value) {
        variables[name] = {{}, [=](int, int, int) { return value; }};
    }
    void plane(const std::string &name, std::function<double(int, int, int)> f, std::string y = "south_north",
               std::string x = "west_east") {
        variables[name] = {{y, x}, std::move(f)};
    }
    void volume(const std::string &name, std::function<double(int, int, int)> f, std::string z = "bottom_top",
                std::string y = "south_north", std::string x = "west_east") {
        variables[name] = {{z, y, x}, std::move(f)};
    }

    /// Writes the file and returns its path.
    std::string write(const std::string &path) const {
        int file = 0, time_dim = 0, length_dim = 0;
        check(nc_create(path.c_str(), NC_CLOBBER | format, &file));
        check(nc_def_dim(file, "Time", unlimited_time ? NC_UNLIMITED : 1, &time_dim));
        check(nc_def_dim(file, "DateStrLen", time.size(), &length_dim));
        std::map<std::string, int> ids;
        for (const auto &[name, size] : dimensions) check(nc_def_dim(file, name.c_str(), size, &ids[name]));
        for (const auto &[name, text] : texts)
            check(nc_put_att_text(file, NC_GLOBAL, name.c_str(), text.size(), text.data()));
        for (const auto &[name, number] : numbers)
            check(nc_put_att_double(file, NC_GLOBAL, name.c_str(), NC_FLOAT, 1, &number));
        int times = 0;
        const int time_dims[] = {time_dim, length_dim};
        check(nc_def_var(file, "Times", NC_CHAR, 2, time_dims, &times));
        std::map<std::string, int> variable_ids;
        for (const auto &[name, variable] : variables) {
            std::vector<int> dims{time_dim};
            for (const auto &d : variable.dimensions) dims.push_back(ids.at(d));
            check(
                nc_def_var(file, name.c_str(), NC_FLOAT, int(dims.size()), dims.data(), &variable_ids[name]));
        }
        check(nc_enddef(file));
        const std::size_t start[] = {0, 0}, count[] = {1, time.size()};
        check(nc_put_vara_text(file, times, start, count, time.data()));
        for (const auto &[name, variable] : variables) put(file, variable_ids[name], variable);
        check(nc_close(file));
        return path;
    }

  private:
    static void check(int status) {
        if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
    }

    void put(int file, int id, const Variable &v) const {
        std::vector<std::size_t> start(v.dimensions.size() + 1), count{1};
        for (const auto &d : v.dimensions) count.push_back(dimensions.at(d));
        const auto size = [&](std::size_t from_end) {
            return v.dimensions.size() >= from_end ? int(count[count.size() - from_end]) : 1;
        };
        std::vector<float> values;
        for (int k = 0; k < size(3); ++k)
            for (int j = 0; j < size(2); ++j)
                for (int i = 0; i < size(1); ++i) values.push_back(float(v.value(k, j, i)));
        check(nc_put_vara_float(file, id, start.data(), count.data(), values.data()));
    }
};

} // namespace squall::testing_support
