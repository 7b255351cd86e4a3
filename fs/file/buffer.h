/*
 * buffer - the text of a file that is being written, and its early judgement; pure
 *
 *              load           empty            write, resize
 *   NONE ----> LOADED ----> EMPTIED ---------> DIRTY ----> LOADED (buffer_committed)
 *
 * The text is judged while it is written, as long as each write since it was loaded or emptied was at its end. Other
 * changes are judged when they are committed.
 */
#ifndef FS_FILE_BUFFER_H
#define FS_FILE_BUFFER_H

#include "store/base/text/json.h"

#include "fs/core/memory_account.h"

enum buffer_state {
	BUFFER_NONE,    /* no text: readers see the committed item */
	BUFFER_LOADED,  /* a committed item, as rendered or as written here */
	BUFFER_EMPTIED, /* emptied by O_CREAT or O_TRUNC, nothing written since */
	BUFFER_DIRTY,   /* to be committed */
};

struct buffer {
	struct buf text;    /* on the heap */
	struct usage usage; /* for the text, at its greatest length so far */
	enum buffer_state state;
	bool poisoned;            /* a write was refused: nothing is committed until emptied */
	bool appending;           /* each write since loaded or emptied was at the end */
	struct json_check *check; /* NULL until the first write */
	enum json_state judged;   /* the last result of check */
};

enum buffer_verdict {
	BUFFER_GOES_ON,  /* not decided yet */
	BUFFER_COMPLETE, /* this write completed the object: judge the whole item now */
	BUFFER_REFUSED,  /* no continuation can make it an item: poisoned; see buffer_reason() */
	BUFFER_TOO_LONG, /* above VIEW_TEXT_MAX: poisoned */
};

void buffer_init(struct buffer *b);
void buffer_release(struct buffer *b);

/**
 * buffer_reserve - count a text of @size bytes, before it grows
 * @account: that counts it, if none does yet
 *
 * Return: false: the account is full
 */
bool buffer_reserve(struct buffer *b, struct account *account, size_t size) must_check;

/** buffer_load - set the text to that of the committed item */
void buffer_load(struct buffer *b, struct slice text);

/** buffer_empty - empty the text by O_CREAT or O_TRUNC; also ends the poison */
void buffer_empty(struct buffer *b);

/**
 * buffer_write - write bytes at an offset, after zeros if the text was shorter; judge the text
 *
 * Refused bytes are kept in the text, too, so that nothing typed is lost.
 */
enum buffer_verdict buffer_write(struct buffer *b, size_t offset, struct slice bytes);

/** buffer_store - likewise for a scratch file: nothing is judged, and no text is too long */
void buffer_store(struct buffer *b, size_t offset, struct slice bytes);

/** buffer_resize - truncate, or extend with zeros; at 0 this ends the poison. The caller has reserved @size bytes */
void buffer_resize(struct buffer *b, size_t size);

/** buffer_poison - mark the text as refused for a reason that the caller knows */
void buffer_poison(struct buffer *b);

/** buffer_committed - note that the text is the item's now */
void buffer_committed(struct buffer *b);

/** buffer_reload - treat the present text as loaded from the committed item */
void buffer_reload(struct buffer *b);

/** buffer_reason - the reason for BUFFER_REFUSED; valid until the next call */
const char *buffer_reason(const struct buffer *b);

static inline struct slice
buffer_text(const struct buffer *b)
{
	return buf_view(&b->text);
}

#endif
