/*
 * json - JSON text in (yajl) and out
 *
 * Everything yajl leaves open is closed here, and nowhere else: depth, UTF-8,
 * surrogates, duplicate names, and text that comes in small pieces.  Numbers
 * keep their text.
 */
#ifndef STORE_BASE_TEXT_JSON_H
#define STORE_BASE_TEXT_JSON_H

#include <stdint.h>

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

/* Containers nest at most so deep.  An item has 32 levels, up to 64 of typed JSON; what is deeper is
 * still read, and refused in DynamoDB's words. */
enum { JSON_DEPTH_MAX = 512 };

/* One value of a document.  Children of an array or object are a list in the order of the text. */
struct json {
	enum json_type type;
	struct slice name;        /* of an object's member, unescaped; else empty */
	struct slice text;        /* string: unescaped UTF-8; number: its raw text */
	const struct json *child; /* first element or member; NULL when empty */
	const struct json *next;  /* next sibling */
	size_t n;                 /* elements or members */
};

/* Iterate over the children of a container. */
/* NOLINTBEGIN(bugprone-macro-parentheses): the first argument is a name being declared */
#define json_each(child_, parent_) \
	for (const struct json *child_ = (parent_) == NULL ? NULL : (parent_)->child; \
	     child_ != NULL; child_ = child_->next)
/* NOLINTEND(bugprone-macro-parentheses) */

enum json_flags {
	JSON_STRICT = 0,         /* a duplicate member name is an error (files, imports) */
	JSON_LAST_WINS = 1 << 0, /* the last of duplicate names counts (the wire) */
};

/**
 * json_parse - one whole document
 * @text:  the document, blanks around it allowed; borrowed until the call ends
 * @flags: enum json_flags
 *
 * Errors:  -ERR_SERIALIZATION  not JSON (message says line and column and why), not UTF-8 (RFC 3629),
 *                              half a surrogate pair, deeper than JSON_DEPTH_MAX, duplicate name,
 *                              text after the end
 * Memory:  @out is in the call's arena; its slices point there or into @text
 * Thread:  any
 */
int json_parse(struct call *c, struct slice text, int flags, const struct json **out)
	__attribute__((warn_unused_result));

/** json_get - the member @name of an object, or NULL (also when @obj is no object or NULL) */
const struct json *json_get(const struct json *obj, const char *name);

const struct json *json_get_slice(const struct json *obj, struct slice name);

/** json_fault_line - the line that a failure of json_parse() names, from 1; 0: it is another one; @rest: what stands behind it */
size_t json_fault_line(const char *message, const char **rest);

/** json_length - bytes of the object or array that @text begins with; 0 when it does not end there */
size_t json_length(struct slice text);

/** json_fault - why @text can no longer become one JSON value, and from which byte on; NULL: it can */
const char *json_fault(struct slice text, size_t *at);

/*
 * json_check - is a growing text still the beginning of one JSON object?
 *
 * For a file that is being written: feeds only the appended bytes, in pieces of
 * any size, each byte looked at once.  Refuses what json_parse() refuses, at
 * the first byte that makes it impossible; only duplicate names are left to
 * json_parse().
 */
struct json_check;

enum json_state {
	JSON_OPEN,   /* so far a possible beginning, blanks alone included */
	JSON_WHOLE,  /* one complete object, then at most blanks */
	JSON_BROKEN, /* no continuation can make it an object; stays so */
};

struct json_check *json_check_new(void);
void json_check_free(struct json_check *k);

/** json_check_feed - append @bytes; the state of all that was fed */
enum json_state json_check_feed(struct json_check *k, struct slice bytes);

/** json_check_reason - why it is JSON_BROKEN, one line; owned by @k */
const char *json_check_reason(const struct json_check *k);

/** json_needs_escape - is there a byte below 20, a quote (22) or a backslash among the eight of @w?  Then not 0 */
static inline uint64_t
json_needs_escape(uint64_t w)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t low = w ^ (ones * ('"' ^ 0x20)); /* a quote becomes 20, a byte below stays below */
	uint64_t slash = w ^ (ones * '\\');

	/* In each term, the top bit of a byte is set if it (or, by a carry, one below) matches. */
	return (((low - ones * 0x21) & ~low) | ((slash - ones) & ~slash)) & (ones << 7);
}

/**
 * json_copy_plain - copy a string's bytes to where there is room for them
 *
 * Strings are most of what the doors send, so this is in the header, and copies a word at a
 * time: the last one may overlap the one before it.
 * Return:  where they end; NULL: one of them needs an escape
 */
static inline char *
json_copy_plain(char *to, struct slice s)
{
	uint64_t w = UINT64_C(0x2020202020202020);
	uint64_t odd = 0;

	if (s.len >= sizeof(w)) {
		for (size_t i = 0; i < s.len; i += sizeof(w)) {
			size_t at = i + sizeof(w) <= s.len ? i : s.len - sizeof(w);

			memcpy(&w, s.at + at, sizeof(w));
			memcpy(to + at, &w, sizeof(w));
			odd |= json_needs_escape(w);
		}
	} else {
		for (size_t i = 0; i < s.len; i++) {
			to[i] = s.at[i];
			w = w << 8 | (uint8_t)s.at[i];
		}
		odd = json_needs_escape(w);
	}
	return odd == 0 ? to + s.len : NULL;
}

/** json_put_string - append @s as a JSON string with its quotes; bytes must be UTF-8 */
void json_put_string(struct buf *b, struct slice s);

/** json_string_length - how many bytes json_put_string() appends for @s */
size_t json_string_length(struct slice s);

/** json_put_indented - append JSON that has no blanks between tokens, indented by @indent a level */
void json_put_indented(struct buf *b, struct slice compact, size_t indent);

/*
 * json_writer - JSON out, with the commas and closing brackets in the right places
 *
 *   json_open(w, '{'); json_name(w, "TableName"); json_string(w, s); json_close(w);
 *
 * @indent 0 writes one line; otherwise so many blanks a level.
 */
struct json_writer {
	struct buf *out;
	int indent;                  /* blanks a level, or 0 */
	int depth;                   /* open containers */
	char closer[JSON_DEPTH_MAX]; /* their closing brackets */
	bool some[JSON_DEPTH_MAX];   /* has the container a member yet? */
	bool named;                  /* a name was written and waits for its value */
};

void json_writer_init(struct json_writer *w, struct buf *out, int indent);
void json_open(struct json_writer *w, char bracket); /* '{' or '[' */
void json_close(struct json_writer *w);
/* As json_open(), of what has been begun before the writer: members or elements are there already. */
void json_reopen(struct json_writer *w, char bracket);
void json_name(struct json_writer *w, const char *name);
void json_name_slice(struct json_writer *w, struct slice name);
void json_string(struct json_writer *w, struct slice s);
void json_raw(struct json_writer *w, struct slice text); /* a number's text, true, false, null */
void json_uint(struct json_writer *w, uint64_t v);
void json_bool(struct json_writer *w, bool v);
/* What was parsed, written again. */
void json_value(struct json_writer *w, const struct json *json);

#endif
