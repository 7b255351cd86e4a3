#include "tests/oracle/compare.h"

#include <fnmatch.h>

#include "store/model/number.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Members that no two endpoints share.  Local has no WarmThroughput, has no NumberOfDecreasesToday in a GSI, counts
 * the complete items of a GSI, and keeps the spelling of numbers.
 */
static const char *const ignored[] = {"CreationDateTime",
				      "TableId",
				      "TableArn",
				      "IndexArn",
				      "LastUpdateToPayPerRequestDateTime",
				      "LastIncreaseDateTime",
				      "LastDecreaseDateTime",
				      "LatestStreamArn",
				      "LatestStreamLabel",
				      "IndexSizeBytes",
				      "TableSizeBytes",
				      "NumberOfDecreasesToday",
				      "WarmThroughput"};

/* Arrays without a defined order. */
static const char *const unordered[] = {"SS",
					"NS",
					"BS",
					"ConsumedCapacity",
					"AttributeDefinitions",
					"NonKeyAttributes",
					"GlobalSecondaryIndexes",
					"LocalSecondaryIndexes",
					"oracle-0", /* of BatchGetItem */
					"oracle-1"};

static bool
is_one_of(struct slice name, const char *const *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_is(name, from[i])) {
			return true;
		}
	}
	return false;
}

/* An expected difference: patterns as in known.txt. */
static struct rule {
	const char *op;
	const char *request;
	const char *left;
	const char *right;
	bool ends;
} * rules;
static size_t n_rules;

static bool same(const struct json *a, const struct json *b);

/* ------------------------------------------------------------ texts */

static bool
fits(const char *pattern, struct slice text)
{
	char buffer[1024];

	(void)snprintf(buffer, sizeof(buffer), "%.*s", SLICE_ARG(text));
	return fnmatch(pattern, buffer, FNM_EXTMATCH) == 0;
}

static bool
same_texts(struct slice a, struct slice b)
{
	bool same = slice_eq(a, b);

	for (size_t i = 0; i < n_rules && !same; i++) {
		same = strcmp(rules[i].op, "text") == 0 && fits(rules[i].left, a) &&
		       fits(rules[i].right, b);
	}
	return same;
}

/* ------------------------------------------------------------ JSON */

/* DynamoDB Local keeps the spelling of numbers inside lists, maps and sets. */
static bool
same_numbers(struct slice a, struct slice b)
{
	struct call c;
	struct number x;
	struct number y;

	call_open(&c, 0, SIZE_MAX);

	bool same = number_parse(&c, a, &x) == 0 && number_parse(&c, b, &y) == 0 &&
		    number_cmp(&x, &y) == 0;

	call_close(&c);
	return same;
}

/* Does every element of one array occur as often in the other? */
static bool
same_bags(const struct json *a, const struct json *b)
{
	json_each (x, a) {
		size_t here = 0;
		size_t there = 0;

		json_each (y, a) {
			here += same(x, y);
		}
		json_each (y, b) {
			there += same(x, y);
		}
		if (here != there) {
			return false;
		}
	}
	return a->n == b->n;
}

static bool
same_arrays(const struct json *a, const struct json *b)
{
	const struct json *y = b->child;

	if (is_one_of(a->name, unordered, COUNT(unordered))) {
		return same_bags(a, b);
	}
	json_each (x, a) {
		if (y == NULL || !same(x, y)) {
			return false;
		}
		y = y->next;
	}
	return y == NULL;
}

static const struct json *
member(const struct json *object, struct slice name)
{
	json_each (m, object) {
		if (slice_eq(m->name, name)) {
			return m;
		}
	}
	return NULL;
}

static bool
same_objects(const struct json *a, const struct json *b)
{
	json_each (m, b) {
		if (member(a, m->name) == NULL && !is_one_of(m->name, ignored, COUNT(ignored))) {
			return false;
		}
	}
	json_each (m, a) {
		if (!is_one_of(m->name, ignored, COUNT(ignored))) {
			const struct json *other = member(b, m->name);

			if (other == NULL || !same(m, other)) {
				return false;
			}
		}
	}
	return true;
}

static bool
same(const struct json *a, const struct json *b)
{
	if (a->type != b->type) {
		return false;
	}
	switch (a->type) {
	case JSON_NUMBER:
		return slice_eq(a->text, b->text);
	case JSON_STRING:
		/* Only members of sets and of key lists are texts without a name. */
		return same_texts(a->text, b->text) ||
		       ((slice_is(a->name, "N") || a->name.len == 0) &&
			same_numbers(a->text, b->text));
	case JSON_ARRAY:
		return same_arrays(a, b);
	case JSON_OBJECT:
		return same_objects(a, b);
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
		break;
	}
	return true;
}

static const struct json *
parse(struct call *c, struct slice text)
{
	static const struct json nothing = {.type = JSON_NULL};
	const struct json *json;

	return json_parse(c, text, JSON_LAST_WINS, &json) < 0 ? &nothing : json;
}

/* ------------------------------------------------------------ items without a total order */

static bool
same_at(const struct json *x, const struct json *y, const char *attribute)
{
	const struct json *a = json_get(x, attribute);
	const struct json *b = json_get(y, attribute);

	return a == NULL || b == NULL ? a == b : same(a, b);
}

/*
 * Compare answers of a request that read all pages: only the values of the attribute @order must have the same order.
 */
static bool
same_but_order(const struct json *a, const struct json *b, const char *order)
{
	const struct json *x = json_get(a, "Items");
	const struct json *y = json_get(b, "Items");
	const char *const rest[] = {"Count", "ScannedCount", "ConsumedCapacity"};

	for (size_t i = 0; i < COUNT(rest); i++) {
		if (!same_at(a, b, rest[i])) {
			return false;
		}
	}
	if (x == NULL || y == NULL) {
		return x == y;
	}
	if (!same_bags(x, y)) {
		return false;
	}
	y = y->child;
	json_each (item, x) {
		if (order[0] != '\0' && !same_at(item, y, order)) {
			return false;
		}
		y = y->next;
	}
	return true;
}

/* ------------------------------------------------------------ errors */

static struct slice
error_type(const struct json *error)
{
	const struct json *type = json_get(error, "__type");
	struct slice name = type == NULL ? SLICE("-") : type->text;
	const char *hash = memchr(name.at, '#', name.len);

	return hash == NULL ? name : slice_skip(name, (size_t)(hash - name.at) + 1);
}

static struct slice
error_message(const struct json *error)
{
	const struct json *message = json_get(error, "message");

	message = message == NULL ? json_get(error, "Message") : message;
	return message == NULL ? SLICE("-") : message->text;
}

bool
answers_same(struct call *c, const struct request *r, const struct answer *left,
	     const struct answer *right)
{
	const struct json *a = parse(c, left->body);
	const struct json *b = parse(c, right->body);

	if (left->status != right->status) {
		return false;
	}
	if (left->status == 200) {
		return r->pages ? same_but_order(a, b, r->order) : same(a, b);
	}
	return slice_eq(error_type(a), error_type(b)) &&
	       same_texts(error_message(a), error_message(b)) &&
	       same_at(a, b, "CancellationReasons") && same_at(a, b, "Item");
}

static struct slice
result(struct call *c, const struct answer *a)
{
	const struct json *json = parse(c, a->body);
	struct buf b;

	buf_init(&b, &c->arena);
	if (a->status == 200) {
		buf_slice(&b, a->body);
	} else {
		const struct json *reasons = json_get(json, "CancellationReasons");

		buf_fmt(&b, "%.*s: %.*s", SLICE_ARG(error_type(json)),
			SLICE_ARG(error_message(json)));
		for (const struct json *x = reasons == NULL ? NULL : reasons->child; x != NULL;
		     x = x->next) {
			buf_fmt(&b, " / %.*s%s", SLICE_ARG(error_message(x)),
				json_get(x, "Item") == NULL ? "" : " with its Item");
		}
	}
	buf_char(&b, '\0');
	b.len--;
	return buf_view(&b);
}

static struct slice
first_words(struct call *c, const struct answer *a)
{
	struct slice s = a->status == 200 ? SLICE("ok") : result(c, a);

	/*
	 * Cut the message before the part that depends on the request: names and values come after a colon or in
	 * brackets.
	 */
	if (a->status != 200 && s.len > 90) {
		s.len = 90;
	}
	return s;
}

struct slice
answers_digest(struct call *c, const struct request *r, const struct answer *left,
	       const struct answer *right)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s\n  left:  %.*s\n  right: %.*s", r->op, SLICE_ARG(first_words(c, left)),
		SLICE_ARG(first_words(c, right)));
	return buf_view(&b);
}

/* ------------------------------------------------------------ known differences */

bool
known_read(struct call *c, const char *path)
{
	static size_t cap;
	char line[1024];
	FILE *f = fopen(path, "r");

	if (f == NULL) {
		perror(path);
		return false;
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		struct slice text = slice_of(line, strcspn(line, "\n"));
		struct rule rule = {"*", "*", "*", "*", false};
		const char **field = NULL;

		if (slice_starts(text, SLICE("op "))) {
			rules = arena_room(&c->arena, rules, n_rules, &cap);
			rules[n_rules++] = rule;
			field = &rules[n_rules - 1].op;
		} else if (n_rules > 0 && slice_starts(text, SLICE("request "))) {
			field = &rules[n_rules - 1].request;
		} else if (n_rules > 0 && slice_starts(text, SLICE("left "))) {
			field = &rules[n_rules - 1].left;
		} else if (n_rules > 0 && slice_starts(text, SLICE("right "))) {
			field = &rules[n_rules - 1].right;
		} else if (n_rules > 0 && slice_is(text, "ends")) {
			rules[n_rules - 1].ends = true;
		}
		if (field != NULL) {
			size_t blank = strcspn(line, " ");

			*field = slice_cstr(&c->arena, slice_skip(text, blank + 1));
		}
	}
	(void)fclose(f);
	return true;
}

static bool
rule_fits(struct call *c, const struct rule *rule, const struct request *r,
	  const struct answer *left, const struct answer *right)
{
	return fnmatch(rule->op, r->op, FNM_EXTMATCH) == 0 &&
	       fnmatch(rule->request, slice_cstr(&c->arena, r->body), FNM_EXTMATCH) == 0 &&
	       fnmatch(rule->left, result(c, left).at, FNM_EXTMATCH) == 0 &&
	       fnmatch(rule->right, result(c, right).at, FNM_EXTMATCH) == 0;
}

bool
known_difference(struct call *c, const struct request *r, const struct answer *left,
		 const struct answer *right)
{
	for (size_t i = 0; i < n_rules; i++) {
		if (rule_fits(c, &rules[i], r, left, right)) {
			return true;
		}
	}
	return false;
}

bool
known_end(struct call *c, const struct request *r, const struct answer *left,
	  const struct answer *right)
{
	for (size_t i = 0; i < n_rules; i++) {
		if (rules[i].ends && rule_fits(c, &rules[i], r, left, right)) {
			return true;
		}
	}
	return false;
}
