#!/bin/bash
# A systemd service: readiness over NOTIFY_SOCKET, the unit, and what "meson install" installs (NAMESPACE 1).
. "$(dirname "$0")/lib.sh"

store --key PK,SK
ctl put tab '{"PK":"p","SK":"a"}' >/dev/null
mkdir m n

# manager ADDRESS FILE - begin a service manager that writes each message it receives as a line of FILE
manager()
{
	perl -MSocket -e '
		socket(S, AF_UNIX, SOCK_DGRAM, 0) or die;
		(my $at = $ARGV[0]) =~ s/^@/\0/;
		bind(S, pack_sockaddr_un($at)) or die "$ARGV[0]: $!";
		open(OUT, ">", $ARGV[1]) or die;
		while (defined recv(S, my $text, 4096, 0)) { syswrite OUT, "$text\n" }' "$1" "$2" &
	managers+=($!)
	wait_until 5 test -e "$2" || fail 'no manager'
}
managers=()

# hears FILE MESSAGE... - check that the manager has received these messages and no others
hears()
{
	local file=$1 heard
	shift
	heard=$(printf '%s\n' "$@")
	wait_until 5 eval '[ "$(cat "$file")" = "$heard" ]'
	eq "$file" "$(cat "$file")" "$heard"
}

# service WORD... - begin what the unit runs; its process id is $service
service()
{
	NOTIFY_SOCKET=$address "$ITEMFS" -f "$@" >/dev/null 2>service.err &
	service=$!
}

# ---- the messages

manager "$W/notify" heard
address=$W/notify
service "$S" "$W/m" -o table=tab
hears heard READY=1
eq 'ready when the mount answers' "$(cat m/p/a.json)" '{"PK":"p","SK":"a"}'
manager "$W/notify2" heard2
first=$service
address=$W/notify2
service "$S" "$W/n" -o ''
hears heard2 READY=1
eq 'a joining mount is ready, too' "$(ls n) $(our_pids | wc -l)" 'tab 2'
kill $service
wait $service
eq 'the joining one ends with status 0' $? 0
hears heard2 READY=1 STOPPING=1
eq 'the manager of the first one receives nothing about it' "$(cat heard)" READY=1
kill $first
wait $first
eq 'the first one ends with status 0' $? 0
hears heard READY=1 STOPPING=1

manager "@$W/abstract" heard3
address=@$W/abstract
service "$S" --no-mount -o ''
hears heard3 READY=1 # a server; an abstract address
kill $service
wait $service
hears heard3 READY=1 STOPPING=1

service "$S" "$W/m" -o table=none
wait $service
eq 'a failed start is never ready' "$? $(cat heard3 | tr '\n' ' ')" '3 READY=1 STOPPING=1 '
for address in "$W/nobody" "@$W/nobody" relative "$W/$(printf 'x%.0s' $(seq 200))" @ ''; do
	service "$S" "$W/m"
	wait_until 5 test -d m/tab || fail 'no mount'
	kill $service
	wait $service
	eq "nobody listens at ${address:0:20}" $? 0
done
address=$W/notify
NOTIFY_SOCKET=$W/notify "$ITEMFS" "$S" "$W/m"
unmnt m
eq 'a mount in the background sends no messages' "$(cat heard | tr '\n' ' ')" 'READY=1 STOPPING=1 '
kill "${managers[@]}"

# ---- the installation

ok env DESTDIR="$W/root" meson install -C "$BUILD" --no-rebuild --quiet
prefix=$(jq -r '.[] | select(.name == "prefix") | .value' "$BUILD/meson-info/intro-buildoptions.json")
unit=$(find root -name 'itemfs@.service')
eq 'the unit is installed' "$unit" "root$prefix/lib/systemd/system/itemfs@.service"
eq 'it starts the installed program' "$(sed -nE 's/^ExecStart=([^ ]+) .*/\1/p' "$unit")" "$prefix/bin/itemfs"
eq 'the program is installed' "$("root$prefix/bin/itemfs" --version | cut -d' ' -f1)" itemfs
eq 'mount.itemfs is a link to it' "$(find root -name mount.itemfs -exec readlink {} +)" "$prefix/bin/itemfs"
eq 'the manual pages are installed' "$(cd root && find . -name 'itemfs.1*' -o -name 'mount.itemfs.8*' | wc -l)" 2
eq 'the examples are installed' "$(cd "root$prefix/share/doc/itemfs/examples" && ls walk.sh README.md ./*/walkthrough.sh | wc -l)" \
	$((2 + $(ls "$HERE"/../../tools/examples/*/walkthrough.sh | wc -l)))
if [ "$prefix" = /usr/local ]; then
	eq 'where mount(8) looks for it' "$(find root -name mount.itemfs)" root/sbin/mount.itemfs
fi

# ---- the unit

if here systemd-analyze; then
	mkdir units
	sed "s|=$prefix/bin/itemfs |=$ITEMFS |" "$unit" >'units/itemfs@.service'
	cp 'units/itemfs@.service' 'units/itemfs@shop.service'
	eq 'nothing hides the mount, or keeps fusermount3 from mounting' "$(grep -oE '^(Protect|Private|ReadOnly|ReadWrite|Inaccessible|Temporary|Bind|Root|Mount|NoNewPrivileges|SystemCall|Restrict(Addr|Name|Real|SUID)|LockPersonality|MemoryDeny)[A-Za-z]*=' "$unit")" ''
	eq 'its files are private' "$(grep ^UMask "$unit")" UMask=0077
	eq 'systemd-analyze reports no error' "$(systemd-analyze verify --man=no "$W/units/itemfs@shop.service" 2>&1 | grep itemfs)" ''
fi

# Run it with the capabilities that the unit leaves, where capabilities can be dropped.
drop=(setpriv --bounding-set "-all$(sed -n 's/^CapabilityBoundingSet=//p' "$unit" | tr 'A-Z ' 'a-z\n' | sed 's/^cap_/,+/' | tr -d '\n')")
"${drop[@]}" true 2>/dev/null || drop=()

# run - run the line of ExecStart, with the options of the configuration file
run()
{
	local line STORE='' MOUNTPOINT='' OPTIONS=''
	line=$(sed -nE 's/^ExecStart=[^ ]+ (.*)/\1/p' "$unit")
	. ./shop.conf
	eval "exec \"\${drop[@]}\" \"\$ITEMFS\" $(sed -E 's/(\$\{[A-Z]+\})/"\1"/g' <<<"$line")" 2>service.err &
	service=$!
}
cat >shop.conf <<END
STORE=$S
MOUNTPOINT=$W/m
OPTIONS=table=tab,ro
END
run
wait_until 5 test -d m/p || fail 'no mount'
refused 'Read-only' touch m/p/b.json
kill $service
wait $service
sed -i '/OPTIONS/d' shop.conf
run
wait_until 5 test -d m/tab || fail 'no mount without options'
kill_daemons
{ wait $service; } 2>/dev/null
run
wait_until 5 eval '[ "$(ls m 2>&1)" = tab ]' || fail 'no mount after kill -9'
eq 'the unit starts again after kill -9' "$(ls m)" tab
kill $service
wait $service
eq 'it ends with status 0' "$? $(our_mounts)" '0 '

done_testing
