/*
 * main - the program itemfs: mount a store, or serve it
 *
 * Reads the options and checks what they name; start.c does the rest.
 */
#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/core/escape.h"
#include "store/base/system/descriptors.h"
#include "store/base/system/private.h"
#include "store/base/text/random_token.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/mark.h"
#include "store/open.h"
#include "store/wire/proto/endpoint.h"
#include "store/wire/server/server.h"

#include "fs/daemon/daemon.h"
#include "fs/daemon/device.h"
#include "fs/daemon/options.h"
#include "fs/daemon/start.h"
#include "fs/daemon/store_arg.h"
#include "fs/saved/state.h"
#include "fs/saved/tty.h"

enum {
	CALL_BUDGET = 4 * 1024 * 1024,     /* bytes for all of the start */
	MEMORY_RESERVE = 64 * 1024 * 1024, /* bytes of address space, for when memory runs out */
	MOUNT_USAGE = 1,                   /* mount(8): incorrect invocation */
	MOUNT_FAILURE = 32,                /* mount(8): mount failure */
};

static const char usage[] =
	"usage: itemfs STORE MOUNTPOINT [--create] [-o OPTION,...]\n"
	"       itemfs STORE --no-mount [-f] [--create] [-o listen=ADDR:PORT[,credentials=FILE]]\n";

static const char help[] =
	"\n"
	"Mount a store of items as a tree of files: partition keys are directories, items are files.\n"
	"Another itemfs on the same store joins the running one. Unmount: fusermount3 -u MOUNTPOINT.\n"
	"STORE is a directory, or an endpoint: http://HOST:PORT, https://HOST, dynamodb:REGION.\n"
	"\n"
	"  -o table=T            make this table the root\n"
	"  -o index=I            with table=: show this index, read-only\n"
	"  -o ro                 read-only; the default for dynamodb: and endpoints not on loopback\n"
	"  -o rw, -o write       allow writes to those; mount(8) needs write, since it always passes rw\n"
	"  -o suffix=S           suffix of item files (.json)\n"
	"  -o pretty             show items as indented JSON\n"
	"  -o typed              show items as DynamoDB JSON\n"
	"  -o sync               make data durable at every close\n"
	"  -o dotdirs            list .index and .itemfs: find, rsync, grep -r see them\n"
	"  -o listen=ADDR:PORT   also serve DynamoDB's protocol there; port 0: any free port,\n"
	"                        8000-8099: the first free one\n"
	"  -o credentials=FILE   with listen=: accept only requests signed with a key in FILE; required\n"
	"                        for addresses other than loopback, without trust_network\n"
	"  -o trust_network      with listen=: accept requests of any machine and for any host name: for\n"
	"                        a container's network; all its programs may read and change the store\n"
	"  -o cors=ORIGIN        with listen=: allow web pages of this origin; *: any\n"
	"  -o host=NAME[:NAME]   with listen=: also accept these host names in requests\n"
	"  -o patterns=FILE      show these access patterns on the pages for a browser; itemctl serve\n"
	"                        --patterns makes FILE\n"
	"  -o request_log=FILE   with listen=: append a line for each request to FILE\n"
	"  -o web                with credentials=: also serve the pages for a browser, below a secret path\n"
	"  -o token=TEXT         with web: use this secret instead of a random one\n"
	"  -o note=TEXT          with listen=: print it below the address\n"
	"  -o port_file=FILE     with listen=: write the port there once it answers\n"
	"  -o quiet              with listen= and no mount: print the address, no lines for a shell\n"
	"  -o max_delete=N       items per table and minute that may be deleted here; default: 100 for\n"
	"                        dynamodb: and endpoints not on loopback, else no limit\n"
	"  -o allow_mass_delete  no such limit\n"
	"  -o conflict=fail      refuse to overwrite changes that others made meanwhile\n"
	"  -o consistent         strongly consistent reads of an endpoint, at twice the cost\n"
	"  -o timeout=SEC        kernel cache time of names and attributes; 1 for an endpoint\n"
	"  -o timeout_request=SEC  seconds to wait for an answer of an endpoint (30); 0: no limit\n"
	"  -o max_read=UNITS     endpoint: read units per minute, further reads wait; 0: no limit\n"
	"                        (3000 for dynamodb: and endpoints not on loopback, else no limit)\n"
	"  -o rate=N             endpoint: read and write units per second; 25%: of each table's\n"
	"  -o ttl_sweep=SEC      seconds between two sweeps of expired items (2 to 60); 0: no sweeps\n"
	"  -o uid=N,gid=N,umask=M   owner and mode shown\n"
	"  -o allow_other,...    options of FUSE and mount(8)\n"
	"  -f, --foreground      stay in the foreground\n"
	"  -d, -o debug          print every request; implies -f\n"
	"  -s, -o single_thread  use one thread\n"
	"  --create              create the store if it does not exist\n"
	"  --no-mount            only serve\n"
	"  -h, --help            print this text\n"
	"  -V, --version         print the version\n";

/* ------------------------------------------------------------ checks before the start */

/* By default, the files belong to the user who mounts. */
static void
fill_defaults(struct options *o)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	if (!o->has_uid) {
		o->uid = getuid();
	}
	if (!o->has_gid) {
		o->gid = getgid();
	}
	if (!o->has_umask) {
		o->umask = mask & 0777;
	}
	o->has_uid = o->has_gid = o->has_umask = true;
}

/* Browsers cannot sign requests, so the pages are served below a secret path instead. */
static int
make_token(struct start *s)
{
	struct buf token;

	if (!s->options.web || s->options.credentials == NULL || s->options.token != NULL) {
		return 0;
	}
	buf_init(&token, &s->call.arena);
	if (!token_put(&token)) {
		return call_fail(&s->call, ERR_IO, "cannot get random bytes from the kernel: %m");
	}
	s->options.token = slice_cstr(&s->call.arena, buf_view(&token));
	return 0;
}

/* Make @path absolute, because another process may read the file, with another directory and other descriptors. */
static int
make_absolute(struct call *c, const char *what, const char **path)
{
	static const char own[] = "/proc/self/";

	if (*path == NULL) {
		return 0;
	}
	if (strncmp(*path, own, strlen(own)) == 0) {
		*path = arena_print(&c->arena, "/proc/%ld/%s", (long)getpid(), *path + strlen(own));
		return 0;
	}
	char *real = realpath(*path, NULL);

	if (real == NULL) {
		return call_fail(c, ERR_VALIDATION, "%s %s: %m", what, *path);
	}
	*path = slice_cstr(&c->arena, slice_from(real));
	free(real);
	return 0;
}

static int
check_listen(struct start *s)
{
	int r = make_absolute(&s->call, "credentials", &s->options.credentials);

	r = r < 0 ? r : make_absolute(&s->call, "patterns", &s->options.patterns);
	r = r < 0 ? r : make_absolute(&s->call, "request_log", &s->options.request_log);
	if (r < 0) {
		return r;
	}
	if (s->options.listen != NULL) {
		s->options.listen = endpoint_address(&s->call, s->options.listen);
	}
	r = make_token(s);
	return r < 0 ? r
		     : server_check(&s->call, &(struct server_options){
						      .listen = s->options.listen,
						      .credentials = s->options.credentials,
						      .trust_network = s->options.trust_network,
						      .patterns = s->options.patterns,
						      .cors = s->options.cors,
						      .host = s->options.host,
						      .token = s->options.token});
}

/* The message for writes to a mount with -o ro: the command that mounts it read-write. */
static const char *
main_ro_why(struct start *s)
{
	struct options rw = s->options;
	struct buf b;

	rw.ro = false;
	const char *list = options_format(&s->call, &rw);

	buf_init(&b, &s->call.arena);
	buf_str(&b, "this mount is read-only because of -o ro (other mounts and itemctl can still "
		    "write); to write here: fusermount3 -u ");
	shell_word(&b, slice_from(s->point));
	buf_str(&b, " && itemfs ");
	shell_word(&b, slice_from(s->store));
	buf_char(&b, ' ');
	shell_word(&b, slice_from(s->point));
	if (*list != '\0') {
		buf_str(&b, " -o ");
		shell_word(&b, slice_of(list, strlen(list) - 1)); /* each ends in a comma */
	}
	return slice_cstr(&s->call.arena, buf_view(&b));
}

/* Mount a marked store read-only, and do not create one. */
static int
main_read_mark(struct start *s)
{
	struct options *o = &s->options;
	const char *why = store_mark(&s->call, o->store);

	if (why == NULL) {
		return 0;
	}
	if (o->create && !store_arg_is_store(&s->call, o->store)) {
		return call_fail(&s->call, ERR_GUARDED, "%s", why);
	}
	o->ro = true;
	o->ro_by_itself = false;
	o->ro_why = why;
	return 0;
}

static int
prepare_all(struct start *s)
{
	int r = check_listen(s);

	r = r < 0 ? r : main_read_mark(s);
	if (r == 0 && store_is_remote(s->options.store)) {
		s->store = s->options.store;
		s->state = state_name(&s->call, url_shown(&s->call.arena, s->store));
	} else if (r == 0) {
		r = store_arg_find(s);
	}
	if (r < 0) {
		return r;
	}
	s->log = arena_print(&s->call.arena, "%s/log", s->state == NULL ? s->store : s->state);
	/* A mount of a dead owner would block every access to the mount point. */
	if (s->state == NULL && s->options.mountpoint != NULL) {
		r = start_await_dead(s);
	}
	if (r >= 0 && s->options.mountpoint != NULL &&
	    device_given(s->options.mountpoint, &s->device)) {
		s->point = DEVICE_SOCKET;
		s->mounted = true;
	} else if (r >= 0 && s->options.mountpoint != NULL) {
		r = device_point(&s->call, s->options.mountpoint, &s->point);
		if (r == 0 && s->options.ro && s->options.ro_why == NULL && !s->options.helper) {
			s->options.ro_why = main_ro_why(s);
		}
		if (r == 0) {
			r = device_apart(&s->call, s->state == NULL ? s->store : s->state,
					 s->point);
		}
	}
	fill_defaults(&s->options);
	return r;
}

/* After a refusal, remove a directory that was made for the store. */
static int
main_prepare(struct start *s)
{
	int r = prepare_all(s);

	if (r < 0 && s->made && s->store != NULL) {
		(void)rmdir(s->store);
	}
	return r;
}

/* ------------------------------------------------------------ the program */

static int
main_run(struct start *s)
{
	int r = main_prepare(s);

	if (r < 0) {
		return r;
	}
	private_umask();
	struct buf terminal;

	buf_init(&terminal, &s->call.arena);
	tty_put(&terminal);
	s->terminal = slice_cstr(&s->call.arena, buf_view(&terminal));
	if (!s->options.foreground) {
		s->parent = daemon_fork(s->device);
		if (s->parent < 0) {
			return call_fail(&s->call, ERR_IO,
					 "cannot start a process in the background");
		}
	}
	daemon_block_signals();
	r = s->state != NULL ? start_own_endpoint(s) : start_own_or_join(s);
	if (r < 0 && s->mounted) {
		if (s->device >= 0) {
			(void)close(s->device);
		}
		(void)device_unmount(s->point, true);
	}
	return r;
}

static int
exit_status(const struct options *o, enum err code)
{
	if (!o->helper) {
		return error_exit(code);
	}
	return code == ERR_VALIDATION || code == ERR_NOT_SUPPORTED ? MOUNT_USAGE : MOUNT_FAILURE;
}

int
main(int argc, char **argv)
{
	struct start s = {.argc = argc, .argv = argv, .device = -1, .parent = -1, .terminal = ""};

	stdfd_reserve();
	descriptors_raise();
	mem_few_heaps();
	mem_reserve(MEMORY_RESERVE);
	call_open(&s.call, clock_now_ms(), CALL_BUDGET);
	int r = options_parse(&s.call, argc, argv, &s.options);
	bool words_are_wrong = r < 0;

	if (r == 0 && s.options.help) {
		(void)printf("%s%s", usage, help);
	} else if (r == 0 && s.options.version) {
		(void)printf("itemfs %s\n", ITEMFS_VERSION);
	} else if (r == 0 && !s.options.fake) {
		r = main_run(&s);
	}
	int status = 0;

	if (r < 0) {
		struct buf shown;

		buf_init(&shown, NULL);
		escape_lines(&shown, slice_from(s.call.error.message), false);
		(void)fprintf(stderr, "itemfs: %.*s\n", SLICE_ARG(buf_view(&shown)));
		buf_release(&shown);
		status = exit_status(&s.options, s.call.error.code);
	}
	if (words_are_wrong && s.call.error.code == ERR_VALIDATION) {
		(void)fputs(usage, stderr);
	}
	call_close(&s.call);
	return fflush(stdout) == 0 ? status : 1;
}
