#!/usr/bin/env python3
"""report_browser.py CHROMIUM PAGE [--shot FILE] - a report in a real browser, headless

At 360 and 1440 px, in both colour schemes: every picture loads, the page is no wider than the window, headings are in order, text
stands out from what is behind it, the skip link comes first by keyboard and shows.  Then it is printed.  A line for each fault;
exit 1 when there is one, 77 when the browser does not start.  --shot takes a picture of the top, 1440 x 940 px, and checks nothing.

The browser is spoken to through its DevTools protocol over a pipe: no port, no network, no package.
"""
import base64
import fcntl
import json
import os
import subprocess
import sys
import tempfile

# all of it is asked in the page at once
LOOK = r"""
(() => {
  const faults = [];
  const root = document.documentElement;
  for (const image of document.images)
    if (!image.complete || image.naturalWidth === 0) faults.push('a picture did not load: ' + image.alt.slice(0, 60));
  const folded = [...document.querySelectorAll('details')];
  const state = folded.map(d => d.open);
  const wide = when => {
    if (root.scrollWidth > innerWidth) {
      const at = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll') &&
        e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3);
      faults.push(when + ': ' + root.scrollWidth + ' px in a window of ' + innerWidth + ': ' +
        at.map(e => e.tagName + '.' + e.className + '#' + e.id).join(', '));
    }
  };
  wide('as it opens');
  folded.forEach(d => d.open = true);
  wide('all unfolded');
  folded.forEach((d, i) => d.open = state[i]);
  let level = 0;
  for (const h of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const n = +h.tagName[1];
    if (n > level + 1) faults.push(h.tagName + ' after h' + level + ': ' + h.textContent.slice(0, 40));
    level = n;
  }
  const numbers = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = c => {
    const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = numbers(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const seen = new Set();
  for (const e of document.querySelectorAll('p, a, h1, h2, h3, th, td, dd, dt, summary, code, caption, figcaption, pre, .badge, .bar span, .place, .reason, .id, .state')) {
    if (!e.textContent.trim() || !e.checkVisibility()) continue;
    const a = light(numbers(getComputedStyle(e).color).slice(0, 3)), b = light(behind(e));
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const name = e.tagName + '.' + e.className;
    if (contrast < 4.5 && !seen.has(name)) {
      seen.add(name);
      faults.push('contrast ' + contrast.toFixed(2) + ' of ' + name);
    }
  }
  const page = light(numbers(getComputedStyle(document.body).backgroundColor));
  if (matchMedia('(prefers-color-scheme: dark)').matches !== page < .2) faults.push('the page does not follow the colour scheme');
  for (const box of document.querySelectorAll('.paper'))
    if (light(behind(box)) < .8) { faults.push('a figure without light paper behind it'); break; }
  return {faults, images: document.images.length};
})()
"""


class Browser:
    def __init__(self, program, folder):
        to_us, theirs_out = os.pipe()
        theirs_in, from_us = os.pipe()
        # the child has them as 3 and 4
        high_in, high_out = fcntl.fcntl(theirs_in, fcntl.F_DUPFD, 20), fcntl.fcntl(theirs_out, fcntl.F_DUPFD, 20)
        os.close(theirs_in)
        os.close(theirs_out)

        def connect():
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.child = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
             "--user-data-dir=" + folder],
            preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(high_in)
        os.close(high_out)
        self.read_end, self.write_end, self.rest, self.number, self.session = to_us, from_us, b"", 0, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise EOFError
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, until=None, **params):
        """The answer; with 'until', also wait for that event behind it."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        answer = None
        while answer is None or until:
            got = self.receive()
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError("%s: %s" % (method, got["error"]))
                answer = got["result"]
            elif got.get("method") == until:
                until = None
        return answer

    def value(self, expression):
        got = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(json.dumps(got["exceptionDetails"])[:400])
        return got["result"].get("value")

    def open(self, path, width, height, scheme):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", until="Page.loadEventFired", url="file://" + os.path.abspath(path))

    def close(self):
        self.child.terminate()
        self.child.wait()


def keyboard(browser):
    """The first key stroke reaches the skip link, which then can be seen."""
    for kind in ("keyDown", "keyUp"):
        browser.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    return browser.value("(() => { const e = document.activeElement, r = e.getBoundingClientRect();"
                         " return e.className === 'skip' && r.top >= 0 && r.bottom <= innerHeight &&"
                         " getComputedStyle(e).outlineStyle !== 'none'; })()")


def look(browser, path):
    faults = []
    for width in (360, 1440):
        for scheme in ("light", "dark"):
            browser.open(path, width, 900, scheme)
            found = browser.value(LOOK)
            faults += ["%d px, %s: %s" % (width, scheme, f) for f in found["faults"]]
            if not keyboard(browser):
                faults.append("%d px, %s: the skip link is not what the first Tab shows" % (width, scheme))
    pdf = base64.b64decode(browser.ask("Page.printToPDF", printBackground=True)["data"])
    if not pdf.startswith(b"%PDF"):
        faults.append("it cannot be printed")
    print("looked at %d pictures" % found["images"])
    return faults


def main():
    program, path = sys.argv[1:3]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            browser = Browser(program, folder)
        except (OSError, EOFError):
            print("%s does not start" % program)
            return 77
        try:
            if "--shot" in sys.argv:
                browser.open(path, 1440, 940, "light")
                shot = browser.ask("Page.captureScreenshot", format="png")["data"]
                with open(sys.argv[sys.argv.index("--shot") + 1], "wb") as file:
                    file.write(base64.b64decode(shot))
                return 0
            faults = look(browser, path)
        finally:
            browser.close()
    for fault in faults[:30]:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
