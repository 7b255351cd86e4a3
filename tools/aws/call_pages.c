/* call_pages - see call_pages.h */
#include "tools/aws/call_pages.h"

#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/op/op.h"

#include "tools/aws/call_request.h"
#include "tools/out/sink.h"
#include "tools/session/ctl.h"

/* The members of an operation that have pages. */
struct pages_row {
	enum op_type type;
	const char *start; /* member of the request: the start of the page */
	const char *last;  /* member of the answer: the start of the next page */
	const char *list;  /* member of the answer: the elements */
};

static const struct pages_row *
pages_find(enum op_type type)
{
	static const struct pages_row rows[] = {
		{OP_QUERY, "ExclusiveStartKey", "LastEvaluatedKey", "Items"},
		{OP_SCAN, "ExclusiveStartKey", "LastEvaluatedKey", "Items"},
		{OP_LIST_TABLES, "ExclusiveStartTableName", "LastEvaluatedTableName", "TableNames"},
		{OP_LIST_BACKUPS, "ExclusiveStartBackupArn", "LastEvaluatedBackupArn",
		 "BackupSummaries"},
		{OP_LIST_TAGS_OF_RESOURCE, "NextToken", "NextToken", "Tags"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].type == type) {
			return &rows[i];
		}
	}
	return NULL;
}

bool
call_pages_known(enum op_type type)
{
	return pages_find(type) != NULL;
}

/* State of the loop over the pages. */
struct pages {
	struct ctl *ctl;
	struct call *c;
	const struct call_ask *ask;
	const struct call_paging *paging;
	const struct pages_row *row;
	const struct json *request;
	struct json_writer *w;
	struct buf start;   /* heap: start of the page, as JSON; empty: the beginning */
	struct buf spent;   /* heap: ConsumedCapacity of the first page; empty: none */
	uint64_t skip;      /* elements at the start of the page that were printed before */
	uint64_t printed;   /* elements */
	uint64_t counts[2]; /* Count, ScannedCount */
	bool counted;       /* the answer has one of these counts */
	bool listed;        /* the list is open */
	bool cut;           /* elements are left: they begin at @start, after @skip elements */
};

static void
pages_put(struct buf *out, const struct json *json)
{
	struct json_writer w;

	buf_clear(out);
	json_writer_init(&w, out, 0);
	json_value(&w, json);
}

/* ------------------------------------------------------------ tokens */

static int
pages_read_token(struct pages *p)
{
	const char *token = p->paging->token;
	const struct json *json = NULL;
	const struct json *start;

	if (token == NULL) {
		return 0;
	}
	struct buf text = {.arena = &p->c->arena};
	bool decoded = base64_decode(&text, slice_from(token)) &&
		       json_parse(p->c, buf_view(&text), JSON_STRICT, &json) == 0;

	p->c->error = (struct error){0};
	start = decoded ? json_get(json, p->row->start) : NULL;
	if (start == NULL && p->row->type != OP_QUERY && p->row->type != OP_SCAN) {
		json_put_string(&p->start, slice_from(token)); /* a name or an ARN */
		return 0;
	}
	if (start == NULL) {
		return call_fail(p->c, ERR_USAGE,
				 "--starting-token \"%s\" is not a NextToken of an answer", token);
	}
	if (start->type != JSON_NULL) {
		pages_put(&p->start, start);
	}
	start = json_get(json, "boto_truncate_amount");
	p->skip = start == NULL ? 0 : strtoull(slice_cstr(&p->c->arena, start->text), NULL, 10);
	return 0;
}

static void
pages_write_token(struct pages *p)
{
	assert(p->cut);
	struct buf text = {.arena = &p->c->arena};
	struct buf token = {.arena = &p->c->arena};

	buf_fmt(&text, "{\"%s\":%.*s", p->row->start, p->start.len == 0 ? 4 : (int)p->start.len,
		p->start.len == 0 ? "null" : p->start.at);
	if (p->skip > 0) {
		buf_fmt(&text, ",\"boto_truncate_amount\":%llu", (unsigned long long)p->skip);
	}
	buf_char(&text, '}');
	base64_encode(&token, buf_view(&text));
	json_name(p->w, "NextToken");
	json_string(p->w, buf_view(&token));
}

/* ------------------------------------------------------------ a page */

static struct slice
pages_request(struct pages *p, struct call *own)
{
	struct json_writer w;
	struct buf b = {.arena = &own->arena};

	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_each (member, p->request) {
		bool ours = (p->start.len > 0 && slice_is(member->name, p->row->start)) ||
			    (p->paging->page_size.given && slice_is(member->name, "Limit"));

		if (!ours) {
			json_name_slice(&w, member->name);
			json_value(&w, member);
		}
	}
	if (p->paging->page_size.given && p->row->type != OP_LIST_TAGS_OF_RESOURCE) {
		json_name(&w, "Limit");
		json_uint(&w, p->paging->page_size.n);
	}
	if (p->start.len > 0) {
		json_name(&w, p->row->start);
		json_raw(&w, buf_view(&p->start));
	}
	json_close(&w);
	return buf_view(&b);
}

static void
pages_list(struct pages *p, const struct json *list)
{
	const struct opt_count *most = &p->paging->max_items;
	uint64_t at = 0;

	if (list != NULL && !p->listed) {
		json_name(p->w, p->row->list);
		json_open(p->w, '[');
		p->listed = true;
	}
	json_each (element, list) {
		if (most->given && p->printed == most->n) {
			p->skip = at;
			p->cut = true;
			return;
		}
		if (at++ >= p->skip) {
			json_value(p->w, element);
			p->printed++;
		}
	}
}

static void
pages_count(struct pages *p, const struct json *answer)
{
	static const char *const names[] = {"Count", "ScannedCount"};
	const struct json *spent = json_get(answer, "ConsumedCapacity");

	for (size_t i = 0; i < 2; i++) {
		const struct json *n = json_get(answer, names[i]);

		p->counted = p->counted || n != NULL;
		p->counts[i] +=
			n == NULL ? 0 : strtoull(slice_cstr(&p->c->arena, n->text), NULL, 10);
	}
	if (spent != NULL && p->spent.len == 0) {
		pages_put(&p->spent, spent);
	}
}

/* Request one page.  @own: memory of the page; *more: there is another page */
static int
pages_next(struct pages *p, struct call *own, bool *more)
{
	struct call_ask ask = *p->ask;
	const struct json *answer = NULL;

	ask.json = pages_request(p, own);
	int r = call_ask(p->ctl, own, &ask);

	r = r < 0 ? r : json_parse(own, ask.answer, JSON_LAST_WINS, &answer);
	if (r < 0) {
		return r;
	}
	pages_count(p, answer);
	pages_list(p, json_get(answer, p->row->list));

	const struct json *last = json_get(answer, p->row->last);

	*more = !p->cut && last != NULL && last->type != JSON_NULL;
	if (*more) {
		pages_put(&p->start, last);
		p->skip = 0;
		p->cut = p->paging->max_items.given && p->printed == p->paging->max_items.n;
		*more = !p->cut;
	}
	return 0;
}

static void
pages_end(struct pages *p)
{
	if (p->listed) {
		json_close(p->w);
	}
	if (p->counted) {
		json_name(p->w, "Count");
		json_uint(p->w, p->counts[0]);
		json_name(p->w, "ScannedCount");
		json_uint(p->w, p->counts[1]);
	}
	if (p->spent.len > 0) {
		json_name(p->w, "ConsumedCapacity");
		json_raw(p->w, buf_view(&p->spent));
	}
	if (p->cut) {
		pages_write_token(p);
	}
	json_close(p->w);
}

static int
pages_all(struct pages *p, struct sink *sink)
{
	bool more = true;
	int r = 0;

	while (r == 0 && more && (sink == NULL || sink_drain(sink))) {
		call_scope(own, p->c->now_ms);
		r = pages_next(p, &own, &more);
		r = r < 0 ? ctl_adopt(p->c, &own) : 0;
	}
	return r;
}

int
call_pages(struct ctl *ctl, struct call *c, const struct call_ask *a, const struct call_paging *p,
	   struct json_writer *w, struct sink *sink, size_t *items)
{
	struct pages pages = {
		.ctl = ctl, .c = c, .ask = a, .paging = p, .row = pages_find(a->type), .w = w};

	if (pages.row == NULL) {
		return call_fail(c, ERR_USAGE, "%s has no pages: leave out --all-pages",
				 op_name(a->type));
	}
	int r = json_parse(c, a->json, JSON_LAST_WINS, &pages.request);

	r = r < 0 ? r : pages_read_token(&pages);
	if (r == 0) {
		json_open(w, '{');
		r = pages_all(&pages, sink);
	}
	if (r == 0) {
		pages_end(&pages);
		*items = pages.listed ? pages.printed : pages.counts[0];
	}
	buf_release(&pages.start);
	buf_release(&pages.spent);
	return r;
}
