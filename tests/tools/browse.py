"""browse.py - control a real browser, with scripts of pages disabled, over the pipe of its debugging protocol.

  browse.py BROWSER FOLDER <STEPS      each step is a line: a word, and its operand

    width N         set the width of the window, in pixels
    open URL        open it, and wait for its load
    fill NAME TEXT  set the field of that name in the page's last form that has one
    send            submit the form of that field, as its button does, and wait for the load
    key NAME        press and release a key: Tab, or Enter, which submits a form
    show JS         print the value of an expression, as a line of text
    sideways        print elements that extend beyond the window or scroll sideways, except boxes of tables; none is correct
    shot FILE       write a picture of the window

No step waits for a time: a load is an event.
"""
import base64
import json
import os
import subprocess
import sys

SIDEWAYS = """(() => {
  const wide = document.documentElement.clientWidth, out = [];
  if (document.documentElement.scrollWidth > wide) out.push('page ' + document.documentElement.scrollWidth);
  for (const e of document.body.querySelectorAll('*')) {
    if (e.parentElement.closest('.box')) continue;
    const place = e.getBoundingClientRect();
    const scrolls = e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX);
    if (place.width > 0 && (place.right > wide + 1 || place.left < -1)) out.push(e.tagName + ' ' + Math.round(place.right));
    else if (scrolls && !e.classList.contains('box')) out.push(e.tagName + ' scrolls');
  }
  return out.join(', ');
})()"""

FIELD = "[...document.querySelectorAll('form [name=' + JSON.stringify(%s) + ']')].pop()"


class Browser:
    def __init__(self, program, folder):
        to_it, self.out = os.pipe()
        self.into, from_it = os.pipe()
        # The browser reads from 3 and writes to 4.
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (to_it, from_it), "sh", program, "--no-sandbox", "--disable-gpu", "--headless",
             "--user-data-dir=" + folder, "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_it, from_it), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        self.rest = b""
        self.number = 0
        self.loads = 0
        self.session = None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Emulation.setScriptExecutionDisabled", value=True)

    def read(self):
        while b"\0" not in self.rest:
            more = os.read(self.into, 1 << 16)
            if not more:
                sys.exit("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        answer = json.loads(text)
        self.loads += answer.get("method") == "Page.loadEventFired"
        return answer

    def ask(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        text = json.dumps(request).encode() + b"\0"
        while text:
            text = text[os.write(self.out, text):]
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit("%s: %s" % (method, answer["error"]))
                return answer["result"]

    def load(self, method, **params):
        """Call something that makes the browser load a page."""
        self.loads = 0
        result = self.ask(method, **params)
        if result.get("errorText") or "exceptionDetails" in result:
            sys.exit("%s: %s" % (params, result))
        while self.loads == 0:
            self.read()

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit("%s: %s" % (expression, result["exceptionDetails"]))
        return result["result"].get("value", "")

    def key(self, name):
        keys = {"Tab": (9, ""), "Enter": (13, "\r")}
        code, text = keys[name]
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                     text=text if kind == "keyDown" else "")


def step(browser, word, rest):
    if word == "width":
        browser.ask("Emulation.setDeviceMetricsOverride", width=int(rest), height=900, deviceScaleFactor=1, mobile=False)
    elif word == "open":
        browser.load("Page.navigate", url=rest)
    elif word == "fill":
        name, _, text = rest.partition(" ")
        browser.value("(e => { e.value = %s; e.focus(); return ''; })(%s)" % (json.dumps(text), FIELD % json.dumps(name)))
    elif word == "send":
        browser.load("Runtime.evaluate", expression="document.activeElement.form.requestSubmit()")
    elif word == "key":
        browser.loads = 0
        browser.key(rest)
        while rest == "Enter" and browser.loads == 0:
            browser.read()
    elif word == "show":
        print(browser.value(rest))
    elif word == "sideways":
        print(browser.value(SIDEWAYS))
    elif word == "shot":
        with open(rest, "wb") as file:
            file.write(base64.b64decode(browser.ask("Page.captureScreenshot")["data"]))
    else:
        sys.exit("no step " + word)


def main():
    browser = Browser(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word:
            step(browser, word, rest)
    browser.session = None
    browser.ask("Browser.close")
    browser.process.wait()


main()
