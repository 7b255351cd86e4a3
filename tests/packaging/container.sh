# container.sh - fixture of image.sh: runs the root of an image as a container does
#
#   begin_container [NAME=VALUE...] [--] WORD...   start the image's entry point with these words as process 1, as user $user, with
#                                           the image's variables and folder; until end_container
#     shm=no         no /dev/shm
#     tmp=yes        a tmpfs at /tmp
#     volume=DIR     at /data
#   $first           the process id of process 1, seen from here
#   inside WORD...   run a program in that container, as docker exec does
#   messages         what it has printed on standard error
#   end_container    SIGTERM; sets $status
#
# The root is read-only, HOME is not set, and there are no capabilities.
user=65532
container=

# contain ROOT SHM TMP VOLUME USER FOLDER WORD... - in new namespaces: mount what a container has, and become the program
contain()
{
	local root=$1 shm=$2 tmp=$3 volume=$4 user=$5 folder=$6 variables
	shift 6
	mapfile -t variables < <(jq -r '.config.Env[]' config.json)
	mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=755 tmpfs "$root/dev" || exit 99
	touch "$root/dev/null" && mount --bind /dev/null "$root/dev/null" || exit 99
	if [ "$shm" = yes ]; then
		mkdir "$root/dev/shm" && mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm" || exit 99
	fi
	[ "$tmp" = no ] || mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" || exit 99
	[ -z "$volume" ] || mount --bind "$volume" "$root/data" || exit 99
	mount -o remount,bind,ro "$root" && mount -o remount,ro "$root/dev" || exit 99
	exec setpriv --clear-groups env -i "${variables[@]}" /usr/bin/unshare --root="$root" --wd="$folder" --setgid="$user" --setuid="$user" -- "$@"
}

begin_container()
{
	local shm=yes tmp=no volume= words folder functions
	while [ $# -gt 0 ]; do
		case $1 in
		shm=* | tmp=* | volume=*) local "$1" && shift ;;
		*) break ;;
		esac
	done
	[ "${1-}" != -- ] || shift
	mapfile -t words < <(jq -r '.config.Entrypoint[]' config.json)
	folder=$(jq -r .config.WorkingDir config.json)
	functions=$(declare -f leave_others contain)
	began=$(date +%s%N)
	W=$W unshare --mount --propagation private --pid --fork --kill-child bash -c "$functions; leave_others; contain \"\$@\"" bash \
		"$W/root" "$shm" "$tmp" "$volume" "$user" "$folder" "${words[@]}" "$@" >container.out 2>container.err &
	container=$!
	wait_until 10 has_first
}

# has_first - set $first; false until process 1 exists
has_first()
{
	first=$(cat "/proc/$container/task/$container/children" 2>/dev/null)
	first=${first% }
	[ -n "$first" ] || ! kill -0 "$container" 2>/dev/null
}

# answers [HOST] - does it answer a health check, for this name?
answers()
{
	[ "$(curl -s -o answer -w '%{http_code}' -H "Host: ${1-localhost:8000}" http://127.0.0.1:8000/health)" = 200 ]
}

# listens - wait for the first answer; sets $ms to the time since the start
listens()
{
	checks=$((checks + 1))
	wait_until 10 answers || fail "no answer: $(cat container.err)"
	ms=$((($(date +%s%N) - began) / 1000000))
}

inside()
{
	nsenter --target "$first" --pid --mount --root --wd --setgid "$user" --setuid "$user" -- "$@"
}

end_container()
{
	[ -z "${first-}" ] || kill -TERM "$first" 2>/dev/null
	wait_container
}

# wait_container - wait until it ends by itself; sets $status
wait_container()
{
	wait "$container"
	status=$?
	container=
}

# messages - what it has printed on standard error, without the note about a new store
messages()
{
	grep -v '^creating a new store: ' container.err
}
