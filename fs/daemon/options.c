/*
 * The words behind -o, of a command line (options_argv.c) or of a mount that joins.
 * Whether a store, a table or a mount point is there is not known here.
 */
#include "fs/daemon/options.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "store/base/core/buf.h"
#include "store/base/text/near.h"

#include "fs/daemon/options_other.h"

enum kind {
	WORD_FLAG, /* a bool of struct options */
	WORD_TEXT, /* a string of struct options */
	WORD_UID,
	WORD_GID,
	WORD_UMASK,
	WORD_TIMEOUT,
	WORD_SWEEP,
	WORD_ANSWER,
	WORD_DELETES,
	WORD_MAX_READ, /* units of an endpoint; of a store of our own the kernel's bytes */
	WORD_CONFLICT,
	WORD_WRITE,   /* an endpoint that is not on loopback is to be written */
	WORD_RW,      /* likewise, unless mount(8) calls, which always says it */
	WORD_KERNEL,  /* handed on to libfuse as it is */
	WORD_NOTHING, /* true anyway */
	WORD_FSTAB,   /* for other readers of /etc/fstab */
	WORD_LATER,   /* named in the manual of a later version */
	WORD_NEVER,   /* understood, and refused */
};

struct word {
	const char *name;
	enum kind kind;
	bool valued;   /* stands with =VALUE */
	size_t offset; /* WORD_FLAG, WORD_TEXT: the member */
};

#define FLAG(name, member) \
	{ \
		name, WORD_FLAG, false, offsetof(struct options, member) \
	}
#define TEXT(name) \
	{ \
#name, WORD_TEXT, true, offsetof(struct options, name) \
	}

static const struct word words[] = {
	TEXT(table),
	TEXT(index),
	TEXT(suffix),
	TEXT(listen),
	TEXT(credentials),
	TEXT(cors),
	TEXT(host),
	TEXT(patterns),
	TEXT(request_log),
	TEXT(note),
	TEXT(port_file),
	TEXT(token),
	TEXT(rate),
	TEXT(ro_why), /* of the process that joins, for the one that has the store */
	FLAG("quiet", quiet),
	FLAG("web", web),
	FLAG("ro", ro),
	FLAG("pretty", pretty),
	FLAG("typed", typed),
	FLAG("sync", sync),
	FLAG("dotdirs", dotdirs),
	FLAG("consistent", consistent),
	FLAG("debug", debug),
	FLAG("single_thread", single),
	{"uid", WORD_UID, true, 0},
	{"gid", WORD_GID, true, 0},
	{"umask", WORD_UMASK, true, 0},
	{"timeout", WORD_TIMEOUT, true, 0},
	{"timeout_request", WORD_ANSWER, true, 0},
	{"ttl_sweep", WORD_SWEEP, true, 0},
	{"max_delete", WORD_DELETES, true, 0},
	FLAG("allow_mass_delete", allow_mass_delete),
	{"conflict", WORD_CONFLICT, true, 0},
	{"hide_expired", WORD_LATER, false, 0},
	{"auto_unmount", WORD_NEVER, false, 0},
	{"remount", WORD_NEVER, false, 0},
	{"allow_other", WORD_KERNEL, false, 0},
	{"max_read", WORD_MAX_READ, true, 0},
	{"fsname", WORD_KERNEL, true, 0},
	{"subtype", WORD_KERNEL, true, 0},
	{"context", WORD_KERNEL, true, 0},
	{"fscontext", WORD_KERNEL, true, 0},
	{"defcontext", WORD_KERNEL, true, 0},
	{"rootcontext", WORD_KERNEL, true, 0},
	{"suid", WORD_KERNEL, false, 0},
	{"nosuid", WORD_KERNEL, false, 0},
	{"dev", WORD_KERNEL, false, 0},
	{"nodev", WORD_KERNEL, false, 0},
	{"exec", WORD_KERNEL, false, 0},
	{"noexec", WORD_KERNEL, false, 0},
	{"atime", WORD_KERNEL, false, 0},
	{"noatime", WORD_KERNEL, false, 0},
	{"dirsync", WORD_KERNEL, false, 0},
	{"write", WORD_WRITE, false, 0},
	{"rw", WORD_RW, false, 0},
	{"async", WORD_NOTHING, false, 0},
	{"nonempty", WORD_NOTHING, false, 0},
	{"reconnect", WORD_NOTHING, false, 0},
	{"big_writes", WORD_NOTHING, false, 0},
	{"kernel_cache", WORD_NOTHING, false, 0},
	{"auto_cache", WORD_NOTHING, false, 0},
	{"background", WORD_NOTHING, false, 0},
	{"daemon", WORD_NOTHING, false, 0},
	{"default_permissions", WORD_NOTHING, false, 0},
	{"defaults", WORD_FSTAB, false, 0},
	{"auto", WORD_FSTAB, false, 0},
	{"noauto", WORD_FSTAB, false, 0},
	{"nofail", WORD_FSTAB, false, 0},
	{"_netdev", WORD_FSTAB, false, 0},
	{"user", WORD_FSTAB, false, 0},
	{"nouser", WORD_FSTAB, false, 0},
	{"users", WORD_FSTAB, false, 0},
	{"owner", WORD_FSTAB, false, 0},
	{"group", WORD_FSTAB, false, 0},
	{"relatime", WORD_FSTAB, false, 0},
	{"norelatime", WORD_FSTAB, false, 0},
	{"strictatime", WORD_FSTAB, false, 0},
	{"lazytime", WORD_FSTAB, false, 0},
	{"nostrictatime", WORD_FSTAB, false, 0},
	{"nolazytime", WORD_FSTAB, false, 0},
	{"diratime", WORD_FSTAB, false, 0},
	{"nodiratime", WORD_FSTAB, false, 0},
	{"mand", WORD_FSTAB, false, 0},
	{"nomand", WORD_FSTAB, false, 0},
	{"iversion", WORD_FSTAB, false, 0},
	{"noiversion", WORD_FSTAB, false, 0},
	{"silent", WORD_FSTAB, false, 0},
	{"loud", WORD_FSTAB, false, 0},
	{"symfollow", WORD_FSTAB, false, 0},
	{"nosymfollow", WORD_FSTAB, false, 0},
	{"comment", WORD_FSTAB, false, 0},
	{"helper", WORD_FSTAB, false, 0},
	{"uhelper", WORD_FSTAB, false, 0},
};

enum { N_WORDS = sizeof(words) / sizeof(words[0]) };

static const struct word *
options_find(const char *name)
{
	static const struct word fstab = {"x-", WORD_FSTAB, false, 0};

	for (size_t i = 0; i < N_WORDS; i++) {
		if (strcmp(words[i].name, name) == 0) {
			return &words[i];
		}
	}
	return strncmp(name, "x-", 2) == 0 || strncmp(name, "X-", 2) == 0 ? &fstab : NULL;
}

static int
number(struct call *c, const char *name, const char *value, int base, unsigned long *out)
{
	char *end;

	assert(value != NULL); /* a word with a number is valued */
	errno = 0;
	*out = strtoul(value, &end, base);
	if (errno != 0 || end == value || *end != '\0' || value[0] == '-' || value[0] == '+' ||
	    *out > UINT32_MAX - 1) {
		return call_fail(c, ERR_VALIDATION, "%s=%s is not a number that fits", name, value);
	}
	return 0;
}

static int
options_take_number(struct call *c, const struct word *w, const char *value, struct options *o)
{
	unsigned long n;
	int r = number(c, w->name, value, w->kind == WORD_UMASK ? 8 : 10, &n);

	if (r < 0) {
		return r;
	}
	if (w->kind == WORD_UID) {
		o->has_uid = true;
		o->uid = (uid_t)n;
	} else if (w->kind == WORD_GID) {
		o->has_gid = true;
		o->gid = (gid_t)n;
	} else if (w->kind == WORD_SWEEP) {
		o->has_ttl_sweep = true;
		o->ttl_sweep_s = (uint32_t)n;
	} else if (w->kind == WORD_ANSWER) {
		o->has_timeout_request = true;
		o->timeout_request_s = (uint32_t)n;
	} else if (w->kind == WORD_DELETES) {
		o->has_max_delete = true;
		o->max_delete = (uint32_t)n;
	} else if (w->kind == WORD_MAX_READ) {
		o->has_max_read = true;
		o->max_read = (uint32_t)n;
	} else if (n > 0777) {
		return call_fail(c, ERR_VALIDATION, "umask=%s has bits beyond 777", value);
	} else {
		o->has_umask = true;
		o->umask = (mode_t)n;
	}
	return 0;
}

static int
take_timeout(struct call *c, const char *value, struct options *o)
{
	char *end;

	assert(value != NULL);
	errno = 0;
	o->timeout_s = strtod(value, &end);
	o->has_timeout = true;
	/* Written so that NaN fails too. */
	if (errno != 0 || end == value || *end != '\0' ||
	    !(o->timeout_s >= 0 && o->timeout_s <= 1e9)) {
		return call_fail(c, ERR_VALIDATION, "timeout=%s is not a number of seconds", value);
	}
	return 0;
}

static int
take_conflict(struct call *c, const char *value, struct options *o)
{
	assert(value != NULL);
	if (strcmp(value, "fail") != 0) {
		return call_fail(c, ERR_VALIDATION,
				 "conflict=%s is not known: only conflict=fail is", value);
	}
	o->conflict_fail = true;
	return 0;
}

static void
take_kernel(struct call *c, const char *name, const char *value, struct options *o)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, o->kernel);
	if (b.len > 0) {
		buf_char(&b, ',');
	}
	buf_str(&b, name);
	if (value != NULL) {
		buf_char(&b, '=');
		buf_str(&b, options_quote(c, value));
	}
	o->kernel = slice_cstr(&c->arena, buf_view(&b));
}

static int
refuse_forever(struct call *c, const char *name)
{
	if (strcmp(name, "remount") == 0) {
		return call_fail(c, ERR_NOT_SUPPORTED,
				 "a mount cannot be changed (-o remount): unmount it, and mount it "
				 "again with the new words");
	}
	/* The owner serves a further mount longer than its mount helper would live. */
	return call_fail(c, ERR_NOT_SUPPORTED,
			 "-o %s is not supported: what a killed daemon leaves is cleaned up by the "
			 "next itemfs on that mount point",
			 name);
}

static int
options_take(struct call *c, const struct word *w, const char *name, const char *value,
	     struct options *o)
{
	char *at = (char *)o + w->offset;

	switch (w->kind) {
	case WORD_FLAG:
		*(bool *)at = true;
		return 0;
	case WORD_TEXT:
		memcpy(at, &value, sizeof(value));
		return 0;
	case WORD_UID:
	case WORD_GID:
	case WORD_UMASK:
	case WORD_SWEEP:
	case WORD_ANSWER:
	case WORD_DELETES:
	case WORD_MAX_READ:
		return options_take_number(c, w, value, o);
	case WORD_TIMEOUT:
		return take_timeout(c, value, o);
	case WORD_CONFLICT:
		return take_conflict(c, value, o);
	case WORD_KERNEL:
		take_kernel(c, name, value, o);
		return 0;
	case WORD_WRITE:
		o->write = true;
		return 0;
	case WORD_RW:
		o->write = o->write || !o->helper;
		return 0;
	case WORD_NOTHING:
	case WORD_FSTAB:
		return 0;
	case WORD_NEVER:
		return refuse_forever(c, name);
	case WORD_LATER:
		break;
	}
	return call_fail(c, ERR_NOT_SUPPORTED, "-o %s is not yet supported", name);
}

/* What other programs call a word, as a whole option. */
static const char *
other_word(const char *name)
{
	static const struct {
		const char *other;
		const char *ours;
	} rows[] = {
		{"read-only", "ro"},   {"read_only", "ro"},     {"readonly", "ro"},
		{"port", "listen"},    {"bind", "listen"},      {"host", "listen"},
		{"address", "listen"}, {"tables", "table"},     {"indent", "pretty"},
		{"all", "dotdirs"},    {"hidden", "dotdirs"},   {"verbose", "debug"},
		{"ext", "suffix"},     {"extension", "suffix"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].other, name) == 0) {
			return rows[i].ours;
		}
	}
	return NULL;
}

static int
no_word(struct call *c, const char *name)
{
	struct near near = near_start(slice_from(name));
	const char *other = other_word(name);
	const char *advice = options_other(name);
	struct buf b;

	if (advice != NULL) {
		return call_fail(c, ERR_VALIDATION, "unknown option: -o %s: %s", name, advice);
	}
	for (size_t i = 0; i < N_WORDS; i++) {
		if (words[i].kind < WORD_KERNEL) {
			near_try(&near, slice_from(words[i].name));
		}
	}
	if (other != NULL) {
		near.best = slice_from(other);
	}
	buf_init(&b, &c->arena);
	near_put(&b, &near, "-o ");
	buf_char(&b, '\0');
	return call_fail(c, ERR_VALIDATION, "unknown option: -o %s%s", name, b.at);
}

bool
options_word(const char *name, const char **word, bool *valued)
{
	const char *other = other_word(name);
	const struct word *w = options_find(other == NULL ? name : other);

	if (w == NULL || (w->kind >= WORD_KERNEL && w->kind != WORD_NOTHING)) {
		return false;
	}
	*word = w->name;
	*valued = w->valued;
	return true;
}

/* One word, its escapes taken off. */
static int
options_read_word(struct call *c, char *name, struct options *o)
{
	char *value = strchr(name, '=');

	if (value != NULL) {
		*value++ = '\0';
	}
	const struct word *w = options_find(name);

	if (w == NULL) {
		return no_word(c, name);
	}
	if (w->valued && value == NULL) {
		return call_fail(c, ERR_VALIDATION, "-o %s needs a value: %s=...", name, name);
	}
	if (!w->valued && value != NULL && w->kind != WORD_FSTAB) {
		return call_fail(c, ERR_VALIDATION, "-o %s takes no value", name);
	}
	return options_take(c, w, name, value, o);
}

int
options_read(struct call *c, const char *text, struct options *out)
{
	if (out->kernel == NULL) {
		out->kernel = "";
	}
	while (*text != '\0') {
		char *word = arena_new(&c->arena, char, strlen(text) + 1);
		size_t n = 0;

		for (; *text != '\0' && *text != ','; text++) {
			if (*text == '\\' && text[1] != '\0') {
				text++;
			}
			word[n++] = *text;
		}
		text += *text == ',';
		int r = n == 0 ? 0 : options_read_word(c, word, out);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

const char *
options_quote(struct call *c, const char *value)
{
	struct buf b;

	buf_init(&b, &c->arena);
	for (; *value != '\0'; value++) {
		if (*value == ',' || *value == '\\') {
			buf_char(&b, '\\');
		}
		buf_char(&b, *value);
	}
	return slice_cstr(&c->arena, buf_view(&b));
}

/* One of a number that was given. */
static void
format_number(struct buf *b, const struct word *w, const struct options *o)
{
	const struct {
		enum kind kind;
		bool given;
		const char *name;
		unsigned value;
	} numbers[] = {
		{WORD_UID, o->has_uid, "uid", o->uid},
		{WORD_GID, o->has_gid, "gid", o->gid},
		{WORD_ANSWER, o->has_timeout_request, "timeout_request", o->timeout_request_s},
		{WORD_DELETES, o->has_max_delete, "max_delete", o->max_delete},
		{WORD_MAX_READ, o->has_max_read, "max_read", o->max_read},
		{WORD_SWEEP, o->has_ttl_sweep, "ttl_sweep", o->ttl_sweep_s},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].kind == w->kind && numbers[i].given) {
			buf_fmt(b, "%s=%u,", numbers[i].name, numbers[i].value);
		}
	}
}

static void
format_word(struct call *c, struct buf *b, const struct word *w, const struct options *o)
{
	const char *at = (const char *)o + w->offset;
	const char *text;

	if (w->kind == WORD_FLAG && *(const bool *)at) {
		buf_fmt(b, "%s,", w->name);
	} else if (w->kind == WORD_TEXT) {
		memcpy(&text, at, sizeof(text));
		if (text != NULL) {
			buf_fmt(b, "%s=%s,", w->name, options_quote(c, text));
		}
	} else if (w->kind == WORD_UMASK && o->has_umask) {
		buf_fmt(b, "umask=%o,", o->umask);
	} else if (w->kind == WORD_TIMEOUT && o->has_timeout) {
		buf_fmt(b, "timeout=%.9g,", o->timeout_s);
	} else if (w->kind == WORD_CONFLICT && o->conflict_fail) {
		buf_str(b, "conflict=fail,");
	} else {
		format_number(b, w, o);
	}
}

const char *
options_format(struct call *c, const struct options *o)
{
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < N_WORDS; i++) {
		format_word(c, &b, &words[i], o);
	}
	return slice_cstr(&c->arena, buf_view(&b));
}
