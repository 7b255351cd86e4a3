/*
 * cmd_serve - the store without a mount: becomes the program itemfs
 *
 * With --temp it leaves a process behind that waits for the end of itemfs,
 * whatever that is, and takes the store away.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/folder.h"
#include "store/base/private.h"
#include "store/base/shell_word.h"
#include "store/base/url.h"
#include "store/open.h"
#include "store/wire/endpoint.h"

#include "tools/background.h"
#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/find_store.h"
#include "tools/scratch.h"
#include "tools/seed.h"
#include "tools/serve_patterns.h"

enum { SERVE_PORTS = 100 }; /* tried from ENDPOINT_PORT on */

struct serve_opts {
	const char *listen;
	struct opt_count port;
	const char *credentials;
	const char *cors;
	struct words host;
	const char *names; /* of these the ones that are no addresses: as -o host= */
	const char *ttl_sweep;
	const char *patterns;
	bool web;
	bool temp;
	bool background;
	struct seed seed;
};

/* All that the server is started with. */
struct serve_plan {
	struct ctl *ctl;
	const char *program;
	const char *store; /* NULL: one of its own */
	struct serve_opts o;
	const char *note;
};

static const struct opt serve_opts[] = {
	{"listen", 0, OPT_TEXT, "ADDR:PORT", offsetof(struct serve_opts, listen),
	 "listen there instead of on 127.0.0.1:8000 or the next free port; port 0: any free port; none: only the store's own socket"},
	{"port", 'p', OPT_COUNT, "N", offsetof(struct serve_opts, port), "on 127.0.0.1:N"},
	{"credentials", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, credentials),
	 "accept only requests signed with a key in FILE; required for addresses other than loopback"},
	{"cors", 0, OPT_TEXT, "ORIGIN", offsetof(struct serve_opts, cors),
	 "allow web pages of this origin, such as http://localhost:3000; *: any"},
	{"host", 0, OPT_LIST, "NAME", offsetof(struct serve_opts, host),
	 "also accept this host name in requests, such as a container's service name; an address means the same as --listen"},
	{"patterns", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, patterns),
	 "show these access patterns, a file of run, on the pages for a browser"},
	{"web", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, web),
	 "with --credentials: also serve the pages for a browser, below a secret path"},
	{"ttl-sweep", 0, OPT_TEXT, "SEC", offsetof(struct serve_opts, ttl_sweep),
	 "seconds between two sweeps of expired items (60); 0: no sweeps"},
	{"temp", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, temp),
	 "a store in memory-backed storage, gone at exit; the default without a store"},
	{"seed", 0, OPT_LIST, "FILE[=TABLE]|DIR", offsetof(struct serve_opts, seed.files),
	 "begin with the tables and items of files that create-table --from and import read; a file of items is named after its table"},
	{"from", 0, OPT_TEXT, "STORE", offsetof(struct serve_opts, seed.from),
	 "begin with a copy of a store, a backup, or the tables of a server"},
	{"infer", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, seed.infer),
	 "with --seed: for CSV, as import --infer"},
	{"background", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, background),
	 "return when it listens; eval \"$(itemctl serve --background)\" sets the variables, kill $ITEMFS_SERVER_PID stops it"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

/* ------------------------------------------------------------ finding itemfs */

static const char *
joined(struct call *c, const char *a, const char *b)
{
	struct buf out;

	buf_init(&out, &c->arena);
	buf_str(&out, a);
	buf_str(&out, b);
	buf_char(&out, '\0');
	return out.at;
}

/* itemfs beside this very program, or where the build leaves it; else whatever PATH has. */
static const char *
find_itemfs(struct call *c)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');

		*slash = '\0';
		const char *beside = joined(c, self, "/itemfs");
		const char *built = joined(c, self, "/../fs/itemfs");

		if (access(beside, X_OK) == 0) {
			return beside;
		}
		if (access(built, X_OK) == 0) {
			return built;
		}
	}
	return "itemfs";
}

/* "NAME=" and its value, or a word alone and "", as itemfs reads it behind -o, after those before it; NULL: nothing to add. */
static void
add_option(struct buf *b, const char *name, const char *value)
{
	if (value == NULL) {
		return;
	}
	buf_str(b, b->len == 0 ? "" : ",");
	buf_str(b, name);
	for (; *value != '\0'; value++) {
		if (*value == ',' || *value == '\\') {
			buf_char(b, '\\');
		}
		buf_char(b, *value);
	}
}

/* Never returns when it works. */
static int
become_itemfs(struct call *c, const char *program, const char *store, const struct serve_opts *o,
	      const char *note)
{
	const char *argv[] = {"itemfs", store, "--no-mount", "-f", "--create", NULL, NULL, NULL};
	struct buf options;

	buf_init(&options, &c->arena);
	add_option(&options, "listen=", o->listen);
	add_option(&options, "note=", o->listen == NULL ? NULL : note);
	add_option(&options, "credentials=", o->credentials);
	add_option(&options, "cors=", o->cors);
	add_option(&options, "host=", o->names);
	add_option(&options, "patterns=", o->patterns);
	add_option(&options, "ttl_sweep=", o->ttl_sweep);
	add_option(&options, "web", o->web ? "" : NULL);
	if (options.len > 0) {
		argv[5] = "-o";
		argv[6] = slice_cstr(&c->arena, buf_view(&options));
	}
	(void)dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	(void)signal(SIGPIPE, SIG_DFL);
	private_umask_end();
	(void)execvp(program, (char **)argv);
	return call_fail(c, ERR_IO, "%s cannot be started: %s", program, strerrordesc_np(errno));
}

/* ------------------------------------------------------------ --temp */

/*
 * The process that takes @dir away when nobody has the other end of @server's pipe any more.  No
 * signal but KILL ends it before, as all are blocked, no terminal's either, and it holds no output open that somebody
 * reads to its end.
 */
static void
remove_when_ended(const char *dir, const int server[2])
{
	char nothing;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		(void)dup2(null, fd);
	}
	(void)close(server[1]);
	while (read(server[0], &nothing, 1) < 0 && errno == EINTR) {
	}
	folder_remove(dir);
	_exit(0);
}

static int
serve_temp(struct call *c, const struct serve_plan *p)
{
	struct scratch scratch;
	int server[2]; /* a pipe: its writing end is itemfs's as long as that lives */
	int r = scratch_make(c, &scratch);

	if (r < 0) {
		return r;
	}
	pid_t child = pipe(server) == 0 ? fork() : -1;

	if (child == 0) {
		remove_when_ended(scratch.at.path, server);
	}
	if (child < 0) {
		r = call_fail(c, ERR_IO, "no process to take a temporary store away: %s",
			      strerrordesc_np(errno));
		scratch_remove(&scratch);
		return r;
	}
	scratch_leave(&scratch);
	(void)close(server[0]);
	(void)fcntl(scratch.at.fd, F_SETFD, 0); /* locked as long as itemfs lives, too */
	const char *store = scratch.at.path;

	if (seed_is_wanted(&p->o.seed)) {
		r = seed_fill(p->ctl, c, &p->o.seed, scratch.at.path, &store);
	}
	r = r < 0 ? r : become_itemfs(c, p->program, store, &p->o, p->note);
	free(scratch.at.path);
	return r;
}

/* ------------------------------------------------------------ serve */

/* Reachable from elsewhere, and only that is wrong with it: all that it takes, ready to paste. */
static int
check_reach(struct call *c, const struct serve_opts *o, const char *store)
{
	struct call own;
	struct buf named;

	if (o->listen == NULL || o->credentials != NULL) {
		return 0;
	}
	call_open(&own, c->now_ms, CTL_BUDGET);
	bool near = endpoint_check_tcp(&own, o->listen, false) == 0;

	call_close(&own);
	call_open(&own, c->now_ms, CTL_BUDGET);
	bool address = endpoint_check_tcp(&own, o->listen, true) == 0;

	call_close(&own);
	if (near || !address) {
		return 0; /* or it is refused for what it is */
	}
	buf_init(&named, &c->arena);
	if (store != NULL) {
		buf_str(&named, "-s ");
		shell_word(&named, slice_from(store));
		buf_char(&named, ' ');
	}
	return call_fail(
		c, ERR_USAGE,
		"%s can be reached from other machines: only with credentials, so that not "
		"everybody there owns the store. This makes a file of them:\n"
		"(umask 077; printf '[default]\\naws_access_key_id = me\\naws_secret_access_key "
		"= %%s\\n' \"$(head -c 24 /dev/urandom | base64)\" >keys)\n"
		"itemctl %.*sserve --listen %s --credentials keys",
		o->listen, SLICE_ARG(buf_view(&named)), o->listen);
}

/* Who cannot listen makes no new store: itemfs learns of it when the store is there. */
static int
check_listen(struct ctl *ctl, struct call *c, const struct serve_opts *o)
{
	int fd = -1;
	int port;

	if (o->listen == NULL || !ctl_store_is_new(ctl, c)) {
		return 0;
	}
	int r = endpoint_listen_tcp(c, o->listen, o->credentials != NULL, &fd, &port);

	ctl->unopened = r < 0;
	if (r == 0) {
		(void)close(fd);
	}
	return r;
}

/* -dbPath . where DynamoDB Local has its file among others. */
static int
check_folder(const struct ctl *ctl, struct call *c)
{
	struct buf path;
	DIR *dir = ctl_store_is_new(ctl, c) ? opendir(ctl->store) : NULL;
	bool used = false;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads this stream */
	for (struct dirent *e; dir != NULL && !used && (e = readdir(dir)) != NULL;) {
		used = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
	if (!used) {
		return 0;
	}
	buf_init(&path, &c->arena);
	shell_word(&path, slice_from(ctl->store));
	buf_str(&path, slice_ends(buf_view(&path), SLICE("/")) ? "db" : "/db");
	return call_fail(
		c, ERR_USAGE,
		"%s is not a store: it has other files and no FORMAT of itemfs. A store in "
		"it is made by: itemctl -s %.*s serve",
		ctl->store, SLICE_ARG(buf_view(&path)));
}

/* Ports of this machine: itemfs listens on the first that is free. */
static const char *
address_of(struct call *c, int first, int last)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, last == first ? "127.0.0.1:%d" : "127.0.0.1:%d-%d", first, last);
	return slice_cstr(&c->arena, buf_view(&b));
}

/* --listen 8000: a port alone. */
static bool
is_address_number(const char *text)
{
	struct slice s = slice_from(text);

	return ascii_digits_end(s, 0) == s.len;
}

static const char *
digits_of(struct call *c, uint64_t n)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%llu", (unsigned long long)n);
	return slice_cstr(&c->arena, buf_view(&b));
}

static int
choose_address(struct call *c, struct serve_opts *o)
{
	if (o->port.given && o->listen != NULL && strchr(o->listen, ':') == NULL &&
	    strcmp(o->listen, "none") != 0 && !is_address_number(o->listen)) {
		o->listen = joined(c, o->listen, joined(c, ":", digits_of(c, o->port.n)));
		return 0;
	}
	if (o->port.given && o->listen != NULL) {
		return call_fail(c, ERR_USAGE, "--port and --listen: one of them");
	}
	if (o->port.given && o->port.n > UINT16_MAX) {
		return call_fail(c, ERR_USAGE, "--port is 0 to %d", UINT16_MAX);
	}
	if (o->port.given) {
		o->listen = address_of(c, (int)o->port.n, (int)o->port.n);
		return 0;
	}
	if (o->listen == NULL) {
		o->listen = address_of(c, ENDPOINT_PORT, ENDPOINT_PORT + SERVE_PORTS - 1);
		return 0;
	}
	o->listen = strcmp(o->listen, "none") == 0 ? NULL : endpoint_address(c, o->listen);
	return 0;
}

static const char *
note_of(struct call *c, const struct serve_plan *p)
{
	const char *end = p->o.background ? "" : " (Ctrl-C)";
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b,
		p->store == NULL ? "# A store in memory: it is gone when this server ends%s."
				 : "# The store stays when this server ends%s.",
		end);
	buf_char(&b, '\0');
	return b.at;
}

/* Is the word where to listen, rather than a store? */
static bool
is_address(const char *word)
{
	struct slice s = slice_from(word);

	return strcmp(word, "localhost") == 0 || is_address_number(word) ||
	       (strchr(word, '/') == NULL && strchr(word, ':') != NULL) ||
	       (ascii_digit(word[0]) && strspn(word, "0123456789.") == s.len);
}

/* serve 8000, serve localhost:8000, serve STORE */
static int
take_word(struct ctl *ctl, struct call *c, struct serve_opts *o, const char *word)
{
	struct stat st;

	if (is_address(word)) {
		if (o->listen != NULL || o->port.given) {
			return call_fail(c, ERR_USAGE, "--port, --listen and %s: one of them",
					 word);
		}
		o->listen = word;
		return 0;
	}
	if (ctl->store_given) {
		return call_fail(c, ERR_USAGE, "-s and %s: one of them", word);
	}
	if (stat(word, &st) != 0) {
		return call_fail(
			c, ERR_USAGE,
			"there is no store at %s: itemctl -s %s serve makes one; a program "
			"beside a server is run with: itemctl serve -- %s",
			word, word, word);
	}
	ctl->store_given = true;
	return find_store(c, word, &ctl->store);
}

/* --host: a name, or where to listen, as other servers call it. */
static int
take_hosts(struct call *c, struct serve_opts *o)
{
	struct buf names;

	buf_init(&names, &c->arena);
	for (size_t i = 0; i < o->host.n; i++) {
		const char *word = o->host.at[i];
		const char *colon = strchr(word, ':');

		if (colon != NULL && colon == strrchr(word, ':') && !ascii_digit(word[0]) &&
		    ascii_word(word[0]) && strncmp(word, "localhost:", 10) != 0) {
			return call_fail(c, ERR_USAGE, "--host %s: a name without a port", word);
		}
		if (!is_address(word)) {
			buf_str(&names, names.len == 0 ? "" : ":");
			buf_str(&names, word);
		} else if (o->listen != NULL) {
			return call_fail(c, ERR_USAGE, "--listen %s and --host %s: one of them",
					 o->listen, word);
		} else {
			o->listen = word;
		}
	}
	o->names = names.len == 0 ? NULL : slice_cstr(&c->arena, buf_view(&names));
	return o->names != NULL && o->listen != NULL && strcmp(o->listen, "none") == 0
		       ? call_fail(c, ERR_USAGE,
				   "--host %s: --listen none has no address that could have a name",
				   o->names)
		       : 0;
}

static int
become(struct call *c, const void *plan)
{
	const struct serve_plan *p = plan;

	return p->store == NULL ? serve_temp(c, p)
				: become_itemfs(c, p->program, p->store, &p->o, p->note);
}

/* --background, and a program beside the server. */
static int
serve_beside(struct ctl *ctl, struct call *c, const struct serve_plan *p, const struct words *words)
{
	const char *const *program =
		words->dashes && words->n > words->before ? words->at + words->before : NULL;
	struct background server;
	int r = background_start(c, become, p, program != NULL, &server);

	if (r != 0) {
		return r;
	}
	if (program != NULL) {
		struct words argv = {0};

		for (size_t i = words->before; i < words->n; i++) {
			words_add(c, &argv, words->at[i]);
		}
		words_add(c, &argv, NULL);
		background_exports(c, &server);
		return background_run(&server, argv.at);
	}
	buf_fmt(&ctl->out.sink.buf, "# %.*sexport ITEMFS_SERVER_PID=%ld\n",
		SLICE_ARG(buf_view(&server.said)), (long)server.pid);
	return 0;
}

/* The store that is served: NULL one of its own, which an endpoint in the environment does not forbid. */
static const char *
serve_store(const struct ctl *ctl, const struct serve_opts *o)
{
	bool named = ctl->store != NULL && *ctl->store != '\0' &&
		     (ctl->store_given || !store_is_remote(ctl->store));

	return o->temp || seed_is_wanted(&o->seed) || !named ? NULL : ctl->store;
}

/* --temp, --seed and --from are of a store in memory. */
static int
check_own_store(const struct ctl *ctl, struct call *c, const struct serve_opts *o)
{
	if (o->seed.infer && o->seed.files.n == 0) {
		return call_fail(c, ERR_USAGE, "--infer goes with --seed FILE.csv");
	}
	if (!ctl->store_given || !(o->temp || seed_is_wanted(&o->seed))) {
		return 0;
	}
	return seed_is_wanted(&o->seed)
		       ? seed_no_temp(c, ctl->store)
		       : call_fail(c, ERR_USAGE,
				   "--temp serves a store of its own, in memory: leave out -s "
				   "(-dbPath), or --temp (-inMemory) to serve that store");
}

static int
run_serve(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct serve_plan p = {
		.ctl = ctl, .program = find_itemfs(c), .o = *(const struct serve_opts *)opts};
	size_t own = words->dashes ? words->before : words->n;
	bool program = words->dashes && words->n > own;
	int r = own == 0 ? 0 : take_word(ctl, c, &p.o, words->at[0]);

	r = r < 0 ? r : take_hosts(c, &p.o);
	r = r < 0 ? r : serve_patterns(c, p.o.patterns, &p.o.patterns);
	if (own > 1) {
		return call_fail(c, ERR_USAGE, "serve: too many words, from \"%s\" on",
				 words->at[1]);
	}
	r = r < 0 ? r : check_own_store(ctl, c, &p.o);
	if (program && p.o.listen == NULL && !p.o.port.given) {
		p.o.listen = "127.0.0.1:0"; /* nobody needs to know it beforehand */
	}
	r = r < 0 ? r : choose_address(c, &p.o);
	if (r < 0) {
		return r;
	}
	p.store = serve_store(ctl, &p.o);
	p.note = note_of(c, &p);
	if (p.store != NULL && store_is_remote(p.store)) {
		return call_fail(
			c, ERR_USAGE,
			"serve needs a store directory, not %s; without -s it serves a store "
			"in memory",
			url_shown(&c->arena, p.store));
	}
	r = check_reach(c, &p.o, p.store);
	r = r < 0 || p.store == NULL ? r : check_listen(ctl, c, &p.o);
	r = r < 0 || p.store == NULL ? r : check_folder(ctl, c);
	if (r < 0) {
		return r;
	}
	return program || p.o.background ? serve_beside(ctl, c, &p, words) : become(c, &p);
}

const struct command cmd_serve = {
	.name = "serve",
	.no_dry = "serve changes nothing by itself: --dry-run is not for it",
	.usage = "[--port N | --listen ADDR:PORT] [--credentials FILE [--web]] [--cors ORIGIN] "
		 "[--host NAME] [--patterns FILE] [--ttl-sweep SEC] [--temp] [--from STORE] "
		 "[--seed FILE[=TABLE]|DIR]... [--infer] [--background] [-- PROGRAM WORD...]",
	.summary = "DynamoDB's protocol from a store, or from one in memory",
	.details =
		"Listens on 127.0.0.1:8000, or the next free port, until a signal, and prints the\n"
		"variables that SDKs need. Without a store it serves an empty one in memory. It has pages\n"
		"for a browser: tables, item collections, patterns, live changes. --seed fills the store\n"
		"in memory with tables and items from all files that import and create-table --from read:\n"
		"first all definitions, then all items. The items of songs.jsonl go into the table songs,\n"
		"those of songs.jsonl=TABLE into TABLE. A DIR stands for its files. --from copies a store\n"
		"or a backup at one moment, or a server's tables. With PROGRAM, such as a test command,\n"
		"it listens on a free port, runs the program with the endpoint in its environment, ends\n"
		"with it and returns its exit status.",
	.examples = "itemctl serve\n"
		    "itemctl -s STORE serve --port 8001\n"
		    "itemctl serve --seed songs.json --seed songs.jsonl=fresh\n"
		    "itemctl serve --from STORE -- npm test\n"
		    "itemctl serve --listen 0.0.0.0:8000 --credentials keys --web\n",
	.opts = serve_opts,
	.opts_bytes = sizeof(struct serve_opts),
	.no_store = true,
	.max_words = SIZE_MAX,
	.run = run_serve,
};
