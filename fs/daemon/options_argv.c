/*
 * options_argv - command lines of itemfs and mount.itemfs
 *
 * options.c reads the arguments of -o.
 */
#include "store/base/text/url.h"
#include "store/open.h"

#include "fs/daemon/allowance.h"
#include "fs/daemon/options.h"

/* State of parsing argv.  Arguments without a dash are STORE and MOUNTPOINT, in this order. */
struct reading {
	char **argv;
	int argc;
	int at;
	bool mount_helper; /* mount(8) calls */
	struct options *out;
};

static int
next_value(struct call *c, struct reading *rd, const char *flag, const char **value)
{
	if (rd->at + 1 >= rd->argc) {
		return call_fail(c, ERR_VALIDATION, "%s needs a value", flag);
	}
	*value = rd->argv[++rd->at];
	return 0;
}

static int
options_argv_read_plain(struct call *c, struct reading *rd, const char *arg)
{
	if (rd->out->store == NULL) {
		rd->out->store = arg;
	} else if (rd->out->mountpoint == NULL) {
		rd->out->mountpoint = arg;
	} else if (strcmp(rd->out->store, "mount") == 0) { /* itemfs mount STORE MOUNTPOINT */
		rd->out->store = rd->out->mountpoint;
		rd->out->mountpoint = arg;
	} else {
		const char *store = rd->out->store;
		const char *word;
		bool valued;
		size_t n = strcspn(arg, ",=");
		bool option = options_word(slice_cstr(&c->arena, slice_of(arg, n)), &word, &valued);
		int r = option ? 0 : options_verb(c, store, rd->out->mountpoint, arg);

		return r < 0 ? r
		       : option
			       ? call_fail(
					 c, ERR_VALIDATION,
					 "unexpected argument: %s; an option follows -o: itemfs %s %s -o %s",
					 arg, url_shown(&c->arena, store), rd->out->mountpoint, arg)
			       : call_fail(
					 c, ERR_VALIDATION,
					 "unexpected argument: %s; to mount one table: -o table=%s",
					 arg, arg);
	}
	return 0;
}

/* Read a word of -o that is given as a long option: --table T, --table=T, --read-only. */
static int
read_word_of_o(struct call *c, struct reading *rd, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const char *value = equals == NULL ? NULL : equals + 1;
	const char *name = slice_cstr(
		&c->arena, slice_of(arg, equals == NULL ? strlen(arg) : (size_t)(equals - arg)));
	const char *word;
	bool valued;

	if (!options_word(name, &word, &valued)) {
		const char *advice = options_other(name);

		return call_fail(c, ERR_VALIDATION, "unknown option: --%s%s%s", name,
				 advice == NULL ? "" : ": ", advice == NULL ? "" : advice);
	}
	int r = valued && value == NULL ? next_value(c, rd, rd->argv[rd->at], &value) : 0;

	if (r < 0) {
		return r;
	}
	if (value != NULL) {
		word = arena_print(&c->arena, "%s=%s", word, options_quote(c, value));
	}
	return options_read(c, word, rd->out);
}

/* Options without a value, by their letter or their long name. */
static const struct options_flag {
	char letter; /* '\0': none */
	const char *name;
	size_t offset; /* of the bool of struct options */
} options_flags[] = {
	{'h', "help", offsetof(struct options, help)},
	{'V', "version", offsetof(struct options, version)},
	{'f', "foreground", offsetof(struct options, foreground)},
	{'d', "debug", offsetof(struct options, debug)},
	{'s', "single_thread", offsetof(struct options, single)},
	{'r', "ro", offsetof(struct options, ro)},
	{'\0', "no-mount", offsetof(struct options, no_mount)},
	{'\0', "create", offsetof(struct options, create)},
};

/* Set the flag with this letter or name.  Return: false: there is none */
static bool
options_set_flag(struct options *o, char letter, const char *name)
{
	for (size_t i = 0; i < sizeof(options_flags) / sizeof(options_flags[0]); i++) {
		const struct options_flag *f = &options_flags[i];

		if (name == NULL ? f->letter == letter : strcmp(f->name, name) == 0) {
			*(bool *)((char *)o + f->offset) = true;
			return true;
		}
	}
	return false;
}

static int
read_long(struct call *c, struct reading *rd, const char *arg)
{
	return options_set_flag(rd->out, '\0', arg + 2) ? 0 : read_word_of_o(c, rd, arg + 2);
}

/* mount(8) calls its helpers with [-sfnv] [-N namespace] [-o options] [-t type]. */
static int
read_helper_letter(struct call *c, struct reading *rd, char letter)
{
	const char *ignored;

	switch (letter) {
	case 'f':
		rd->out->fake = true;
		return 0;
	case 'n':
	case 's':
	case 'v':
		return 0;
	case 't':
	case 'N':
		return next_value(c, rd, letter == 't' ? "-t" : "-N", &ignored);
	default:
		return call_fail(c, ERR_VALIDATION, "unknown option: -%c", letter);
	}
}

static int
read_letter(struct call *c, struct reading *rd, char letter)
{
	const char *advice = letter == 'u'   ? "; to unmount: fusermount3 -u MOUNTPOINT"
			     : letter == 'p' ? "; to serve DynamoDB's protocol: -o listen=PORT"
			     : letter == 'v'
				     ? "; to print every request: -d; to print the version: -V"
				     : "";

	return options_set_flag(rd->out, letter, NULL)
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "unknown option: -%c%s", letter, advice);
}

static int
read_letters(struct call *c, struct reading *rd, const char *arg)
{
	if (strcmp(arg, "-ro") == 0 && !rd->mount_helper) { /* means -r, not -r and -o */
		arg = "-r";
	}
	for (const char *p = arg + 1; *p != '\0'; p++) {
		const char *text = p + 1;
		int r;

		if (*p == 'o') {
			r = *text == '\0' ? next_value(c, rd, "-o", &text) : 0;
			return r < 0 ? r : options_read(c, text, rd->out);
		}
		r = rd->mount_helper ? read_helper_letter(c, rd, *p) : read_letter(c, rd, *p);
		if (r < 0) {
			return r;
		}
	}
	return 0;
}

static int
read_argument(struct call *c, struct reading *rd)
{
	const char *arg = rd->argv[rd->at];

	if (arg[0] != '-' || arg[1] == '\0') {
		return options_argv_read_plain(c, rd, arg);
	}
	return arg[1] == '-' ? read_long(c, rd, arg) : read_letters(c, rd, arg);
}

/* Refuse options for an endpoint that only the process that serves a store can have. */
static int
check_endpoint(struct call *c, const struct options *o)
{
	const char *what = o->create          ? "--create"
			   : o->no_mount      ? "--no-mount"
			   : o->listen        ? "-o listen="
			   : o->has_ttl_sweep ? "-o ttl_sweep="
					      : NULL;

	return what == NULL
		       ? 0
		       : call_fail(
				 c, ERR_VALIDATION,
				 "%s is only for a store in a directory: %s is served by another process",
				 what, url_shown(&c->arena, o->store));
}

/* The only argument may be a mount point, because itemctl reads its store from the environment. */
static int
no_mountpoint(struct call *c, const struct options *o)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread is started yet */
	const char *store = getenv("ITEMFS_STORE");
	int r = options_verb(c, o->store, NULL, NULL);

	if (r < 0) {
		return r;
	}
	if (store != NULL && strcmp(store, o->store) != 0) {
		return call_fail(
			c, ERR_VALIDATION,
			"MOUNTPOINT is missing; only itemctl reads ITEMFS_STORE: itemfs %s %s",
			url_shown(&c->arena, store), o->store);
	}
	return call_fail(c, ERR_VALIDATION, "MOUNTPOINT is missing: itemfs %s MOUNTPOINT",
			 url_shown(&c->arena, o->store));
}

static int
options_argv_check_words(struct call *c, const struct options *o)
{
	if (o->store == NULL) {
		return call_fail(c, ERR_VALIDATION, "STORE and MOUNTPOINT are missing");
	}
	if (store_is_remote(o->store)) {
		int r = check_endpoint(c, o);

		if (r < 0) {
			return r;
		}
	} else if (strstr(o->store, "://") != NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "%s: an endpoint is http://HOST:PORT, https://HOST:PORT or "
				 "dynamodb:REGION",
				 url_shown(&c->arena, o->store));
	}
	if (o->mountpoint == NULL && !o->no_mount) {
		return no_mountpoint(c, o);
	}
	if (o->mountpoint != NULL && o->no_mount) {
		return call_fail(c, ERR_VALIDATION, "--no-mount takes no mount point: %s",
				 o->mountpoint);
	}
	if (o->has_max_delete && o->allow_mass_delete) {
		return call_fail(c, ERR_VALIDATION,
				 "give only one of -o max_delete= and -o allow_mass_delete");
	}
	if (o->index != NULL && o->table == NULL) {
		return call_fail(c, ERR_VALIDATION, "-o index=%s needs table=", o->index);
	}
	if (o->listen == NULL &&
	    (o->credentials != NULL || o->cors != NULL || o->host != NULL || o->patterns != NULL ||
	     o->request_log != NULL || o->web || o->trust_network)) {
		return call_fail(c, ERR_VALIDATION, "-o %s needs listen=",
				 o->credentials != NULL   ? "credentials="
				 : o->cors != NULL        ? "cors="
				 : o->host != NULL        ? "host="
				 : o->patterns != NULL    ? "patterns="
				 : o->request_log != NULL ? "request_log="
				 : o->web                 ? "web"
							  : "trust_network");
	}
	if (o->token != NULL && !o->web) {
		return call_fail(c, ERR_VALIDATION, "-o token= needs web");
	}
	return 0;
}

/* Guard data on another machine against accidental mass deletes. */
static void
limit_deletes(struct options *o)
{
	enum { MAX_DELETE = 100 };

	if (!o->has_max_delete && !o->allow_mass_delete && url_is_far(o->store)) {
		o->has_max_delete = true;
		o->max_delete = MAX_DELETE;
	}
}

/* Guard data on another machine against accidental writes. */
static void
guard_endpoint(struct call *c, struct options *o)
{
	if (o->ro || o->write || !url_is_far(o->store)) {
		return;
	}
	o->ro = o->ro_by_itself = true;
	o->ro_why = arena_print(
		&c->arena,
		"this mount is read-only because %s is not on this machine; to allow writes: -o %s",
		url_shown(&c->arena, o->store), o->helper ? "write" : "rw");
}

/* For a directory, max_read= is the option of libfuse: bytes of a READ. */
static int
limit_endpoint(struct call *c, struct options *o)
{
	if (o->has_max_read && !store_is_remote(o->store)) {
		o->kernel = arena_print(&c->arena, "%s%smax_read=%u", o->kernel,
					o->kernel[0] == '\0' ? "" : ",", o->max_read);
		o->has_max_read = false;
	}
	return allowance_check(c, o);
}

int
options_parse(struct call *c, int argc, char **argv, struct options *out)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *name = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "";
	struct reading rd = {.argv = argv, .argc = argc, .out = out};

	*out = (struct options){.kernel = ""};
	rd.mount_helper = strcmp(name, "mount.itemfs") == 0;
	out->helper = rd.mount_helper;
	if (!rd.mount_helper && options_program(c, argc, argv) < 0) {
		return -(int)c->error.code;
	}
	for (rd.at = 1; rd.at < argc; rd.at++) {
		int r = read_argument(c, &rd);

		if (r < 0) {
			return r;
		}
	}
	/* A single argument "help" or "version" is no store. */
	if (out->store != NULL && out->mountpoint == NULL) {
		out->help = out->help || strcmp(out->store, "help") == 0;
		out->version = out->version || strcmp(out->store, "version") == 0;
	}
	if (out->help || out->version) {
		return 0;
	}
	out->foreground = out->foreground || out->debug;
	int r = options_argv_check_words(c, out);

	if (r == 0) {
		guard_endpoint(c, out);
		limit_deletes(out);
		r = limit_endpoint(c, out);
	}
	return r;
}
