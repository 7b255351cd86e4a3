"""references.py ROOT - check that every reference resolves, and that every source file is documented

* Documents that are named (NAME.md) are in the repository, and so are files that documents name. Links lead to documents,
  folders or pictures.
* Every citation has an entry: BEHAVIOUR 2.12, NAMESPACE 4, DECISIONS 3, FORMAT.md section 6, store/DESIGN.md, "Durability", itemfs(1), TIMES.
* Every source file of store, fs and tools is named in the DESIGN.md of its folder, or in its folder's row in a DESIGN.md above. Names in such a row, or
  below a heading "Files", are files.

The name of a document or file without a folder may be in any folder.
"""
import fnmatch
import os
import re
import sys

FOLDERS = ("store", "fs", "tools", "tests", "debian", "packaging")
TEXTS = (".c", ".h", ".def", ".sh", ".py", ".pl", ".md", ".txt", ".test", ".build", ".1", ".8", ".in")
SCRIPTS = (".sh", ".py", ".pl", ".txt", ".test", ".build", ".in")
OTHERS = ("tests/vectors/", "tests/fuzz/corpus/", "tests/references.")
DESCRIPTIONS = ("DESIGN.md", "README.md", "FORMAT.md", "NAMESPACE.md", "BEHAVIOUR.md")
PAGES = {"itemfs": "fs/itemfs.1", "itemctl": "tools/itemctl.1"}

# The number of a behaviour, a list of numbers that may continue on the next line of a comment, and the start of a citation.
NUMBER = r"(?:EX-\d+[a-z]?|[A-E](?:\.\d{1,2})?|\d{1,3}(?:\.\d{1,2}[a-z]?)?)(?![\w.]*\w)"
LIST = NUMBER + r"(?:(?:,\s+(?:[*#] )?| and | to |-)" + NUMBER + ")*"
CITED = re.compile(r"\b(BEHAVIOUR|NAMESPACE|DECISIONS)(?:\.md)?,? (" + LIST + ")")
TITLED = re.compile(r'\b((?:\w+/)*[A-Z]+\.md)(?:(?:,| section)\s+(?:[*#] )?"([^"]+)"| section (\d+))')
PAGED = re.compile(r"\b(itemfs|itemctl)\(1\), ([A-Z][A-Za-z ]+[A-Za-z])")
OTHER_FORM = re.compile(r"\b[Bb]ehaviour (?:list\b|(?:[A-E]|\d+)\.\d)|^== (?:EX-\d|(?:[A-E]|\d+)\.\d)|\b(?:BEHAVIOUR|NAMESPACE)$", re.M)
DOCUMENT = re.compile(r"(?<![\w$}/.-])([\w./-]*\w\.md)\b")
LINK = re.compile(r"\]\(([^)#:]+)\)")
FILE = re.compile(r"(?<![\w$}>/.*-])((?:\.\./)*[\w*][\w./*-]*\.(?:\[ch\]|[ch]|def|sh|py|pl|test))(?![\w.]*\w)")
WORD = re.compile(r"`([\w.][\w./*\[\]-]*)`")


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def walk():
    """return the paths of the repository's files, without those in build folders"""
    found = {name for name in os.listdir(".") if os.path.isfile(name)}
    for top in FOLDERS:
        for folder, _, names in os.walk(top):
            found.update(f"{folder}/{name}" for name in names)
    return found


def each(pattern, text, *words):
    """return the matches of @pattern, each of which contains one of @words: most texts contain none, and are not searched"""
    return pattern.finditer(text) if any(word in text for word in words) else ()


def headings(path):
    if path.endswith(".md"):
        return [re.sub(r"^\d+\. ", "", title) for title in re.findall(r"^#+ (.*)", read(path), re.M)]
    return [title.strip('"').lower() for title in re.findall(r"^\.S[HS] (.*)", read(path), re.M)]


class Repository:
    def __init__(self):
        self.bad = False
        self.files = walk()
        self.names = {os.path.basename(path) for path in self.files}
        self.documents = [path for path in self.files if path.endswith(".md")]
        behaviour = re.findall(r"^\* \*\*(\S+)\*\* ", read("store/BEHAVIOUR.md"), re.M)
        chapters = re.findall(r"^##+ (\w+)\. ", read("store/BEHAVIOUR.md"), re.M)
        self.entries = {
            "BEHAVIOUR": {*behaviour, *chapters},
            "NAMESPACE": set(re.findall(r"^## (\d+)\. ", read("fs/NAMESPACE.md"), re.M)),
            "DECISIONS": set(re.findall(r"^(\d+)\. ", read("store/DECISIONS.md"), re.M)),
        }
        for number in {n for n in behaviour if behaviour.count(n) > 1}:
            self.complain("store/BEHAVIOUR.md", f"two entries {number}")

    def complain(self, where, what):
        self.bad = True
        print(f"{where}: {what}")

    def is_there(self, document, path):
        """does the @path in @document exist: below the root, relative to @document or, without a folder, anywhere?"""
        pattern = path.replace(".[ch]", ".?")
        if "/" not in path:
            return pattern in self.names or bool(fnmatch.filter(self.names, pattern))
        near = os.path.normpath(os.path.join(os.path.dirname(document), pattern))
        return not self.files.isdisjoint((near, pattern)) or any(fnmatch.filter(self.files, p) for p in (near, pattern))

    def check_citations(self, path, text, where):
        for m in each(CITED, text, "BEHAVIOUR", "NAMESPACE", "DECISIONS"):
            for number in re.findall(NUMBER, m[2]):
                if number not in self.entries[m[1]]:
                    self.complain(where(m), f"{m[1]} has no {number}")
        for m in each(TITLED, text, ".md"):
            homes = [d for d in self.documents if d == m[1] or d.endswith("/" + m[1])]
            if m[2] and not any(" ".join(m[2].split()) in headings(d) for d in homes):
                self.complain(where(m), f'{m[1]} has no "{m[2]}"')
            if m[3] and not any(re.search(rf"^## {m[3]}\. ", read(d), re.M) for d in homes):
                self.complain(where(m), f"{m[1]} has no section {m[3]}")
        for m in each(PAGED, text, "(1), "):
            if not any(m[2].lower().startswith(heading) for heading in headings(PAGES[m[1]])):
                self.complain(where(m), f"{m[1]}(1) has no {m[2]}")
        for m in each(OTHER_FORM, text, "ehaviour", "BEHAVIOUR", "NAMESPACE", "\n== "):
            self.complain(where(m), "write BEHAVIOUR 2.12 or NAMESPACE 4, in one line")

    def check_documents(self, path, text, where):
        """scripts create files of their own, so only their comments are checked"""
        for m in each(DOCUMENT, text, ".md"):
            line = text[text.rfind("\n", 0, m.start()) + 1 : m.end()]
            if "://" in line or path.endswith(SCRIPTS) and "#" not in line:
                continue
            if os.path.basename(m[1]) not in self.names or ("/" in m[1] and not path.endswith(SCRIPTS) and not self.is_there(path, m[1])):
                self.complain(where(m), f"{m[1]} is not in the repository")

    def check_named_files(self, path, text, where):
        for m in FILE.finditer(text):
            is_placeholder = os.path.basename(m[1]).split(".")[0].isupper()
            if not is_placeholder and not self.is_there(path, m[1]):
                self.complain(where(m), f"{m[1]} does not exist")
        for m in LINK.finditer(text):
            if not os.path.exists(os.path.join(os.path.dirname(path), m[1])):
                self.complain(where(m), f"{m[1]} does not exist")
            elif os.path.splitext(m[1])[1] not in ("", ".md", ".svg"):
                self.complain(where(m), f"{m[1]} is a link to what packages do not have")

    def check_text(self, path):
        text = read(path)

        def where(m):
            return f"{path}:{text.count(chr(10), 0, m.start()) + 1}"

        self.check_citations(path, text, where)
        self.check_documents(path, text, where)
        if path.endswith(DESCRIPTIONS):
            self.check_named_files(path, text, where)

    def named_by(self, design):
        """yield the paths without suffix that @design names; in a table row whose first cell is a subfolder, files of that subfolder"""
        top = os.path.dirname(design)
        folder, in_files, in_rows = top, False, False
        for n, line in enumerate(read(design).split("\n"), 1):
            row = re.match(r"\| `(\w[\w/]*)` \|", line)
            if line.startswith("#"):
                in_files = line == "## Files"
            if not line.startswith("| "):
                folder, in_rows = top, False
            elif row and os.path.isdir(f"{top}/{row[1]}"):
                folder, in_rows = f"{top}/{row[1]}", True
            files = WORD.findall(line.split("|")[2] if in_rows else line if in_files else "")
            for word in WORD.findall(line):
                stem = re.sub(r"\.(?:\[ch\]|[ch]|def)$", "", word)
                path = stem if stem.startswith("store/") else os.path.normpath(os.path.join(folder, stem))
                if word in files and not fnmatch.filter(self.files, path + ".[chd]*"):
                    self.complain(f"{design}:{n}", f"{word} is not in {folder}")
                yield path

    def check_sources(self):
        named = {path for design in self.documents if design.endswith("/DESIGN.md") for path in self.named_by(design)}
        patterns = re.compile("|".join(fnmatch.translate(path) for path in named if "*" in path) or "(?!)")
        for path in sorted(self.files):
            stem, suffix = os.path.splitext(path)
            if path.startswith(("store/", "fs/", "tools/")) and suffix in (".c", ".h") and "/examples/" not in path:
                if stem not in named and not patterns.match(stem):
                    self.complain(path, "no DESIGN.md names it")


os.chdir(sys.argv[1])
repository = Repository()
for file in sorted(repository.files):
    if file.endswith(TEXTS) and not file.startswith(OTHERS):
        repository.check_text(file)
repository.check_sources()
sys.exit(repository.bad)
