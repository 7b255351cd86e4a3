#!/bin/bash
# The npm packages: built twice, installed without a network, and used by programs, commands, and the presets for jest and vitest.
. "$(dirname "$0")/lib.sh"
export npm_config_cache=$W/cache npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

archive one
cp -r one two
touch -d 2001-01-01 two/bin/*
for n in one two; do
	ok sh "$SOURCE/packaging/npm/build.sh" out-$n $n
done
same 'the same programs give the same packages' out-one out-two
case $(uname -m) in x86_64) cpu=x64 ;; aarch64) cpu=arm64 ;; esac
eq 'the packages' "$(cd out-one && ls | sed 's/-[0-9.]*tgz//' | tr '\n' ' ')" "itemfs itemfs-linux-$cpu "
eq 'it has the licences of libraries' "$(tar -xOzf out-one/itemfs-linux-*.tgz package/licences/libname1)" 'of a library'
mkdir -p script/bin
echo '#!/bin/sh' >script/bin/itemctl
gives 1 'build.sh: '"$W/script/bin/itemctl is not a program for x86-64 or AArch64" sh "$SOURCE/packaging/npm/build.sh" out script
gives 2 'usage: sh packaging/npm/build.sh DIR [ARCHIVE_DIR]' sh "$SOURCE/packaging/npm/build.sh"
mkdir out-three
in_folder out-three one
ok sh "$SOURCE/packaging/npm/build.sh" out-three
rm out-three/*.tar.gz # also of another version, which is not used
same 'an archive may be in the folder' out-one out-three

# ---- a project
here node || done_testing
mkdir project && cd project || exit 1
echo '{"private": true, "scripts": {"test": "node test.cjs"}}' >package.json
if here npm; then
	ok npm install ../out-one/*.tgz
else
	mkdir -p node_modules/itemfs "node_modules/@itemfs/linux-$cpu" node_modules/.bin
	tar -xzf ../out-one/itemfs-[0-9]*.tgz --strip-components 1 -C node_modules/itemfs
	tar -xzf ../out-one/itemfs-linux-*.tgz --strip-components 1 -C "node_modules/@itemfs/linux-$cpu"
	ln -s ../itemfs/bin/itemctl.js node_modules/.bin/itemctl
	ln -s ../itemfs/bin/itemfs.js node_modules/.bin/itemfs
fi
PATH=$W/project/node_modules/.bin:$PATH

# ---- the module
shown serve "$SOURCE/packaging/npm/README.md" >example.mjs
ok node example.mjs
eq 'the example of the README' "$(sed 's/[0-9]\{4,\}/PORT/' <<<"$out")" "http://127.0.0.1:PORT
{
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:PORT',
  AWS_ENDPOINT_URL_DYNAMODB_STREAMS: 'http://127.0.0.1:PORT',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1'
}"
ok closed "$(sed -n '1s/.*://p' <<<"$out")"

table_and_item
cat >module.cjs <<'END'
const { execFileSync } = require('child_process');
const { readFileSync } = require('fs');
const { program, serve, serveSync } = require('itemfs');
const table = JSON.parse(readFileSync('table.json', 'utf8'));
const ctl = (db, ...words) => execFileSync(program('itemctl'), ['-s', db.endpoint, ...words], { encoding: 'utf8' }).trim();
const rows = (db) => ctl(db, 'scan', 'tab', '--format', 'jsonl').split('\n').sort().join(' ');

(async () => {
  const items = { tab: [{ PK: 'plain', n: 1, list: [true, null] }, { PK: { S: 'typed' }, set: { SS: ['x'] } }] };
  const db = await serve({ tables: table, seed: ['tab.jsonl', items] });
  console.log(rows(db));
  items.tab.push({ PK: 'later' });
  process.chdir('..');
  ctl(db, 'put', 'tab', '{"PK":"new"}');
  ctl(db, 'create-table', 'other', '--key', 'PK');
  await db.reset();
  console.log(rows(db), ctl(db, 'tables', '--format', 'csv').split('\n').length);
  process.chdir('project');
  const second = serveSync({ tables: 'table.json' });
  console.log(second.port !== db.port, JSON.stringify(rows(second)));
  await Promise.all([serve({ port: db.port }).catch((error) => console.log(error.message.split(';')[0].replace(db.port, 'PORT')))]);
  await db.stop();
  await db.stop();
  const again = await serve({ port: db.port });
  console.log(again.endpoint === db.endpoint);
  await Promise.all([again.stop(), second.stop()]);
})();
END
mkdir seeds
ok env TMPDIR="$PWD/seeds" node module.cjs
eq 'seeds, reset, ports' "$out" '{"PK":"of a file"} {"PK":"plain","n":1,"list":[true,null]} {"PK":"typed","set":{"SS":["x"]}}
{"PK":"of a file"} {"PK":"plain","n":1,"list":[true,null]} {"PK":"typed","set":{"SS":["x"]}} 2
true ""
itemctl: cannot listen on 127.0.0.1:PORT: Address already in use
true'

cat >refused.mjs <<'END'
import { serve, serveSync } from 'itemfs';
const bad = [{ seed: 'absent.json' }, { seed: { tab: [{ PK: 'a' }, { PK: 1 }] }, tables: 'table.json' }, { seed: { tab: 'x' } }, { seed: 3 },
  { tables: null }, { seed: { tab: [{ PK: new Set() }] } }, { seed: { tab: [{ PK: Buffer.from('a') }] } }, { seed: { tab: [{ PK: 1n }] } }, { seeds: 'x' }, { port: 65536 }];
for (const options of bad) {
  const { message } = await serve(options).then(() => { throw new Error('it starts'); }, (error) => error);
  console.log(message.replace(/\/[^ ]*\//g, ''));
  try {
    serveSync(options);
  } catch (error) {
    if (error.message.replace(/\/[^ ]*\//g, '') !== message.replace(/\/[^ ]*\//g, '')) console.log('another message:', error.message);
  }
}
END
ok env TMPDIR="$PWD/seeds" node refused.mjs
no_json='is not JSON; write the whole item as DynamoDB'\''s JSON, such as {"id":{"S":"a"},"tags":{"SS":["x"]}}'
eq 'errors' "$out" "$(cat <<END
itemctl: absent.json: No such file or directory
itemctl: 1.jsonl:2: One or more parameter values were invalid: Type mismatch for key PK expected: S actual: N
serve: the items of tab must be an array
serve: seed must have paths or objects, not 3
serve: tables must have paths or objects, not null
serve: the value of PK $no_json
serve: the value of PK $no_json
serve: the value of PK $no_json
serve: there is no option seeds; there are: seed, tables, port
itemctl: --port must be 0 to 65535
END
)"

eq 'no files are left' "$(ls seeds)" ''

# ---- the server ends with its process
cat >hold.cjs <<'END'
require('itemfs').serve().then((db) => console.log(db.port));
setInterval(() => {}, 1e6);
END
node hold.cjs >port &
held=$!
ok wait_until 10 test -s port
gives 1 '' closed "$(cat port)"
kill -KILL $held
wait $held 2>/dev/null
ok wait_until 10 closed "$(cat port)"
eq 'a program that only starts a server ends, and so does the server' "$(echo "require('itemfs').serve().then((db) => console.log(db.port))" | node - >port; echo $?)" 0
ok wait_until 10 closed "$(cat port)"

# ---- the commands
eq 'words, input and output' "$(printf '{"PK":"a  b"}\n' | itemctl -q serve --seed table.json -- sh -c 'itemctl -q put tab - && itemctl get tab "a  b"')" '{"PK":"a  b"}'
gives 7 '' itemctl serve -- sh -c 'exit 7'
gives 2 'itemctl: unknown option --nope' itemctl --nope
eq 'itemfs is the mount' "$(itemfs --version)" "$("$ITEMFS" --version)"
gives 2 'usage: itemfs STORE MOUNTPOINT' itemfs
if here npm; then
	echo "console.log(process.env.AWS_ENDPOINT_URL_DYNAMODB.replace(/\d{4,}/, 'PORT'))" >test.cjs
	eq 'a server for one command, by npx' "$(npx itemfs serve -- npm test | tail -n 1)" http://127.0.0.1:PORT
fi
# served SIGNAL - send the signal to the command, and print how it ends
served()
{
	rm -f served.log
	env --default-signal=INT,QUIT itemfs serve --port 0 >served.log 2>&1 &
	held=$!
	url=$(address served.log)
	kill "-$1" $held
	wait $held
	echo "$? $(wait_until 10 closed "${url##*:}" && echo closed)"
}
for signal in TERM INT; do
	eq "SIG$signal ends the server" "$(served $signal)" '0 closed'
done
npm_command=exec sh -c 'itemfs serve --port 0; :' >shell.log 2>&1 & # as npx does
held=$!
url=$(address shell.log)
kill $held
wait $held
ok wait_until 10 closed "${url##*:}"
itemctl serve --port 0 >child.log 2>&1 &
held=$!
address child.log >url
kill -KILL "$(cat "/proc/$held/task/$held/children")"
wait $held 2>/dev/null
eq 'the signal that ends the program ends the command' $? 137
exec {unread}> >(:)
wait $!
for command in '' exec; do
	npm_command=$command itemctl help >&$unread
	eq "a closed pipe ends it by SIGPIPE${command:+, also as npx starts it}" $? 141
done
exec {unread}>&-

ok python3 - <<'END'
import os, pty
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("itemfs", ["itemfs", "serve", "--port", "0"])
shown = b""
try:
    while piece := os.read(terminal, 4096):
        begun = b"In a browser" in shown
        shown += piece
        if not begun and b"In a browser" in shown:
            os.write(terminal, b"\x03")
except OSError:
    pass  # no process has the terminal any more
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
eq 'Ctrl-C on a terminal' "$out" 0

# ---- systems without the programs
without_programs()
{
	node -r ./fake.cjs -e "require('itemfs').serve().then(() => console.log('started'), (error) => console.log(error.message))"
}
echo "Object.defineProperty(process, 'platform', { value: 'darwin' }); Object.defineProperty(process, 'arch', { value: 'arm64' });" >fake.cjs
eq 'macOS' "$(without_programs)" 'itemfs has no programs for darwin on arm64: run it in a container, a virtual machine or WSL with Linux on x64 or arm64'
echo "Object.defineProperty(process, 'arch', { value: 'ia32' });" >fake.cjs
eq 'another processor' "$(without_programs)" 'itemfs has no programs for linux on ia32: run it in a container, a virtual machine or WSL with Linux on x64 or arm64'
mv node_modules/@itemfs kept
: >fake.cjs
missing="the package @itemfs/linux-$cpu is not installed: install itemfs without --no-optional or --omit=optional, and if package-lock.json comes from another platform, remove it and node_modules before"
eq 'a missing optional dependency' "$(without_programs)" "$missing"
gives 126 "itemfs: $missing" itemctl help
glibc()
{
	echo "process.report.getReport = () => ({ header: $1 });" >fake.cjs
}
glibc '{}'
eq 'musl' "$(without_programs)" 'itemfs needs glibc, and this system has another C library (musl, as in Alpine): use an image with glibc, such as node:22-slim'
glibc '{ glibcVersionRuntime: "2.31" }'
eq 'an old glibc' "$(without_programs)" 'itemfs needs glibc 2.34 or newer, and this system has 2.31: use a newer system or image, such as node:22-slim'
mv kept node_modules/@itemfs

# ---- the presets, as jest and vitest load them
mkdir -p node_modules/vitest
echo '{"type": "module", "exports": "./index.js"}' >node_modules/vitest/package.json
echo 'export const { afterAll } = globalThis;' >node_modules/vitest/index.js
cat >runner.mjs <<'END'
import { createRequire } from 'module';
import { pathToFileURL } from 'url';
const require = createRequire(import.meta.url);
const ends = [];
globalThis.afterAll = (end) => ends.push(end);
Object.assign(process.env, { AWS_PROFILE: 'x', AWS_SESSION_TOKEN: 'x', AWS_REGION: 'eu-west-1' });
/* For each test file, jest loads all modules again; vitest may load only the setup file again. */
async function load(n) {
  if (process.argv[2] === 'jest') {
    Object.keys(require.cache).forEach((file) => delete require.cache[file]);
    const preset = require('itemfs/jest-preset');
    [...preset.setupFiles, ...preset.setupFilesAfterEnv].forEach((file) => require(file));
  } else {
    await import(`${pathToFileURL(require.resolve('itemfs/vitest'))}?${n}`);
  }
}
await load(1);
for (const end of ends.splice(0)) await end();
await load(2);
const { execFileSync } = require('child_process');
const ctl = (...words) => execFileSync(require('itemfs').program('itemctl'), words, { encoding: 'utf8', stdio: 'pipe' }).trim();
console.log(JSON.stringify(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_') && !/URL|FILE|EC2/.test(name)).sort()));
console.log(itemfs.endpoint === process.env.AWS_ENDPOINT_URL_DYNAMODB, ctl('scan', 'tab'));
console.error(itemfs.port);
process.stdin.resume().on('end', async () => {
  for (const end of ends) await end();
});
END
env='[["AWS_ACCESS_KEY_ID","local"],["AWS_DEFAULT_REGION","us-east-1"],["AWS_REGION","us-east-1"],["AWS_SECRET_ACCESS_KEY","local"]]'
echo '{"private": true, "itemfs": {"tables": "table.json", "seed": ["tab.jsonl"]}}' >package.json
for runner in jest vitest; do
	mkfifo go-1 go-2
	for n in 1 2; do
		node runner.mjs $runner <go-$n >worker-$n 2>port-$n &
	done
	exec 3>go-1 4>go-2
	ok wait_until 10 test -s port-1 -a -s port-2
	eq "$runner: variables and seeds" "$(cat worker-1)" "$env"$'\ntrue {"PK":"of a file"}'
	ok test "$(cat port-1)" != "$(cat port-2)"
	exec 3>&-
	ok wait_until 10 closed "$(cat port-1)"
	gives 1 '' closed "$(cat port-2)" # each has its own
	exec 4>&-
	wait
	ok closed "$(cat port-2)"
	rm go-[12] port-[12] worker-[12]
done
cd ..
done_testing
