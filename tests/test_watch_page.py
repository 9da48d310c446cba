"""The page of `squall watch`, in a browser: it shows what the files say, and can be used."""

import io
import re
import shutil
from urllib.parse import urlsplit

import netCDF4
import numpy as np
import pytest

pytest.importorskip("starlette", reason="the page needs the extra watch")
from PIL import Image

import watch_speed
from browser import browser
from shown import AT, at_rest, differing, pixels, place, reading, truth, view, wait_for
from squall import diagnose
from squall.plot import style
from squall.reader.dataset import open_run
from watched import SECONDS, Tunnel, publish, serving, write_earth, write_nest, write_stations

pytestmark = pytest.mark.regression

DRAWN = ".map[data-drawn]:not([data-drawn=''])"
QUIET = "c=&wind=off"  # a map with nothing over the field
MS = 1000 * SECONDS


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All frames that the runs of this module get, one after another."""
    return write_earth(tmp_path_factory.mktemp("watch") / "made", [3600 * k for k in range(4)])


@pytest.fixture(scope="module")
def earth(made):
    run = made.parent / "earth"
    run.mkdir()
    for k in range(3):
        publish(run, made, 3600 * k)
    return run


@pytest.fixture(scope="module")
def address(earth):
    with serving(earth) as address:
        yield address


@pytest.fixture(scope="module")
def chromium():
    with browser() as started:
        yield started


@pytest.fixture
def opened(chromium):
    """Opens pages; at the end none may have complained."""
    contexts, said = [], []

    def opens(address, view="", **how):
        context = chromium.new_context(**{"viewport": {"width": 1200, "height": 760}} | how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(MS)
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{address}#{view}" if view else address)
        page.locator(DRAWN).first.wait_for()
        return page

    yield opens
    for context in contexts:
        context.close()
    assert not said


def test_the_value_under_the_pointer_and_its_colour_are_those_of_the_file(opened, address, earth):
    page = opened(address, f"{view('temperature', '850 hPa')}&{QUIET}&{AT}&t=3600")
    wanted = truth(earth, 1, "temperature", "850 hPa") - 273.15
    shown = [truth(earth, k, "temperature", "850 hPa") - 273.15 for k in range(3)]
    scale = style.celsius(np.concatenate(shown))
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    right = 0
    cells = [(5, 5), (12, 20), (20, 9), (33, 25), (37, 3), (8, 14)]
    for i, j in cells:
        value, text = reading(page, i, j)
        assert value == pytest.approx(wanted[j, i], abs=0.006), text
        assert text.endswith("°C")
        band = int(np.searchsorted(scale.levels, wanted[j, i], side="right")) - 1
        pixel = np.array(picture.getpixel(tuple(map(round, place(page, i, j)))))
        right += bool(np.abs(pixel - 255 * np.array(scale.colour(band))).max() < 3)
    assert right >= len(cells) - 2  # coasts and borders go through some of them
    assert "N" in page.locator(".reading span").inner_text()


def test_a_run_is_followed_to_its_end_and_when_it_goes_on(opened, made, tmp_path):
    run = tmp_path / "live"
    run.mkdir()
    with serving(run) as address:
        publish(run, made, 0)
        page = opened(address, f"{view('temperature', '0')}&{QUIET}&{AT}")
        time = page.locator(".title time")
        first = time.inner_text()
        publish(run, made, 3600)
        page.locator(".title time", has_text="01:00").wait_for()
        assert time.inner_text() != first
        page.get_by_role("button", name="Previous frame").click()
        page.locator(".title time", has_text="00:00").wait_for()
        publish(run, made, 7200)
        page.locator(".status", has_text="3 frames").wait_for()
        assert "00:00" in time.inner_text()  # who looks back is not disturbed
        page.get_by_role("button", name="Newest").click()
        (run / "io-report.json").write_text("{}")
        publish(run, made, 7200)  # it goes on from a restart, and writes a frame again
        publish(run, made, 10800)
        page.locator(".title time", has_text="03:00").wait_for()
        page.locator(".map[data-drawn*=',10800,']").first.wait_for()  # until then the frame before stays
        value, text = reading(page, 20, 15)
        assert value == pytest.approx(truth(run, 3, "temperature")[15, 20] - 273.15, abs=0.006), text
        page.context.close()  # before the server, whose absence it would complain of


@pytest.mark.long
def test_a_tunnel_that_breaks_is_waited_for_and_what_came_meanwhile_is_shown(chromium, made, tmp_path):
    run = tmp_path / "far"
    run.mkdir()
    publish(run, made, 0)
    with serving(run) as address, chromium.new_context() as context:
        parts = urlsplit(address)
        tunnel = Tunnel(parts.port)
        page = context.new_page()
        page.set_default_timeout(MS)
        page.goto(parts._replace(netloc=f"localhost:{tunnel.port}", fragment=view("theta", "0")).geturl())
        page.locator(DRAWN).first.wait_for()
        tunnel.cut()
        page.locator(".status", has_text="Connecting").wait_for()
        publish(run, made, 3600)
        tunnel.mend()
        page.locator(".title time", has_text="01:00").wait_for()
        page.locator(".map[data-drawn*=',3600,']").first.wait_for()
        assert page.locator(".status", has_text="2 frames").is_visible()
        tunnel.cut()


def test_it_can_be_used_by_keyboard(opened, address):
    page = opened(address, f"{view('temperature', '0')}&{QUIET}")
    time = page.locator(".title time")
    page.keyboard.press(",")
    page.locator(".title time", has_text="01:00").wait_for()
    page.keyboard.press("Home")
    page.locator(".title time", has_text="00:00").wait_for()
    page.keyboard.press("l")
    page.locator(".title time", has_text="02:00").wait_for()
    page.keyboard.press("]")
    page.locator(".title h2", has_text="layer 2").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("wind speed 10")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".title h2", has_text="Wind speed at 10 m").wait_for()
    page.locator(".map").focus()
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("at="))
    page.keyboard.press("Enter")
    page.get_by_role("complementary", name="Point").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("complementary", name="Point").wait_for(state="detached")
    page.locator(".map").focus()
    page.keyboard.press("0")
    page.wait_for_url(re.compile(r"^((?!at=).)*$"))
    page.get_by_role("button", name="Play").press("Enter")
    page.get_by_role("button", name="Pause").wait_for()
    page.locator(".title time", has_text="01:00").wait_for()
    assert time.count() == 1


def test_a_click_gives_a_sounding_and_a_series(opened, address, earth):
    page = opened(address, f"{view('temperature', '0')}&{QUIET}&{AT}")
    page.mouse.click(*place(page, 12, 8))
    panel = page.get_by_role("complementary", name="Point")
    panel.locator(".skewt path.warm").wait_for()
    panel.locator(".chart canvas").wait_for()
    wanted = truth(earth, 2, "temperature")[8, 12] - 273.15
    now = panel.locator(".now").inner_text().replace("−", "-")
    assert float(now.split()[0]) == pytest.approx(wanted, abs=0.06)
    assert panel.locator(".parcels tbody tr").count() == 3


def test_a_line_gives_a_section(opened, address):
    page = opened(address, f"{view('theta', '0')}&{QUIET}&{AT}&panel=section")
    page.get_by_role("button", name="Draw a line").click()
    page.mouse.move(*place(page, 4, 6))
    page.mouse.down()
    page.mouse.move(*place(page, 20, 15), steps=3)
    page.mouse.move(*place(page, 34, 24), steps=3)
    page.mouse.up()
    cut = page.locator(".cut canvas[data-columns='31']")
    cut.wait_for()
    cut.hover(position={"x": 200, "y": 120})
    page.locator(".drawer .hint", has_text="K at").wait_for()


def test_a_link_shows_the_same_again(opened, address):
    page = opened(address, f"{view('theta', '3')}&c=sea_level_pressure&wind=barbs&{AT}&t=3600")
    page.get_by_label("A second map beside it").check()
    page.get_by_label("Their difference").check()
    page.locator(DRAWN).nth(2).wait_for()
    page.wait_for_url(re.compile("d=1"))
    again = opened(address, page.url.partition("#")[2])
    again.locator(DRAWN).nth(2).wait_for()
    assert again.locator(".title h2").all_inner_texts() == page.locator(".title h2").all_inner_texts()
    assert again.locator(".title time").first.inner_text() == page.locator(".title time").first.inner_text()
    assert again.get_by_role("button", name="Barbs").get_attribute("aria-pressed") == "true"
    assert again.url.partition("#")[2] == page.url.partition("#")[2]


def test_a_difference_is_point_by_point(opened, address, earth):
    second = "w=0~history~1~theta~1~~&d=1"
    page = opened(address, f"{view('theta', '4')}&{second}&{QUIET}&at=600,450,0.25")
    page.locator(DRAWN).nth(2).wait_for()
    box = page.locator(".map").nth(2).bounding_box()
    i, j = 21, 16
    x, y = ((i + 0.5) * 30 - 600) / 4, ((j + 0.5) * 30 - 450) / 4
    page.mouse.move(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 - y)
    text = page.locator(".reading").nth(2).get_attribute("data-value")
    wanted = truth(earth, 2, "theta", "4")[j, i] - truth(earth, 2, "theta", "1")[j, i]
    assert float(text.split()[0].replace("−", "-")) == pytest.approx(wanted, rel=2e-3)


@pytest.mark.long
def test_the_difference_of_two_runs_is_that_of_their_files(opened, earth, tmp_path):
    other = shutil.copytree(earth, tmp_path / "warmer")
    for file in other.glob("history_*.nc"):
        with netCDF4.Dataset(file, "a") as data:
            data["T"][:] += 2.5
    with serving(earth, other) as address:
        page = opened(address, f"{view('theta', '2')}&w=1~history~1~theta~2~~&d=1&{QUIET}&at=600,450,0.25")
        page.locator(DRAWN).nth(2).wait_for()
        titles = [title.inner_text() for title in page.locator(".title").all()]
        assert "earth" in titles[0]
        assert "warmer" in titles[1]
        box = page.locator(".map").nth(2).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        text = page.locator(".reading").nth(2).get_attribute("data-value")
        assert float(text.split()[0].replace("−", "-")) == pytest.approx(-2.5, rel=2e-3)
        page.context.close()


@pytest.mark.long
def test_contours_barbs_and_moving_air_are_drawn_over_the_field(opened, address):
    page = opened(address, f"{view('theta', '3')}&{QUIET}&{AT}&t=3600")

    def show(over):
        page.evaluate("(hash) => { location.hash = hash; }", f"{view('theta', '3')}&{over}&{AT}&t=3600")

    plain = at_rest(page)
    for over, moves in (
        ("c=sea_level_pressure&wind=off", False), ("c=&wind=barbs", False), ("c=&wind=flow", True),
    ):  # fmt: skip
        show(over)
        wait_for(lambda: differing(plain, pixels(page)) > 0.003)
        if moves:
            shown = pixels(page)
            wait_for(lambda before=shown: differing(before, pixels(page)) > 0.001)
        else:
            shown = at_rest(page)
        assert 0.003 < differing(plain, shown) < 0.6, over
        show(QUIET)
        wait_for(lambda: differing(plain, pixels(page)) < 0.003)


def test_a_nest_is_drawn_in_its_parent(opened, tmp_path):
    run = write_earth(tmp_path / "nested", [0])
    write_nest(run, [0])
    with serving(run) as address:
        page = opened(address, f"{view('theta', '0')}&{QUIET}&{AT}")
        page.mouse.move(*place(page, 14, 12))  # a point of the nest, too: its 13th and 13th
        value, _ = reading(page, 14, 12)
        nest = diagnose.field(open_run(run, 2).isel(Time=0), "theta").values[0]
        parent = diagnose.field(open_run(run).isel(Time=0), "theta").values[0]
        assert value == pytest.approx(nest[13, 13], abs=0.06)
        assert abs(nest[13, 13] - parent[12, 14]) > 1
        page.get_by_label("Nests in their parent").uncheck()
        page.locator(DRAWN).first.wait_for()
        value, _ = reading(page, 14, 12)
        assert value == pytest.approx(parent[12, 14], abs=0.06)
        page.context.close()


@pytest.mark.long
def test_a_large_domain_sends_two_megabytes_for_a_picture_at_most_and_is_moved_cheaply(chromium, tmp_path):
    found = watch_speed.panning(chromium, watch_speed.write_large(tmp_path / "large"), 1)
    assert 100_000 < found["first_bytes"] <= 2_000_000  # as many as the screen has pixels, nearly
    assert found["later_bytes"] <= 2_000_000
    assert found["script_ms"] < 4  # moving the map is moving what was drawn of it


@pytest.mark.long
def test_a_nest_of_other_times_shows_its_last_frame_until_then_and_says_so(opened, tmp_path):
    run = write_earth(tmp_path / "nested", [0, 3600, 7200])
    write_nest(run, [1800, 5400, 7200])
    with serving(run) as address:
        page = opened(address, f"{view('theta', '0')}&{QUIET}&{AT}&t=0")
        parent, nest = (diagnose.field(open_run(run, domain), "theta") for domain in (1, 2))
        # The slider has the times of both. Frames of the parent and of the nest, what is said of the nest:
        steps = ((0, None, None), (0, 0, "00:30"), (1, 0, "00:30"), (1, 1, "01:30"), (2, 2, None))
        for number, (index, frame, said) in enumerate(steps):
            if number:
                page.get_by_role("button", name="Next frame").click()
            inner = "" if frame is None else f",{(1800, 5400, 7200)[frame]}"
            page.locator(f".map[data-drawn*=',{3600 * index},0{inner}]']").first.wait_for()
            value, _ = reading(page, 14, 12)
            shown = parent.values[index, 0, 12, 14] if frame is None else nest.values[frame, 0, 13, 13]
            assert value == pytest.approx(shown, abs=0.06)
            told = page.locator(".title .nest")
            assert told.count() == (said is not None)
            if said:
                assert said in told.inner_text()
                assert told.inner_text().startswith("Domain 2")
        assert page.get_by_role("button", name="Next frame").is_disabled()
        page.context.close()


@pytest.mark.long
def test_stations_are_on_the_map_and_a_click_shows_how_their_fields_went(opened, made, tmp_path):
    run = tmp_path / "towns"
    run.mkdir()
    for k in range(3):
        publish(run, made, 3600 * k)
    write_stations(run, [1800 * k for k in range(5)])
    with serving(run) as address:
        page = opened(address, f"{view('theta', '0')}&{QUIET}&{AT}&t=3600")
        x, y = place(page, 8, 9)
        page.mouse.click(x + 4, y - 5)  # near enough
        heading = page.locator(".drawer h3.station")
        heading.wait_for()
        assert heading.inner_text().split() == ["Amarillo", "towns"]
        pressure = page.get_by_role("heading", name=re.compile("Surface pressure.*"))
        assert pressure.locator("b").inner_text() == "988.0 hPa"  # at 01:00: 1e5 - 1000 - 200 Pa
        assert page.get_by_role("heading", name="Gust 12.50 m s⁻¹").is_visible()
        page.get_by_role("button", name="Nashville").click()  # without the map
        page.locator(".drawer h3.station", has_text="Nashville").wait_for()
        assert pressure.locator("b").inner_text() == "998.0 hPa"
        page.wait_for_url("**s=towns~0**")
        page.mouse.click(*place(page, 20, 15))
        page.locator(".drawer .place", has_text="N").wait_for()
        assert page.locator(".drawer h3.station").count() == 0
        page.context.close()


def test_a_picture_can_be_saved(opened, address):
    page = opened(address, f"{view('temperature', '0')}&{AT}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as PNG").click()
    assert download.value.suggested_filename == "earth-temperature-7200.png"
    picture = Image.open(download.value.path())
    box = page.locator(".map").bounding_box()
    assert picture.size[0] == round(box["width"])
    assert picture.size[1] > box["height"] + 100  # title and colour bar
    pixels = np.array(picture.convert("RGB"))[62:-66].reshape(-1, 3)
    assert len(np.unique(pixels, axis=0)) > 20


@pytest.mark.parametrize(
    "how",
    [{"color_scheme": "light"}, {"color_scheme": "dark"},
     {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}],
    ids=["light", "dark", "phone"],
)  # fmt: skip
def test_it_can_be_read_by_all(opened, address, npm_modules, how):
    page = opened(address, f"{view('temperature', '0')}&{AT}&panel=point&p=400,300", bypass_csp=True, **how)
    page.locator(".skewt path.warm").wait_for()
    page.evaluate((npm_modules / "axe-core" / "axe.min.js").read_text())
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]] == []
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide
