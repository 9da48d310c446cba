/// A small wrfbdy file for tests, to be spoilt at will before it is written.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <netcdf.h>

namespace squall::testing_support {

/// 14 x 12 x 4 cells, records of an hour. Every variable is a function of its 0-based place in the
/// domain, as the file couples it, from which the lines along the sides are cut.
struct FakeBoundary {
    using Function = std::function<double(int record, int k, int j, int i)>;
    struct Variable {
        int nk, stagger_x, stagger_y; ///< nk = 1: no vertical dimension
        Function value, tendency;
    };

    int nx = 14, ny = 12, nz = 4, width = 5;
    std::map<std::string, Variable> variables;
    std::map<std::string, double> numbers{{"DX", 2000}, {"DY", 2000}, {"CEN_LAT", 40}};
    std::map<std::string, std::string> texts; ///< global attributes
    std::string description_of_theta;         ///< of T_BXS
    std::vector<std::string> begins{"2001-02-03_04:00:00", "2001-02-03_05:00:00"};
    std::vector<std::string> ends{"2001-02-03_05:00:00", "2001-02-03_06:00:00"};
    int format = 0;      ///< of netCDF; 0: classic
    std::string missing; ///< a variable to leave out
    std::string short_x; ///< a variable that lacks its last point along the side

    FakeBoundary() {
        const auto none = [](int, int, int, int) { return 0.0; };
        for (const char *name : {"U", "V", "T", "PH", "QVAPOR", "MU"}) {
            const std::string v = name;
            variables[v] = {v == "PH" ? nz + 1 : v == "MU" ? 1 : nz, v == "U", v == "V", none, none};
        }
    }

    std::string write(const std::string &path) const {
        int file = 0, time = 0, length = 0;
        check(nc_create(path.c_str(), NC_CLOBBER | format, &file));
        check(nc_def_dim(file, "Time", NC_UNLIMITED, &time));
        check(nc_def_dim(file, "DateStrLen", 19, &length));
        for (const auto &[name, number] : numbers)
            check(nc_put_att_double(file, NC_GLOBAL, name.c_str(), NC_FLOAT, 1, &number));
        for (const auto &[name, text] : texts)
            check(nc_put_att_text(file, NC_GLOBAL, name.c_str(), text.size(), text.data()));
        const int time_dims[] = {time, length};
        std::vector<int> times(2);
        check(nc_def_var(file, "md___thisbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_", NC_CHAR, 2, time_dims,
                         times.data()));
        check(nc_def_var(file, "md___nextbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_", NC_CHAR, 2, time_dims,
                         times.data() + 1));
        std::map<std::string, int> ids;
        each_strip([&](const std::string &name, const Variable &v, int side, bool) {
            std::vector<int> dims{time, dimension(file, "bdy_width", width)};
            if (v.nk > 1) dims.push_back(dimension(file, "levels", v.nk));
            dims.push_back(dimension(file, "along", along(name, v, side)));
            check(nc_def_var(file, name.c_str(), NC_FLOAT, int(dims.size()), dims.data(), &ids[name]));
        });
        if (!description_of_theta.empty())
            check(nc_put_att_text(file, ids.at("T_BXS"), "description", description_of_theta.size(),
                                  description_of_theta.data()));
        check(nc_enddef(file));
        for (std::size_t r = 0; r < begins.size(); ++r) {
            const std::size_t start[] = {r, 0}, count[] = {1, 19};
            check(nc_put_vara_text(file, times[0], start, count, begins[r].data()));
            check(nc_put_vara_text(file, times[1], start, count, ends[r].data()));
            each_strip([&](const std::string &name, const Variable &v, int side, bool tendency) {
                put(file, ids[name], int(r), name, v, side, tendency);
            });
        }
        check(nc_close(file));
        return path;
    }

  private:
    static void check(int status) {
        if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
    }
    static int dimension(int file, const std::string &name, int size) {
        const std::string full = name + std::to_string(size);
        int id = 0;
        if (nc_inq_dimid(file, full.c_str(), &id) != NC_NOERR)
            check(nc_def_dim(file, full.c_str(), size, &id));
        return id;
    }
    /// Sides: 0 west, 1 east, 2 south, 3 north.
    int along(const std::string &name, const Variable &v, int side) const {
        return (side < 2 ? ny + v.stagger_y : nx + v.stagger_x) - (name == short_x);
    }
    template <class F> void each_strip(F f) const {
        const char *sides[] = {"XS", "XE", "YS", "YE"};
        for (const auto &[name, variable] : variables)
            for (const bool tendency : {false, true})
                for (int side = 0; side < 4; ++side) {
                    const std::string full = name + (tendency ? "_BT" : "_B") + sides[side];
                    if (full != missing) f(full, variable, side, tendency);
                }
    }
    void put(int file, int id, int record, const std::string &name, const Variable &v, int side,
             bool tendency) const {
        const int length = along(name, v, side), ni = nx + v.stagger_x, nj = ny + v.stagger_y;
        std::vector<float> values;
        for (int d = 0; d < width; ++d)
            for (int k = 0; k < v.nk; ++k)
                for (int l = 0; l < length; ++l) {
                    const int i = side == 0 ? d : side == 1 ? ni - 1 - d : l;
                    const int j = side == 2 ? d : side == 3 ? nj - 1 - d : l;
                    values.push_back(float((tendency ? v.tendency : v.value)(record, k, j, i)));
                }
        std::vector<std::size_t> start(v.nk > 1 ? 4 : 3), count{1, std::size_t(width)};
        start[0] = std::size_t(record);
        if (v.nk > 1) count.push_back(std::size_t(v.nk));
        count.push_back(std::size_t(length));
        check(nc_put_vara_float(file, id, start.data(), count.data(), values.data()));
    }
};

} // namespace squall::testing_support
