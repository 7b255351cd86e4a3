/*
 * options - reads and formats the words of -o
 *
 * The words come from a command line (options_argv.c) or from a process that joins.  Only the words are checked, not
 * whether a store, table or mount point exists.
 */
#include "fs/daemon/options.h"

#include "store/base/text/near.h"

#include "fs/daemon/options_words.h"

static int
number(struct call *c, const char *name, const char *value, int base, unsigned long *out)
{
	char *end;

	assert(value != NULL);
	errno = 0;
	*out = strtoul(value, &end, base);
	if (errno != 0 || end == value || *end != '\0' || value[0] == '-' || value[0] == '+' ||
	    *out > UINT32_MAX - 1) {
		return call_fail(c, ERR_VALIDATION, "%s=%s is not a number in the allowed range",
				 name, value);
	}
	return 0;
}

static int
options_take_number(struct call *c, const struct option_word *w, const char *value,
		    struct options *o)
{
	unsigned long n;
	int r = number(c, w->name, value, w->kind == WORD_UMASK ? 8 : 10, &n);
	uint32_t v = (uint32_t)n;

	if (r == 0 && w->kind == WORD_UMASK && n > 0777) {
		r = call_fail(c, ERR_VALIDATION, "umask=%s has bits beyond 777", value);
	}
	if (r == 0) {
		memcpy((char *)o + w->offset, &v, sizeof(v));
		*(bool *)((char *)o + w->given) = true;
	}
	return r;
}

static int
take_timeout(struct call *c, const char *value, struct options *o)
{
	char *end;

	assert(value != NULL);
	errno = 0;
	o->timeout_s = strtod(value, &end);
	o->has_timeout = true;
	/* This condition refuses NaN, too. */
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
				 "conflict=%s is not supported: only conflict=fail is", value);
	}
	o->conflict_fail = true;
	return 0;
}

static void
take_kernel(struct call *c, const char *name, const char *value, struct options *o)
{
	o->kernel = arena_print(&c->arena, "%s%s%s%s%s", o->kernel, o->kernel[0] == '\0' ? "" : ",",
				name, value == NULL ? "" : "=",
				value == NULL ? "" : options_quote(c, value));
}

static int
refuse_forever(struct call *c, const char *name)
{
	if (strcmp(name, "remount") == 0) {
		return call_fail(
			c, ERR_NOT_SUPPORTED,
			"a mount cannot be changed (-o remount): unmount it, and mount it again with the new "
			"options");
	}
	/* auto_unmount would unmount when this process ends, but the owner serves the mount longer. */
	return call_fail(
		c, ERR_NOT_SUPPORTED,
		"-o %s is not supported: after a daemon was killed, the next itemfs on the mount "
		"point cleans up",
		name);
}

static int
options_take(struct call *c, const struct option_word *w, const char *name, const char *value,
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
	case WORD_NUMBER:
	case WORD_UMASK:
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

static int
no_word(struct call *c, const char *name)
{
	struct near near = near_start(slice_from(name));
	const char *other = options_words_other(name);
	const char *advice = options_other(name);
	struct buf b;

	if (advice != NULL) {
		return call_fail(c, ERR_VALIDATION, "unknown option: -o %s: %s", name, advice);
	}
	for (size_t i = 0; i < options_words_n; i++) {
		if (options_words[i].kind < WORD_KERNEL) {
			near_try(&near, slice_from(options_words[i].name));
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
	const char *other = options_words_other(name);
	const struct option_word *w = options_words_find(other == NULL ? name : other);

	if (w == NULL || (w->kind >= WORD_KERNEL && w->kind != WORD_NOTHING)) {
		return false;
	}
	*word = w->name;
	*valued = w->valued;
	return true;
}

/* Read one word, without escapes. */
static int
options_read_word(struct call *c, char *name, struct options *o)
{
	char *value = strchr(name, '=');

	if (value != NULL) {
		*value++ = '\0';
	}
	const struct option_word *w = options_words_find(name);

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

static void
format_word(struct call *c, struct buf *b, const struct option_word *w, const struct options *o)
{
	const char *at = (const char *)o + w->offset;
	const char *text;
	uint32_t n;

	if (w->kind == WORD_FLAG && *(const bool *)at) {
		buf_fmt(b, "%s,", w->name);
	} else if (w->kind == WORD_TEXT) {
		memcpy(&text, at, sizeof(text));
		if (text != NULL) {
			buf_fmt(b, "%s=%s,", w->name, options_quote(c, text));
		}
	} else if (w->given != 0 && *(const bool *)((const char *)o + w->given)) {
		memcpy(&n, at, sizeof(n));
		buf_fmt(b, w->kind == WORD_UMASK ? "%s=%o," : "%s=%u,", w->name, n);
	} else if (w->kind == WORD_TIMEOUT && o->has_timeout) {
		buf_fmt(b, "timeout=%.9g,", o->timeout_s);
	} else if (w->kind == WORD_CONFLICT && o->conflict_fail) {
		buf_str(b, "conflict=fail,");
	}
}

const char *
options_format(struct call *c, const struct options *o)
{
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < options_words_n; i++) {
		format_word(c, &b, &options_words[i], o);
	}
	return slice_cstr(&c->arena, buf_view(&b));
}
