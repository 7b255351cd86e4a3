"""wheel OUTPUT_DIR ARCHIVE_DIR - write the wheel itemfs: the same programs give the same bytes."""

import base64
import hashlib
import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine in the header of an ELF file
EXECUTABLE, PLAIN = 0o100755, 0o100644

METADATA = """\
Metadata-Version: 2.1
Name: itemfs
Version: {version}
Summary: A local DynamoDB for tests and data modelling: server, command line and filesystem
License: MIT
Keywords: dynamodb,dynamodb-local,testing,pytest,single-table-design
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Requires-Python: >=3.9
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: itemfs
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """\
[console_scripts]
itemctl = itemfs._commands:itemctl
itemfs = itemfs._commands:itemfs

[pytest11]
itemfs = itemfs.pytest_plugin
"""


def tag_of(programs):
    """Return the tag: the processor, and the newest version of glibc that a program or library asks for."""
    machine = int.from_bytes(programs["itemfs/bin/itemctl"][18:20], "little")
    if machine not in MACHINES or not programs["itemfs/bin/itemctl"].startswith(b"\x7fELF"):
        sys.exit("wheel.py: bin/itemctl is not a program for x86-64 or AArch64")
    versions = {int(n) for data in programs.values() for n in re.findall(rb"\0GLIBC_2\.(\d+)(?=[\0.])", data)}
    return f"py3-none-manylinux_2_{max(versions)}_{MACHINES[machine]}"


def main(out, archive):
    """Write the wheel and print its path."""
    version = re.search(r"^ *version: '(.*)',", (TOP / "meson.build").read_text(), re.MULTILINE).group(1)
    folders = [pathlib.Path(archive, name) for name in ("bin", "lib")]
    programs = {f"itemfs/{path.relative_to(archive)}": path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}
    tag = tag_of(programs)
    info = f"itemfs-{version}.dist-info"
    files = dict(programs)
    for path in (HERE / "itemfs").iterdir():
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"itemfs/{path.name}"] = path.read_bytes().replace(b'"VERSION"', f'"{version}"'.encode())
    files[f"{info}/LICENSE"] = (TOP / "LICENSE").read_bytes()
    for path in pathlib.Path(archive, "share/doc/itemfs/licences").glob("*"):  # of the libraries
        files[f"{info}/licences/{path.name}"] = path.read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version, readme=(HERE / "README.md").read_text()).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    files[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in sorted(files.items())
    )
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = pathlib.Path(out, f"itemfs-{version}-{tag}.whl")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archived:
        # The metadata comes last, in any order but with RECORD at its end.
        for name in sorted(files, key=lambda name: (name.startswith(info), name.endswith("/RECORD"), name)):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix: the mode counts
            entry.external_attr = (EXECUTABLE if name in programs else PLAIN) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archived.writestr(entry, files[name])
    print(wheel)


if __name__ == "__main__":
    main(*sys.argv[1:])
