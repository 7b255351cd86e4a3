"""rooms.py ROOT BUILD - the rooms of rooms.txt and their files

* Each folder of a layer that has rooms is one of them. No folder has more than 42 files, and no file more than 500 lines.
* No function is defined in two files, and no two folders have files of one name.
* No file includes a header of a later room, and none uses a symbol of one: the objects in BUILD tell, see nm(1).
* A file that uses another file's function includes the header that declares it, but for those of BASE, see base.h.
"""
import json
import os
import re
import subprocess
import sys

MOST_FILES = 42
MOST_LINES = 500
SOURCES = (".c", ".h", ".def")
BASE = {f"store/base/core/{name}.h" for name in ("arena", "buf", "call", "cleanup", "error", "mem", "slice")}


class Rooms:
    def __init__(self, path):
        self.layers = []
        self.rank = {}  # of a folder among those of its layer
        self.included = {}  # the headers of a file
        self.bad = False
        with open(path, encoding="utf-8") as f:
            for words in (line.split() for line in f):
                if not words or words[0].startswith("#"):
                    continue
                self.layers.append(words[0])
                for rank, room in enumerate(words[1:]):
                    self.rank[os.path.normpath(f"{words[0]}/{room}")] = rank

    def complain(self, text):
        self.bad = True
        print(text)

    def layer(self, path):
        return next((layer for layer in self.layers if path.startswith(layer + "/")), None)

    def check_use(self, path, target, what):
        """@path uses @what, which is in the file @target"""
        mine, other = os.path.dirname(path), os.path.dirname(target)
        if self.layer(path) == self.layer(target) and self.rank.get(mine, 0) < self.rank.get(other, 0):
            self.complain(f"{path} uses {what} of {other}, which is a later room")

    def check_folders(self, paths):
        for folder in sorted({os.path.dirname(path) for path in paths}):
            n = sum(os.path.dirname(path) == folder for path in paths)
            if self.layer(folder + "/") and folder not in self.rank:
                self.complain(f"{folder} is no room of tests/rooms.txt")
            if n > MOST_FILES:
                self.complain(f"{folder} has {n} files; a folder has at most {MOST_FILES}")
        for room in self.rank:
            if not any(os.path.dirname(path) == room for path in paths):
                self.complain(f"{room} of tests/rooms.txt has no files")

    def check_lines(self, paths):
        for path in paths:
            with open(path, encoding="utf-8") as f:
                n = sum(1 for _ in f)
            if n > MOST_LINES:
                self.complain(f"{path} has {n} lines; a file has at most {MOST_LINES}")

    def check_names(self, paths):
        """a function's name stands at the beginning of a line, and the line before has its type"""
        owner, folders = {}, {}
        for path in paths:
            stem = os.path.splitext(os.path.basename(path))[0]
            if folders.setdefault(stem, os.path.dirname(path)) != os.path.dirname(path):
                self.complain(f"{path} and a file in {folders[stem]} have one name")
            if not path.endswith(".c"):
                continue
            with open(path, encoding="utf-8") as f:
                for name in re.findall(r"^[a-z].*[\w*]\n([a-z_]\w*)\([^;{]*\)\n\{$", f.read(), re.M):
                    if name != "main" and owner.setdefault(name, path) != path:
                        self.complain(f"{name}() is defined in {owner[name]} and {path}")

    def check_includes(self, paths):
        for path in paths:
            with open(path, encoding="utf-8") as f:
                for header in re.findall(r'^#include "(.*)"', f.read(), re.M):
                    self.check_use(path, header, header)

    @staticmethod
    def declarations(paths):
        """from a name to the headers that it stands in before "(", "[", "," "=" or ";": those may declare it"""
        found = {}
        for path in paths:
            if path.endswith(".h"):
                with open(path, encoding="utf-8") as f:
                    code = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
                for name in re.findall(r"\b([a-z_]\w*)\s*[(\[;,=]", code):
                    found.setdefault(name, set()).add(path)
        return found

    def check_declared(self, path, symbol, headers):
        """what a macro declares has no header here"""
        if path not in self.included:
            with open(path, encoding="utf-8") as f:
                self.included[path] = set(re.findall(r'^#include "(.*)"', f.read(), re.M))
        if headers and not headers & BASE and not headers & self.included[path]:
            self.complain(f"{path} uses {symbol}() without including {' or '.join(sorted(headers))}")

    def check_symbols(self, paths, objects):
        """@objects: from a source's path to its object's"""
        if not objects:
            self.complain("there are no objects: build first")
        owner, uses = {}, []
        for path, name in objects.items():
            for line in subprocess.run(["nm", name], capture_output=True, text=True, check=True).stdout.splitlines():
                *_, kind, symbol = line.split()
                if kind == "U":
                    uses.append((path, symbol))
                elif kind in "BCDRTVW":
                    owner[symbol] = path
        headers = self.declarations(paths)
        for path, symbol in uses:
            if symbol in owner:
                self.check_use(path, owner[symbol], symbol)
                self.check_declared(path, symbol, headers.get(symbol, set()))


def objects_of(root, build, rooms):
    """the objects that @build has of the sources of rooms"""
    found = {}
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        for command in json.load(f):
            source = os.path.relpath(os.path.join(command["directory"], command["file"]), root)
            output = os.path.join(command["directory"], command["output"])
            if source.startswith(("store/", "fs/", "tools/")) and os.path.exists(output):
                found[source] = output
    return found


os.chdir(sys.argv[1])
rooms = Rooms("tests/rooms.txt")
paths = sorted(
    f"{folder}/{name}"
    for top in ("store", "fs", "tools")
    for folder, _, names in os.walk(top)
    if not folder.startswith("tools/examples")
    for name in names
    if name.endswith(SOURCES)
)
rooms.check_folders(paths)
rooms.check_lines(paths)
rooms.check_names(paths)
rooms.check_includes(paths)
rooms.check_symbols(paths, objects_of(os.getcwd(), sys.argv[2], rooms))
sys.exit(rooms.bad)
