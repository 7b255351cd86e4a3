/* browser - checks the token in a path and generates pages in the readers */
#include "store/wire/server/browser.h"

#include "store/base/core/workers.h"
#include "store/page/page.h"
#include "store/wire/proto/credentials.h"
#include "store/wire/proto/gzip.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/access.h"
#include "store/wire/server/http_answer.h"
#include "store/wire/server/http_request.h"

enum { PAGE_BUDGET = 64 * 1024 * 1024 }; /* bytes of memory for one page */

/* The arguments of a URL in their order. */
struct browser_arguments {
	struct arena *arena;
	struct page_argument *at;
	size_t n;
	size_t cap;
};

int
browser_check_token(struct call *c, const char *token)
{
	struct slice rest = slice_from(token);
	size_t n = 0;

	while (n < rest.len && ascii_word(rest.at[n])) {
		n++;
	}
	return n == rest.len && n >= BROWSER_TOKEN_MIN
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "a token for the pages must be %d or more letters and digits",
				   BROWSER_TOKEN_MIN);
}

/* Return the path of the page, from its '/' on, without the token; empty: the URL is no page's. */
static struct slice
browser_path(const struct server *s, const char *url)
{
	struct slice path = slice_from(url);

	if (s->peer == CODEC_OWN || path.len == 0) {
		return SLICE("");
	}
	if (s->token == NULL) {
		return s->known.n == 0 ? path : SLICE("");
	}
	size_t n = strlen(s->token);

	return path.len > n + 1 && path.at[n + 1] == '/' &&
			       credentials_same_secret(slice_of(path.at + 1, n),
						       slice_from(s->token))
		       ? slice_skip(path, n + 1)
		       : SLICE("");
}

bool
browser_asks(const struct request *r, const char *url)
{
	return strstr(access_header(r->connection, "Accept"), "text/html") != NULL &&
	       browser_path(r->s, url).len > 0;
}

static enum MHD_Result
browser_take(void *to, enum MHD_ValueKind kind, const char *name, size_t name_len,
	     const char *value, size_t value_len)
{
	struct browser_arguments *all = to;

	(void)kind;
	all->at = arena_room(all->arena, all->at, all->n, &all->cap);
	all->at[all->n++] = (struct page_argument){
		slice_of(name, name_len), value == NULL ? SLICE("") : slice_of(value, value_len)};
	return MHD_YES;
}

static void
browser_page(struct work *w)
{
	struct request *r = request_of_work(w);

	if (!mem_enough(PAGE_BUDGET)) {
		r->answer.type = WIRE_CONTENT_TYPE;
		answer_refuse(r->s, &r->answer, ERR_BUSY, MEM_LOW);
		operation_hand_back(r);
		return;
	}
	r->answer.status = page_answer(&r->c, r->s->e, &r->page, &r->answer.body);
	if (answer_worth_packing(&r->answer)) {
		answer_pack(&r->answer);
	}
	if (!operation_keeps(r, false)) {
		r->answer.type = WIRE_CONTENT_TYPE;
	}
	operation_hand_back(r);
}

void
browser_begin(struct request *r, const char *url)
{
	struct browser_arguments all = {.arena = &r->c.arena};

	call_open(&r->c, r->s->now_ms(), PAGE_BUDGET);
	(void)MHD_get_connection_values_n(r->connection, MHD_GET_ARGUMENT_KIND, browser_take, &all);
	r->page = (struct page_request){browser_path(r->s, url), all.at, all.n, r->s->patterns};
	r->c.origin = r->s;
	r->answer.type = "text/html; charset=utf-8";
	r->answer.accepted = gzip_accepted(access_header(r->connection, "Accept-Encoding"));
	r->work.run = browser_page;
	atomic_store(&r->stage, UNDER_WAY);
	workers_add(r->s->readers, &r->work);
}
