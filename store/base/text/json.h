/*
 * json - parser and writer of JSON text
 *
 * Numbers keep their text.  A text that arrives in small pieces can be checked after each of them.
 */
#ifndef STORE_BASE_TEXT_JSON_H
#define STORE_BASE_TEXT_JSON_H

#include "store/base/core/base.h"

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

/* Maximum depth of nested containers.  An item has 32 levels, up to 64 in typed JSON.  Deeper ones up to this limit are
 * parsed and then refused with DynamoDB's message. */
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
	JSON_LAST_WINS = 1 << 0, /* only the last member of a name is kept (the wire) */
};

/**
 * json_parse - parse one whole document
 * @text:  the document, blanks around it allowed; borrowed until the call ends
 * @flags: enum json_flags
 *
 * Errors:  -ERR_SERIALIZATION  not JSON (the message has line, column and reason), not UTF-8 (RFC 3629),
 *                              half a surrogate pair, deeper than JSON_DEPTH_MAX, duplicate name,
 *                              text after the end; the call's memory budget is exceeded
 *          -ERR_BUSY           the machine has little memory, see mem_low()
 * Memory:  @out is in the call's arena; its slices point there or into @text
 * Thread:  any
 */
int json_parse(struct call *c, struct slice text, int flags, const struct json **out) must_check;

/** json_get, json_get_slice - the member @name of @obj; NULL if there is none, or if @obj is NULL or not an object */
const struct json *json_get(const struct json *obj, const char *name);

const struct json *json_get_slice(const struct json *obj, struct slice name);

/** json_text - the text of the member @name of @obj; empty if it is no string, or as for json_get() */
struct slice json_text(const struct json *obj, const char *name);

/**
 * json_fault_line - parse the line number from the message of a failed json_parse()
 * @rest: set to the rest of the message, which begins with the column
 *
 * Return: the line, from 1; 0, with @rest unchanged, if @message has no line.
 */
size_t json_fault_line(const char *message, const char **rest);

/** json_string_end - offset after the string whose opening quote is at @at; @text.len if it has no closing quote */
size_t json_string_end(struct slice text, size_t at);

/** json_length - length of the object or array that @text begins with; 0 if @text ends before it does */
size_t json_length(struct slice text);

/**
 * json_fault - find the first character from which on @text can no longer become one JSON value
 * @at: set to its offset
 *
 * Return: the reason; NULL if there is no fault.
 */
const char *json_fault(struct slice text, size_t *at);

/*
 * json_check - incremental check that a growing text is still the beginning of one JSON object
 *
 * For a file that is being written: the caller passes the whole text after each change, and the check continues where
 * it has stopped.  It refuses the same texts as json_parse(), at the first character that makes them impossible, except
 * that only json_parse() detects duplicate names, and that a byte order mark is allowed here.
 */
struct json_check;

enum json_state {
	JSON_OPEN,   /* the beginning of an object, or only blanks */
	JSON_WHOLE,  /* one complete object, then at most blanks */
	JSON_BROKEN, /* no continuation can make it an object; final */
};

/** json_check_new - create a check of an empty text; json_check_free() frees it */
struct json_check *json_check_new(void);
void json_check_free(struct json_check *k);

/** json_check_text - check the whole @text, which begins with the text of the previous call; Return: its state */
enum json_state json_check_text(struct json_check *k, struct slice text);

/** json_check_reason - one line that says why the state is JSON_BROKEN; owned by @k */
const char *json_check_reason(const struct json_check *k);

/** json_needs_escape - nonzero if one of the eight bytes of @w is below 0x20, a quote (0x22) or a backslash */
static inline uint64_t
json_needs_escape(uint64_t w)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	/* A quote becomes 0x20; a byte below 0x20 stays below. */
	uint64_t low = w ^ (ones * ('"' ^ 0x20));
	uint64_t slash = w ^ (ones * '\\');

	/* In each term, the top bit of a byte is set if that byte (or, by a carry, a lower one) matches. */
	return (((low - ones * 0x21) & ~low) | ((slash - ones) & ~slash)) & (ones << 7);
}

/* Compilers compare the bytes of a block with a few vector instructions. */
typedef uint8_t json_block __attribute__((vector_size(16)));

/**
 * json_copy_plain - copy a string that needs no escapes
 * @to: has room for @s.len bytes
 *
 * Most of the output of front ends is strings.  So this is in the header, and copies a block or a word at a time; the
 * last one may overlap the one before it.
 * Return: the end of the copy; NULL if a byte needs an escape.
 */
static inline char *
json_copy_plain(char *to, struct slice s)
{
	json_block block, odd_bytes = {0};
	uint64_t w = UINT64_C(0x2020202020202020);
	uint64_t odd[2] = {0};

	if (s.len >= sizeof(block)) {
		for (size_t i = 0; i < s.len; i += sizeof(block)) {
			size_t at = i + sizeof(block) <= s.len ? i : s.len - sizeof(block);

			memcpy(&block, s.at + at, sizeof(block));
			memcpy(to + at, &block, sizeof(block));
			odd_bytes |= (json_block)(block < ' ') | (json_block)(block == '"') |
				     (json_block)(block == '\\');
		}
		memcpy(odd, &odd_bytes, sizeof(odd));
	} else if (s.len >= sizeof(w)) {
		for (size_t i = 0; i < 2; i++) {
			size_t at = i * (s.len - sizeof(w));

			memcpy(&w, s.at + at, sizeof(w));
			memcpy(to + at, &w, sizeof(w));
			odd[i] = json_needs_escape(w);
		}
	} else {
		for (size_t i = 0; i < s.len; i++) {
			to[i] = s.at[i];
			w = w << 8 | (uint8_t)s.at[i];
		}
		odd[0] = json_needs_escape(w);
	}
	return (odd[0] | odd[1]) == 0 ? to + s.len : NULL;
}

/** json_put_string - append @s, which is UTF-8, as a JSON string in quotes */
void json_put_string(struct buf *b, struct slice s);

/** json_string_length - number of bytes that json_put_string() appends for @s */
size_t json_string_length(struct slice s);

/** json_put_indented - append JSON without blanks between tokens, indented by @indent blanks per level */
void json_put_indented(struct buf *b, struct slice compact, size_t indent);

/*
 * json_writer - JSON writer that inserts commas and closing brackets
 *
 *   json_open(w, '{'); json_name(w, "TableName"); json_string(w, s); json_close(w);
 */
struct json_writer {
	struct buf *out;
	int indent;                  /* blanks per level; 0: one line */
	int depth;                   /* open containers */
	char closer[JSON_DEPTH_MAX]; /* their closing brackets */
	bool some[JSON_DEPTH_MAX];   /* the container has a member */
	bool named;                  /* a name was written, its value comes next */
};

void json_writer_init(struct json_writer *w, struct buf *out, int indent);
void json_open(struct json_writer *w, char bracket); /* '{' or '[' */
void json_close(struct json_writer *w);
/* Continue a container that was begun without this writer and has members or elements. Writes nothing. */
void json_reopen(struct json_writer *w, char bracket);
void json_name(struct json_writer *w, const char *name);
void json_name_slice(struct json_writer *w, struct slice name);
void json_string(struct json_writer *w, struct slice s);
void json_raw(struct json_writer *w, struct slice text); /* a number's text, true, false, null */
void json_uint(struct json_writer *w, uint64_t v);
void json_bool(struct json_writer *w, bool v);
/* Write a parsed value. */
void json_value(struct json_writer *w, const struct json *json);

#endif
