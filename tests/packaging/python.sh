#!/bin/bash
# The wheel: built twice, installed without an index, and used by programs, commands and pytest.
. "$(dirname "$0")/lib.sh"
here python3 || exit 77
export PIP_NO_INDEX=yes PIP_NO_CACHE_DIR=yes PIP_DISABLE_PIP_VERSION_CHECK=yes
for python in /usr/bin/python3 python3; do
	! command -v $python >/dev/null || break
done

archive one
cp -r one two
touch -d 2001-01-01 two/bin/*
for n in one two; do
	ok sh "$SOURCE/packaging/python/build.sh" out-$n $n
done
same 'the same programs give the same wheel' out-one out-two
wheel=$(ls out-one)
case $wheel in
itemfs-*-py3-none-manylinux_2_[0-9][0-9]_"$(uname -m)".whl) ;;
*) fail "$wheel" ;;
esac
ok python3 - "out-one/$wheel" <<'END'
import base64, hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = wheel.namelist()
    *lines, last = wheel.read(names[-1]).decode().splitlines()
    assert last == names[-1] + ",,", last
    for line in lines:
        name, digest, size = line.split(",")
        data = wheel.read(name)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), name
        assert int(size) == len(data), name
    assert sorted(line.split(",")[0] for line in lines) == sorted(names[:-1])
    assert [wheel.read(name) for name in names if name.endswith("/licences/libname1")] == [b"of a library\n"]
END
mkdir -p script/bin
echo '#!/bin/sh' >script/bin/itemctl
gives 1 'wheel.py: bin/itemctl is not a program for x86-64 or AArch64' sh "$SOURCE/packaging/python/build.sh" out script
gives 2 'usage: sh packaging/python/build.sh DIR [ARCHIVE_DIR]' sh "$SOURCE/packaging/python/build.sh"
mkdir out-three
in_folder out-three one
ok sh "$SOURCE/packaging/python/build.sh" out-three
rm out-three/*.tar.gz # also of another version, which is not used
same 'an archive may be in the folder' out-one out-three

ok $python -m venv --system-site-packages venv
ok venv/bin/pip install --no-deps "out-one/$wheel"
PATH=$W/venv/bin:$PATH

# ---- the module
shown serve "$SOURCE/packaging/python/README.md" >example.py
ok python example.py
eq 'the example of the README' "$(sed 's/[0-9]\{4,\}/PORT/g' <<<"$out")" "http://127.0.0.1:PORT
{'AWS_ENDPOINT_URL_DYNAMODB': 'http://127.0.0.1:PORT', 'AWS_ENDPOINT_URL_DYNAMODB_STREAMS': 'http://127.0.0.1:PORT', 'AWS_ACCESS_KEY_ID': 'local', 'AWS_SECRET_ACCESS_KEY': 'local', 'AWS_REGION': 'us-east-1', 'AWS_DEFAULT_REGION': 'us-east-1'}"
ok closed "$(sed -n '1s/.*://p' <<<"$out")"

table_and_item
cat >module.py <<'END'
import decimal, json, os, pathlib, subprocess
import itemfs

def ctl(db, *words):
    return subprocess.check_output([itemfs.program("itemctl"), "-s", db.endpoint, *words], text=True).strip()

def rows(db):
    return sorted(ctl(db, "scan", "tab", "--format", "jsonl").split("\n"))

table = json.loads(pathlib.Path("table.json").read_text())
items = {"tab": [{"PK": "plain", "n": decimal.Decimal("1.50"), "list": [True, None]}, {"PK": {"S": "typed"}, "set": {"SS": ["x"]}}]}
with itemfs.serve(["tab.jsonl", items], table) as db:
    print(rows(db))
    items["tab"].append({"PK": "later"})
    os.chdir("/")
    ctl(db, "put", "tab", '{"PK":"new"}')
    ctl(db, "create-table", "other", "--key", "PK")
    db.reset()
    print(rows(db), len(ctl(db, "tables", "--format", "csv").split("\n")))
    os.chdir(os.environ["HOME"])
    second = itemfs.serve(tables=pathlib.Path("table.json"))
    print(second.port != db.port, rows(second))
    try:
        itemfs.serve(port=db.port)
    except itemfs.Error as error:
        print(str(error).split(";")[0].replace(str(db.port), "PORT"))
    db.stop()
with itemfs.serve(port=db.port) as again:
    print(again.endpoint == db.endpoint)
second.stop()
END
mkdir seeds
ok env TMPDIR="$PWD/seeds" python module.py
eq 'seeds, reset, ports' "$out" "['{\"PK\":\"of a file\"}', '{\"PK\":\"plain\",\"n\":1.5,\"list\":[true,null]}', '{\"PK\":\"typed\",\"set\":{\"SS\":[\"x\"]}}']
['{\"PK\":\"of a file\"}', '{\"PK\":\"plain\",\"n\":1.5,\"list\":[true,null]}', '{\"PK\":\"typed\",\"set\":{\"SS\":[\"x\"]}}'] 2
True ['']
itemctl: cannot listen on 127.0.0.1:PORT: Address already in use
True"

cat >refused.py <<'END'
import decimal, re
import itemfs
bad = [{"seed": "absent.json"}, {"seed": {"tab": [{"PK": "a"}, {"PK": 1}]}, "tables": "table.json"}, {"seed": [3]}, {"tables": [None]},
       {"seed": {"tab": [{"PK": {1}}]}}, {"seed": {"tab": [{"PK": b"a"}]}}, {"seed": {"tab": [{"PK": decimal.Decimal("0.1234567890123456789")}]}}, {"port": 65536}]
for options in bad:
    try:
        itemfs.serve(**options)
    except (itemfs.Error, TypeError) as error:
        print(re.sub(r"/[^ ]*/", "", str(error)))
END
ok env TMPDIR="$PWD/seeds" python refused.py
no_json='is not JSON; write the whole item as DynamoDB'\''s JSON, such as {"id": {"S": "a"}, "tags": {"SS": ["x"]}}'
eq 'errors' "$out" "$(cat <<END
itemctl: absent.json: No such file or directory
itemctl: 1.jsonl:2: One or more parameter values were invalid: Type mismatch for key PK expected: S actual: N
serve: seed must have paths or dicts, not 3
serve: tables must have paths or dicts, not None
serve: {1} $no_json
serve: b'a' $no_json
serve: Decimal('0.1234567890123456789') $no_json
itemctl: --port must be 0 to 65535
END
)"
eq 'no files are left' "$(ls seeds)" ''

# ---- the server ends with its process
echo 'import itemfs, time; print(itemfs.serve().port, flush=True); time.sleep(1e6)' >hold.py
python hold.py >port &
held=$!
ok wait_until 10 test -s port
gives 1 '' closed "$(cat port)"
kill -KILL $held
wait $held 2>/dev/null
ok wait_until 10 closed "$(cat port)"

# ---- the commands
eq 'words, input and output' "$(printf '{"PK":"a  b"}\n' | itemctl -q serve --seed table.json -- sh -c 'itemctl -q put tab - && itemctl get tab "a  b"')" '{"PK":"a  b"}'
gives 7 '' itemfs serve -- sh -c 'exit 7'
gives 2 'itemctl: unknown option --nope' itemctl --nope
eq 'itemfs is the mount' "$(itemfs --version)" "$("$ITEMFS" --version)"
itemfs serve --port 0 >served.log 2>&1 &
held=$!
url=$(address served.log)
kill $held
wait $held
eq 'a signal reaches the server' $? 0
ok closed "${url##*:}"
programs=$(echo venv/lib/python3*/site-packages/itemfs/bin)
mv "$programs" kept
gives 1 'bin/itemctl cannot run here: No such file or directory' itemctl help
eq 'without the program' "$(python -c 'import itemfs; itemfs.serve()' 2>&1 | tail -n 1 | sed 's,/[^ ]*/,,')" \
	'itemfs._server.Error: itemctl cannot run here: itemfs needs Linux with glibc, not musl as in Alpine'
mv kept "$programs"

# ---- pytest
if python -c 'import pytest' 2>/dev/null || without 'there is no pytest'; then
	mkdir tests && cd tests || exit 1
	sed 's/"tab"/"music"/' ../table.json >template.json
	echo '{"PK":"of a file"}' >items.json
	shown pytest "$SOURCE/packaging/python/README.md" >test_example.py
	ok python -m pytest -q test_example.py
	cat >conftest.py <<'END'
import pytest

@pytest.fixture(scope="session")
def itemfs_options():
    return {"tables": "template.json", "seed": {"music": [{"PK": "seed"}]}}
END
	cat >test_own.py <<'END'
import os, subprocess
import itemfs, pytest

ports = []

def ctl(*words):
    return subprocess.check_output([itemfs.program("itemctl"), *words], text=True).strip()

@pytest.mark.parametrize("n", [1, 2])
def test_each_begins_with_the_seed(itemfs_db, n):
    assert ctl("scan", "music") == '{"PK":"seed"}'
    assert os.environ["AWS_REGION"] == "us-east-1" and "AWS_PROFILE" not in os.environ
    ctl("put", "music", '{"PK":"seed","n":1}')
    ports.append(itemfs_db.port)

def test_the_variables_are_restored(itemfs_server):
    assert os.environ["AWS_PROFILE"] == "mine" and "AWS_ENDPOINT_URL_DYNAMODB" not in os.environ
    assert ports == [itemfs_server.port] * 2
    print("PORT", itemfs_server.port)
END
	ok env AWS_PROFILE=mine python -m pytest -q -s -p no:cacheprovider test_own.py
	eq 'the tests pass' "$(grep -o '[0-9]* passed' <<<"$out")" '3 passed'
	ok closed "$(sed -n 's/.*PORT //p' <<<"$out")"
	cd ..
fi
done_testing
