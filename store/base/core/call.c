#include "store/base/core/call.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "store/base/core/mem.h"
#include "store/base/core/throttled.h"

void
call_open(struct call *c, uint64_t now_ms, size_t budget)
{
	*c = (struct call){.now_ms = now_ms};
	arena_init(&c->arena, budget);
}

void
call_close(struct call *c)
{
	arena_drop(&c->arena);
	c->error = (struct error){0};
}

void
call_for(struct call *c, const struct call *of)
{
	c->now_ms = of->now_ms;
	c->origin = of->origin;
	c->uid = of->uid;
	c->given_up = of->given_up;
	c->asker = of->asker;
	c->patient = of->patient;
	c->comes_again = of->comes_again;
}

void
call_clear(struct call *c)
{
	arena_clear(&c->arena);
	c->error = (struct error){0};
}

int
call_fail_at(struct call *c, enum err code, const char *file, int line, const char *fmt, ...)
{
	if (c->error.code == ERR_NONE) {
		va_list ap;

		va_start(ap, fmt);
		const char *message = arena_vprint(&c->arena, fmt, ap);
		va_end(ap);
		c->error = (struct error){
			.code = code, .message = message, .file = file, .line = line};
	}
	return -(int)code;
}

int
call_adopt(struct call *c, const struct call *from)
{
	bool first = c->error.code == ERR_NONE;

	assert(from->error.code != ERR_NONE); /* otherwise 0 would be returned for a failure */
	int r = call_fail(c, from->error.code, "%s", from->error.message);

	if (first) {
		c->error.place = from->error.place;
		c->error.throttled = throttled_copy(&c->arena, &from->error.throttled);
	}
	return r;
}

int
call_fail_over(struct call *c, const char *what)
{
	assert(arena_over(&c->arena));
	return c->arena.starved ? call_fail(c, ERR_BUSY, MEM_LOW)
				: call_fail(c, ERR_VALIDATION, "%s needs more than %zu bytes", what,
					    c->arena.budget);
}

int
call_prefix(struct call *c, const char *fmt, ...)
{
	va_list ap;

	assert(c->error.code != ERR_NONE);
	va_start(ap, fmt);
	const char *front = arena_vprint(&c->arena, fmt, ap);
	va_end(ap);
	c->error.message = arena_print(&c->arena, "%s%s", front, c->error.message);
	return -(int)c->error.code;
}
