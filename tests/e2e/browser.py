"""A page as a real browser shows it: its document, what the console said, what it wanted from the network, a picture."""
import html
import json
import os
import re
import shutil
import subprocess

from client import Skipped
from project import ROOT

# The first is the one that .ci/run installs.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "a Chromium (Debian: apt-get install chromium-headless-shell)"


def program():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    def __init__(self, box, path, name, width=1280, height=2000, dark=False):
        chromium = program()
        if not chromium:
            raise Skipped("needs " + MISSING)
        pictures = os.path.join(ROOT, "target/e2e")
        os.makedirs(pictures, exist_ok=True)
        self.picture = os.path.join(pictures, "%s-%s-%d%s.png" % (name, box.version, width, "-dark" if dark else ""))
        if os.path.exists(self.picture):
            os.remove(self.picture)
        network = os.path.join(box.temporary, "network.json")
        ended = subprocess.run(
            # Without its sandbox, which root cannot have; nothing but our own page is opened, and nothing is resolved.
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--user-data-dir=" + os.path.join(box.temporary, "browser"), "--window-size=%d,%d" % (width, height),
             "--blink-settings=preferredColorScheme=%d" % (0 if dark else 1), "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--log-net-log=" + network,
             "--screenshot=" + self.picture, "--dump-dom", "file://" + path],
            env=box.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        box.output += "\n$ %s %s\n%s" % (os.path.basename(chromium), path, ended.stderr[-3000:])
        assert ended.returncode == 0 and os.path.getsize(self.picture) > 5000, ended.stderr[-3000:]
        self.document = ended.stdout
        self.console = re.findall(r":CONSOLE:.*", ended.stderr)
        with open(network) as log:
            events = json.load(log)["events"]
        self.requests = sorted({event["params"]["url"] for event in events if "url" in event.get("params", {})})

    @property
    def title(self):
        return self.texts("title")[0]

    def texts(self, tag):
        """What stands in each element of that name, without the marks in it."""
        found = re.findall(r"<%s\b[^>]*>(.*?)</%s>" % (tag, tag), self.document, re.S)
        return [" ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split()) for text in found]
