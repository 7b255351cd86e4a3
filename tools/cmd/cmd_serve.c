/* cmd_serve - serve: serves a store, or one in memory, without a mount */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/cli/serve_address.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/serve_keeper.h"
#include "tools/cmd/serve_process.h"
#include "tools/load/seed.h"
#include "tools/patterns/serve_patterns.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/other_store.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

static const struct opt serve_opts[] = {
	{"listen", 0, OPT_TEXT, "ADDR:PORT", offsetof(struct serve_opts, at.listen),
	 "listen there instead of on 127.0.0.1:8000 or the next free port; port 0: any free port; none: only the store's own socket"},
	{"port", 'p', OPT_COUNT, "N", offsetof(struct serve_opts, at.port), "on 127.0.0.1:N"},
	{"port-file", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, port_file),
	 "write the port to FILE when it listens"},
	{"credentials", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, credentials),
	 "accept only requests signed with a key in FILE; required for addresses other than loopback, without --trust-network"},
	{"trust-network", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, trust_network),
	 "accept requests of any machine and for any host name without credentials: for a container's network; all its programs may read and change the store"},
	{"cors", 0, OPT_TEXT, "ORIGIN", offsetof(struct serve_opts, cors),
	 "allow web pages of this origin, such as http://localhost:3000; *: any"},
	{"host", 0, OPT_LIST, "NAME", offsetof(struct serve_opts, at.host),
	 "also accept this host name in requests, such as a container's service name; an address means the same as --listen"},
	{"patterns", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, patterns),
	 "show these access patterns, a file of run, on the pages for a browser"},
	{"log", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, log),
	 "append a line for each request to FILE; -: standard error"},
	{"web", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, web),
	 "with --credentials: also serve the pages for a browser, below a secret path"},
	{"ttl-sweep", 0, OPT_TEXT, "SEC", offsetof(struct serve_opts, ttl_sweep),
	 "seconds between two sweeps of expired items; default: 2, in a large store up to 60; 0: no sweeps"},
	{"temp", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, temp),
	 "a store in memory-backed storage, gone at exit; the default without a store"},
	{"seed", 0, OPT_LIST, "FILE[=TABLE]|DIR", offsetof(struct serve_opts, seed.files),
	 "begin with the tables and items of files that create-table --from and import read; a file of items is named after its table"},
	{"from", 0, OPT_TEXT, "STORE", offsetof(struct serve_opts, seed.from),
	 "begin with a copy of a store, a backup, or the tables of a server"},
	{"infer", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, seed.infer),
	 "with --seed: for CSV, as import --infer"},
	{"background", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, background),
	 "return when it listens; eval \"$(itemctl serve --background)\" sets the variables, itemctl stop stops it"},
	{"print-port", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, print_port),
	 "--background, and prints only the port: PORT=$(itemctl serve --port 0 --print-port)"},
	{"ends-with", 0, OPT_COUNT, "PID", offsetof(struct serve_opts, ends_with),
	 "also end when this process ends, in any way: itemctl serve --background --ends-with $$"},
	OPTS_END(struct serve_opts),
};

/* ------------------------------------------------------------ serve */

/* Refuse a directory that is not a store but has other files, such as -dbPath . of DynamoDB Local. */
static int
check_folder(const struct ctl *ctl, struct call *c)
{
	struct buf path = {.arena = &c->arena};
	DIR *dir = ctl_store_is_new(ctl, c) ? opendir(ctl->store) : NULL;
	bool used = false;

	for (const char *name; !used && (name = folder_next(dir)) != NULL;) {
		used = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
	if (!used) {
		return 0;
	}
	shell_word(&path, slice_from(ctl->store));
	buf_str(&path, slice_ends(buf_view(&path), SLICE("/")) ? "db" : "/db");
	return call_fail(
		c, ERR_USAGE,
		"%s is not a store: it has other files and no FORMAT of itemfs. To create a store "
		"in it: itemctl -s %.*s serve",
		ctl->store, SLICE_ARG(buf_view(&path)));
}

/* Fail because the word is no store; say how to make one, and how to run a program beside a server. */
static int
no_store_there(struct call *c, const struct serve_opts *o, const struct words *words)
{
	const char *word = words->at[0];
	struct buf program = {.arena = &c->arena};
	struct buf b = {.arena = &c->arena};

	if (find_store_meant(&b, word, false)) {
		return call_fail(c, ERR_USAGE, "there is no store at %s; %.*s", word,
				 SLICE_ARG(buf_view(&b)));
	}
	if (o->temp && typed_line_change(word, (struct slice){0}) &&
	    typed_line_with(&b, SLICE(""), SLICE(""))) {
		return call_fail(c, ERR_USAGE,
				 "there is no store at %s; for an empty store in memory: %.*s",
				 word, SLICE_ARG(buf_view(&b)));
	}
	if ((words->n == 1 || words->dashes) &&
	    typed_line_insert(&b, slice_from(word), SLICE("-s"))) {
		buf_str(&b, " creates one");
	}
	if (words->dashes && b.len > 0) {
		return call_fail(c, ERR_USAGE, "there is no store at %s: %.*s", word,
				 SLICE_ARG(buf_view(&b)));
	}
	if (!typed_line_insert(&program, slice_from(word), SLICE("--"))) {
		buf_fmt(&program, "itemctl serve -- %s", word);
	}
	return call_fail(c, ERR_USAGE,
			 "there is no store at %s: %.*s%sto run a program with a server: %.*s",
			 word, SLICE_ARG(buf_view(&b)), b.len > 0 ? "; " : "",
			 SLICE_ARG(buf_view(&program)));
}

/*
 * Return true if the word is a new store, which is created as sqlite3 does.  It must be the only word, and there must
 * be no suggestion for it, such as an existing store with a similar name.  Unless it is a path or NAME.db, it must be
 * neither a program nor a command.
 */
static bool
serve_makes(struct call *c, const char *word, const struct serve_opts *o, const struct words *words)
{
	cleanup(buf_release) struct buf b = {0};
	bool plain = word[strcspn(word, " .=;|&$")] == '\0' && commands_find(word) == NULL &&
		     synonyms_command(word) == NULL && !no_file_runs(c, word);

	return (words->dashes ? words->before : words->n) == 1 && !o->temp &&
	       !seed_is_wanted(&o->seed) && (plain || find_store_looks(word)) &&
	       !find_store_meant(&b, word, false);
}

/* Use the first word: a port, an address, a store or :memory:. */
static int
cmd_serve_take_word(struct ctl *ctl, struct call *c, struct serve_opts *o,
		    const struct words *words)
{
	assert(words->n > 0);
	const char *word = words->at[0];
	struct stat st;

	if (strcmp(word, ":memory:") == 0) {
		o->temp = true;
		return 0;
	}
	if (serve_address_is(word)) {
		if (o->at.listen != NULL || o->at.port.given) {
			return call_fail(c, ERR_USAGE, "give only one of --port, --listen and %s",
					 word);
		}
		o->at.listen = word;
		return 0;
	}
	if (stat(word, &st) != 0 && !ctl->store_given && serve_makes(c, word, o, words)) {
		ctl->store_given = true;
		ctl->store = word;
		ctl_note(ctl, "creating a new store: %s", word);
		return 0;
	}
	if (stat(word, &st) != 0) {
		return no_store_there(c, o, words);
	}
	if (ctl->store_given) {
		return call_fail(c, ERR_USAGE, "give only one of -s and %s", word);
	}
	if (S_ISREG(st.st_mode)) {
		struct buf b = {.arena = &c->arena};

		if (!typed_line_insert(&b, slice_from(word), SLICE("--seed"))) {
			buf_str(&b, "itemctl serve --seed FILE");
		}
		return call_fail(c, ERR_USAGE,
				 "%s is a file, not a store. To serve its tables or items: %.*s",
				 word, SLICE_ARG(buf_view(&b)));
	}
	ctl->store_given = true;
	return find_store(c, word, &ctl->store);
}

/* Start the server in the background, and run a program beside it if one is given. */
static int
serve_beside(struct ctl *ctl, struct call *c, const struct serve_plan *p, const struct words *words)
{
	const char *const *program =
		words->dashes && words->n > words->before ? words->at + words->before : NULL;
	struct background server;
	int r = background_start(c, p, program != NULL, &server);

	if (r != 0) {
		return r;
	}
	if (program != NULL) {
		struct words argv = {0};

		for (size_t i = words->before; i < words->n; i++) {
			words_add(c, &argv, words->at[i]);
		}
		words_add(c, &argv, NULL);
		r = background_exports(c, &server);
		return r < 0 ? r : background_run(&server, argv.at);
	}
	bool chosen = p->o.port_file == NULL && !isatty(STDOUT_FILENO) && p->o.at.listen != NULL &&
		      slice_ends(slice_from(p->o.at.listen), SLICE(":0"));

	background_tell(ctl, c, &server, p->o.print_port, chosen);
	return 0;
}

/* The store to serve; NULL: a temporary one.  An endpoint in the environment is not a store to serve. */
static const char *
serve_store(const struct ctl *ctl, const struct serve_opts *o)
{
	bool named = ctl->store != NULL && *ctl->store != '\0' &&
		     (ctl->store_given || !store_is_remote(ctl->store));

	return o->temp || seed_is_wanted(&o->seed) || !named ? NULL : ctl->store;
}

/* Refuse --temp, --seed and --from together with a store. */
static int
check_own_store(const struct ctl *ctl, struct call *c, const struct serve_opts *o)
{
	if (o->seed.infer && o->seed.files.n == 0) {
		return call_fail(c, ERR_USAGE, "--infer goes with --seed FILE.csv");
	}
	if (!ctl->store_given || !(o->temp || seed_is_wanted(&o->seed))) {
		return 0;
	}
	if (seed_is_wanted(&o->seed)) {
		return seed_no_temp(c, ctl->store);
	}
	struct buf b = {.arena = &c->arena};

	fmt_shell(
		&b,
		"--temp (-inMemory) serves a store of its own: leave it out to serve %, or serve a "
		"copy of it in memory: itemctl serve --from %",
		slice_from(ctl->store), slice_from(ctl->store));
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

/*
 * Create the log file before itemfs starts.  For "-" a copy of the present standard error is kept open, because a
 * server in the background has another one.
 */
static int
serve_log(struct call *c, struct serve_opts *o)
{
	bool errors = o->log != NULL && strcmp(o->log, "-") == 0;
	int fd = o->log == NULL ? -1
		 : errors       ? fcntl(STDERR_FILENO, F_DUPFD, STDERR_FILENO + 1)
				: open(o->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

	if (o->log != NULL && fd < 0) {
		return no_file_made(c, o->log);
	}
	if (errors) {
		o->log = arena_print(&c->arena, "/proc/self/fd/%d", fd);
	} else if (fd >= 0) {
		(void)close(fd);
	}
	return 0;
}

/* If --seed or --temp names a store, serve a copy of it in memory. */
static void
serve_copy(struct ctl *ctl, struct call *c, struct serve_opts *o)
{
	struct seed *seed = &o->seed;

	if (seed->from == NULL && seed->files.n == 1 &&
	    other_store_is(c, slice_from(seed->files.at[0]))) {
		seed->from = seed->files.at[0];
		seed->files.n = 0;
	}
	if (o->temp && ctl->store_given && !seed_is_wanted(seed) && ctl->store != NULL &&
	    (store_is_remote(ctl->store) || other_store_is(c, slice_from(ctl->store)))) {
		seed->from = ctl->store;
		ctl->store_given = false;
		ctl_note(ctl, "serving a copy of %s in memory; the original does not change",
			 url_shown(&c->arena, ctl->store));
	}
}

/* If no store is named, but exactly one is here, say that an empty one is served. */
static void
serve_say_empty(const struct ctl *ctl, struct call *c, const struct serve_plan *p, bool program)
{
	struct buf b = {.arena = &c->arena};

	if (p->store == NULL && !program && !p->o.temp && !seed_is_wanted(&p->o.seed) &&
	    find_store_meant(&b, NULL, false) &&
	    slice_starts(buf_view(&b), SLICE("did you mean: "))) {
		ctl_note(ctl, "no store was named, so an empty one is served; %.*s",
			 SLICE_ARG(buf_view(&b)));
	}
}

static int
serve_check_directory(struct call *c, const char *store)
{
	return store == NULL || !store_is_remote(store)
		       ? 0
		       : call_fail(c, ERR_USAGE,
				   "serve needs a store directory, not %s; without -s it serves a "
				   "store in memory",
				   url_shown(&c->arena, store));
}

/* Use the first word, and the options that name what the server needs. */
static int
serve_take_options(struct call *c, struct serve_plan *p, const struct words *words, size_t own)
{
	int r = own == 0 ? 0 : cmd_serve_take_word(p->ctl, c, &p->o, words);

	r = r < 0 ? r : serve_address_hosts(c, &p->o.at);
	r = r < 0 ? r : serve_patterns(c, p->o.patterns, &p->o.patterns);
	return r < 0 ? r : serve_keeper_watch(c, &p->o.ends_with, &p->watched);
}

static int
run_serve(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct serve_plan p = {.ctl = ctl, .watched = -1, .o = *(const struct serve_opts *)opts};
	size_t own = words->dashes ? words->before : words->n;

	p.o.background |= p.o.print_port;
	bool program = words->dashes && words->n > own;
	int r = serve_take_options(c, &p, words, own);

	if (own > 1) {
		return call_fail(c, ERR_USAGE, "serve: too many words, from \"%s\" on",
				 words->at[1]);
	}
	serve_copy(ctl, c, &p.o);
	r = r < 0 ? r : check_own_store(ctl, c, &p.o);
	if (program && p.o.at.listen == NULL && !p.o.at.port.given) {
		p.o.at.listen = "127.0.0.1:0"; /* the program gets the port in its environment */
	}
	r = r < 0 ? r : serve_address_choose(c, &p.o.at);
	if (r < 0) {
		return r;
	}
	p.store = serve_store(ctl, &p.o);
	serve_say_empty(ctl, c, &p, program);
	p.o.quiet = ctl->quiet && !program && !p.o.background;
	r = serve_check_directory(c, p.store);
	bool anywhere = p.o.credentials != NULL || p.o.trust_network;
	r = r < 0 ? r : serve_address_reach(c, &p.o.at, anywhere, p.store);
	r = r < 0 ? r : serve_address_check(c, &p.o.at, anywhere);
	ctl->unopened = r == -ERR_IO;
	r = r < 0 || p.store == NULL ? r : check_folder(ctl, c);
	r = r < 0 ? r : serve_log(c, &p.o);
	return r < 0                       ? r
	       : program || p.o.background ? serve_beside(ctl, c, &p, words)
					   : serve_process_become(c, &p);
}

const struct command cmd_serve = {
	.id = COMMAND_SERVE,
	.name = "serve",
	.no_dry = "serve changes nothing by itself: it takes no --dry-run",
	.usage =
		"[--port N | --listen ADDR:PORT] [--credentials FILE [--web] | --trust-network] [--cors ORIGIN] "
		"[--port-file FILE] [--log FILE] [--host NAME] [--patterns FILE] [--ttl-sweep SEC] [--temp] [--from STORE] "
		"[--seed FILE[=TABLE]|DIR]... [--infer] [--ends-with PID] [--background | --print-port] [-- PROGRAM WORD...]",
	.summary = "serve DynamoDB's protocol from a store, or from one in memory",
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
	.no_store = true,
	.max_words = SIZE_MAX,
	.run = run_serve,
};
