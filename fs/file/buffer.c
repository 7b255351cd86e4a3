/* buffer - see buffer.h; each struct file has a buffer */
#include "fs/file/buffer.h"

#include "store/base/text/json.h"

#include "fs/core/memory_account.h"
#include "fs/format/view.h"

void
buffer_init(struct buffer *b)
{
	*b = (struct buffer){.state = BUFFER_NONE};
	buf_init(&b->text, NULL);
}

void
buffer_release(struct buffer *b)
{
	buf_release(&b->text);
	usage_end(&b->usage);
	json_check_free(b->check);
	buffer_init(b);
}

bool
buffer_reserve(struct buffer *b, struct account *account, size_t size)
{
	usage_begin(&b->usage, account);
	return usage_raise(&b->usage, size);
}

/* The usage stays when the text gets shorter. */
static void
buffer_count(struct buffer *b)
{
	if (b->text.len > b->usage.bytes) {
		usage_set(&b->usage, b->text.len);
	}
}

/* The text was not written to yet: start judging again. */
static void
buffer_start(struct buffer *b, enum buffer_state state)
{
	json_check_free(b->check);
	b->check = NULL;
	b->judged = JSON_OPEN;
	b->poisoned = false;
	b->appending = true;
	b->state = state;
}

void
buffer_load(struct buffer *b, struct slice text)
{
	buf_clear(&b->text);
	buf_slice(&b->text, text);
	buffer_count(b);
	buffer_start(b, BUFFER_LOADED);
}

void
buffer_empty(struct buffer *b)
{
	buf_clear(&b->text);
	buffer_start(b, BUFFER_EMPTIED);
}

static void
buffer_fill(struct buffer *b, size_t size)
{
	if (size > b->text.len) {
		size_t n = size - b->text.len;

		memset(buf_room(&b->text, n), 0, n);
		b->text.len += n;
		buffer_count(b);
	}
}

static void
file_buffer_store(struct buffer *b, size_t offset, struct slice bytes)
{
	buffer_fill(b, offset + bytes.len);
	if (bytes.len > 0) {
		memcpy(b->text.at + offset, bytes.at, bytes.len);
	}
}

/* Check the longer text. */
static enum buffer_verdict
buffer_judge(struct buffer *b)
{
	assert(b->appending);
	bool whole_before = b->judged == JSON_WHOLE;

	if (b->check == NULL) {
		b->check = json_check_new();
	}
	b->judged = json_check_text(b->check, buffer_text(b));
	if (b->judged == JSON_BROKEN) {
		b->poisoned = true;
		return BUFFER_REFUSED;
	}
	return b->judged == JSON_WHOLE && !whole_before ? BUFFER_COMPLETE : BUFFER_GOES_ON;
}

enum buffer_verdict
buffer_write(struct buffer *b, size_t offset, struct slice bytes)
{
	b->state = BUFFER_DIRTY;
	if (offset > VIEW_TEXT_MAX || bytes.len > VIEW_TEXT_MAX - offset) {
		b->poisoned = true;
		return BUFFER_TOO_LONG;
	}
	b->appending = b->appending && offset == b->text.len;
	file_buffer_store(b, offset, bytes);
	return b->appending ? buffer_judge(b) : BUFFER_GOES_ON;
}

void
buffer_store(struct buffer *b, size_t offset, struct slice bytes)
{
	b->state = BUFFER_DIRTY;
	file_buffer_store(b, offset, bytes);
}

void
buffer_resize(struct buffer *b, size_t size)
{
	if (size == 0) {
		buffer_empty(b);
	} else if (size < b->text.len) {
		b->text.len = size;
		b->appending = false;
	} else if (size > b->text.len) {
		buffer_fill(b, size);
		b->appending = false;
	}
	b->state = BUFFER_DIRTY;
}

void
buffer_poison(struct buffer *b)
{
	b->poisoned = true;
}

void
buffer_committed(struct buffer *b)
{
	assert(b->state == BUFFER_DIRTY || b->state == BUFFER_EMPTIED);
	b->state = BUFFER_LOADED;
}

void
buffer_reload(struct buffer *b)
{
	buffer_start(b, BUFFER_LOADED);
}

const char *
buffer_reason(const struct buffer *b)
{
	return b->check == NULL ? "" : json_check_reason(b->check);
}
