/*
 * buffer - the text of a file that is being written, judged as early as it can be; pure
 *
 *              load           empty            write, resize
 *   NONE ----> LOADED ----> EMPTIED ---------> DIRTY ----> LOADED (buffer_committed)
 *
 * Judged while writing as long as every write since the text was loaded or
 * emptied was at its end; other changes are judged when they are committed.
 */
#ifndef FS_FILE_BUFFER_H
#define FS_FILE_BUFFER_H

#include "store/base/core/buf.h"
#include "store/base/text/json.h"

#include "fs/core/memory_account.h"

enum buffer_state {
	BUFFER_NONE,    /* no text: readers see the committed item */
	BUFFER_LOADED,  /* a committed item, as rendered or as it was written here */
	BUFFER_EMPTIED, /* by O_CREAT or O_TRUNC, nothing written since */
	BUFFER_DIRTY,   /* to be committed */
};

struct buffer {
	struct buf text;      /* on the heap */
	struct charge charge; /* of it: as long as it ever was */
	enum buffer_state state;
	bool poisoned;            /* a write was refused: nothing is committed until emptied */
	bool appending;           /* every write since loaded or emptied was at the end */
	struct json_check *check; /* NULL until the first write */
	size_t fed;               /* bytes of text given to check */
	enum json_state judged;   /* what check said last */
};

enum buffer_verdict {
	BUFFER_GOES_ON,  /* nothing can be said yet */
	BUFFER_COMPLETE, /* this write completed the object: judge the whole item now */
	BUFFER_REFUSED,  /* no continuation can make it an item: poisoned; see buffer_reason() */
	BUFFER_TOO_LONG, /* above VIEW_TEXT_MAX: poisoned */
};

void buffer_init(struct buffer *b);
void buffer_release(struct buffer *b);

/**
 * buffer_reserve - room for a text of @size bytes, before it grows
 * @account: who pays for it, if nobody does yet
 *
 * Return: false: his account is full
 */
bool buffer_reserve(struct buffer *b, struct account *account, size_t size)
	__attribute__((warn_unused_result));

/** buffer_load - the text of the committed item */
void buffer_load(struct buffer *b, struct slice text);

/** buffer_empty - by O_CREAT or O_TRUNC; also ends the poison */
void buffer_empty(struct buffer *b);

/** buffer_write - bytes at an offset, zeros before it where the text was shorter
 *
 * Refused bytes are kept in the text too, so that nothing typed is lost.
 */
enum buffer_verdict buffer_write(struct buffer *b, size_t offset, struct slice bytes);

/** buffer_store - the same of a file that is bytes and no item: nothing is judged, nothing is too long */
void buffer_store(struct buffer *b, size_t offset, struct slice bytes);

/** buffer_resize - truncate, which at 0 ends the poison, or extend with zeros; @size is within
 * VIEW_TEXT_MAX */
void buffer_resize(struct buffer *b, size_t size);

/** buffer_poison - what was written is refused for a reason that only the caller knows */
void buffer_poison(struct buffer *b);

/** buffer_committed - the text is the item's now */
void buffer_committed(struct buffer *b);

/** buffer_reload - the text that it has is the committed item's, as if loaded */
void buffer_reload(struct buffer *b);

/** buffer_reason - why the last write was BUFFER_REFUSED; valid until the next call */
const char *buffer_reason(const struct buffer *b);

static inline struct slice
buffer_text(const struct buffer *b)
{
	return buf_view(&b->text);
}

#endif
