#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""The built site as a reader sees it: no dead link; and where Chromium is, on a phone's width no page scrolls sideways,
text has contrast in both themes, also where the system asks for dark, and a search finds the payoff first.

    docs_pages.py SITE

Exit code 77: the site was not built. Without Chromium only links are checked, unless BAILEY_TEST_REQUIRE has "browser".
"""
import html.parser
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

PAGES = ["index.html", "docs/first-steps.html", "docs/payoffs.html", "docs/mlmc.html", "reference/payoffs.html",
         "reference/command-line/price-barrier.html", "reference/python.html"]
SEARCHES = {"barrier": r"reference/payoffs\.html#barrier|reference/command-line/price-barrier\.html",
            "normals": r"docs/|reference/python\.html"}
WIDTH, CONTRAST = 390, 4.5

# Loads each page in a frame as wide as a phone, and writes what it finds into the document, as JSON.
HARNESS = r"""<!DOCTYPE html><body><pre id="found"></pre><script>
const pages = PAGES, searches = SEARCHES, width = WIDTH;
function frame(url, width) {
  return new Promise(done => {
    const f = document.createElement("iframe");
    f.width = width; f.height = 900; f.src = url;
    f.onload = () => setTimeout(() => done(f), 200);
    document.body.append(f);
  });
}
const channels = text => (text.match(/[\d.]+/g) || []).map(Number);
function over(top, bottom) {
  const a = top.length > 3 ? top[3] : 1;
  return [0, 1, 2].map(i => a * top[i] + (1 - a) * bottom[i]);
}
function ground(element, view) {
  const layers = [];
  for (let e = element; e; e = e.parentElement) layers.push(channels(view.getComputedStyle(e).backgroundColor));
  return layers.reverse().reduce((under, layer) => over(layer, under), view.matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]);
}
function luminance(color) {
  const [r, g, b] = color.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function faint(doc, view) {
  const found = {};
  const walker = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement, style = view.getComputedStyle(e);
    if (!walker.currentNode.data.trim() || !e.getClientRects().length || style.visibility == "hidden" ||
        e.closest("script, style, .headerlink, .visually-hidden")) continue;
    const under = ground(e, view), [a, b] = [luminance(over(channels(style.color), under)), luminance(under)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < CONTRAST) found[e.tagName + "." + e.className] = contrast.toFixed(2) + " " + walker.currentNode.data.trim().slice(0, 40);
  }
  return found;
}
(async () => {
  const found = {dark: matchMedia("(prefers-color-scheme: dark)").matches, pages: {}, searches: {}};
  for (const page of pages) {
    const f = await frame("/" + page, width), doc = f.contentDocument, report = {};
    report.width = doc.documentElement.scrollWidth;
    report.toggle = !doc.documentElement.classList.contains("no-js");
    for (const theme of ["auto", "light", "dark"]) {
      doc.body.dataset.theme = theme;
      report[theme] = faint(doc, f.contentWindow);
    }
    found.pages[page] = report;
    f.remove();
  }
  for (const word of searches) {
    const f = await frame("/search.html?q=" + word, 1200);
    for (let i = 0; i < 50 && !f.contentDocument.querySelector(".search-summary, #search-results p"); i++)
      await new Promise(r => setTimeout(r, 200));
    await new Promise(r => setTimeout(r, 1000));
    const links = [...f.contentDocument.querySelectorAll("ul.search li > a")];
    found.searches[word] = links.slice(0, 5).map(a => a.getAttribute("href"));
    f.remove();
  }
  document.getElementById("found").textContent = "@@" + JSON.stringify(found) + "@@";
})();
</script>"""


class Links(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(value for key in ("id", "name") if (value := values.get(key)))
        self.links += [values[key] for key in ("href", "src") if values.get(key) and tag != "link"]


def dead_links(site):
    pages = {path: Links(path.read_text()) for path in site.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            known = pages.get(target)
            if not target.exists() or (url.fragment and known and urllib.parse.unquote(url.fragment) not in known.anchors):
                dead.append(f"FAIL: {path.relative_to(site)} links to {link}, which is not there")
    print(f"{sum(len(page.links) for page in pages.values())} links of {len(pages)} pages")
    return sorted(set(dead))


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/harness":
            return super().do_GET()
        text = HARNESS.replace("PAGES", json.dumps(PAGES)).replace("SEARCHES", json.dumps(list(SEARCHES)))
        body = text.replace("WIDTH", str(WIDTH)).replace("CONTRAST", str(CONTRAST)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def look(browser, site, *options):
    """The findings of the harness."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: Handler(*a, directory=str(site))) as server, \
            tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        printed = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
             "--virtual-time-budget=120000", "--dump-dom", *options, f"http://127.0.0.1:{server.server_address[1]}/harness"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=300).stdout
        server.shutdown()
    match = re.search(r"@@(\{.*\})@@", printed, re.S)
    if not match:
        raise SystemExit("FAIL: the browser reported nothing")
    return json.loads(html.unescape(match[1]))


def judged(found):
    failures = []
    for page, report in found["pages"].items():
        if report["width"] > WIDTH:
            failures.append(f"FAIL: {page} is {report['width']} pixels wide on a screen of {WIDTH}")
        if not report["toggle"]:
            failures.append(f"FAIL: {page}: no script of the theme has run")
        failures += [f"FAIL: {page}, theme {theme}{' on a dark system' if found['dark'] else ''}: contrast of {element}: {what}"
                     for theme in ("auto", "light", "dark") for element, what in report[theme].items()]
    for word, links in found["searches"].items():
        if not links or not re.search(SEARCHES[word], links[0]):
            failures.append(f"FAIL: a search for {word} finds first {links}")
    return failures


def main(site):
    site = pathlib.Path(site).resolve()
    if not (site / "index.html").exists():
        print(f"{site} was not built")
        return 77
    failures = dead_links(site)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser:
        light, dark = look(browser, site), look(browser, site, "--force-dark-mode")
        print(f"{len(PAGES)} pages in {browser}, on a dark system {dark['dark']}; searches: {light['searches']}")
        failures += judged(light) + (judged(dark) if dark["dark"] else [])
    elif "browser" in os.environ.get("BAILEY_TEST_REQUIRE", "").split(","):
        failures.append("FAIL: there is no Chromium")
    else:
        print("no Chromium: pages were ignored")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
