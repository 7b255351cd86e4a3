/* picture - arranges items as rows of texts, independent of an output format */
#include "store/page/picture.h"

#include "store/base/core/escape.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#define ELLIPSIS "\xe2\x80\xa6"

struct slice
picture_text(struct arena *a, struct slice text, size_t size)
{
	struct buf mark;
	struct buf b;

	buf_init(&mark, a);
	buf_fmt(&mark, " (%zu bytes)", size);
	buf_init(&b, a);
	if (escape_put(&b, text, PICTURE_TEXT + 1 + mark.len)) {
		buf_clear(&b);
		(void)escape_put(&b, text, PICTURE_TEXT);
		buf_str(&b, ELLIPSIS);
		buf_slice(&b, buf_view(&mark));
	}
	return buf_view(&b);
}

struct slice
picture_value(struct arena *a, const struct value *v)
{
	struct buf json;

	if (v->type == VALUE_S || v->type == VALUE_N) {
		return picture_text(a, v->text, v->text.len);
	}
	buf_init(&json, NULL);
	value_put_json(&json, v, ITEM_PLAIN);

	struct slice text = buf_view(&json);

	if (v->type == VALUE_B) { /* {"B":"aGk="} */
		text = slice_of(text.at + 6, text.len - 8);
	}
	struct slice shown = picture_text(a, text, value_size(v));

	buf_release(&json);
	return shown;
}

/* ------------------------------------------------------------ headings */

static struct slice
key_names(struct arena *a, const struct key_attr part[KEY_PART_MAX])
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; i < key_part_n(part); i++) {
		struct slice name = picture_text(a, part[i].name, part[i].name.len);

		buf_fmt(&b, "%s%.*s", i == 0 ? "" : " + ", SLICE_ARG(name));
		if (part[i].type != VALUE_S) {
			buf_fmt(&b, " (%s)", value_type_name(part[i].type));
		}
	}
	return buf_view(&b);
}

void
picture_begin(struct picture *p, struct arena *a, const struct schema *s, const struct index *ix)
{
	const struct key_schema *key = schema_key(s, ix);
	struct buf title;

	*p = (struct picture){.arena = a, .schema = s, .index = ix};
	buf_init(&title, a);
	buf_fmt(&title, "%s %.*s",
		ix == NULL   ? "Table"
		: ix->global ? "Global index"
			     : "Local index",
		SLICE_ARG(ix == NULL ? s->table : ix->name));
	p->title = buf_view(&title);
	p->pk = key_names(a, key->pk);
	p->sk = key_names(a, key->sk);
}

void
picture_number(struct buf *out, uint64_t n)
{
	if (n >= 1000) {
		picture_number(out, n / 1000);
		buf_fmt(out, ",%03u", (unsigned)(n % 1000));
	} else {
		buf_fmt(out, "%u", (unsigned)n);
	}
}

void
picture_note(const struct picture *p, struct buf *out)
{
	buf_fmt(out, "%zu item%s in %zu collection%s", p->n, p->n == 1 ? "" : "s", p->collections,
		p->collections == 1 ? "" : "s");
	if (p->kinds > 0) {
		buf_str(out, ": an excerpt of about ");
		picture_number(out, p->of);
		buf_fmt(out,
			" items, one or two collections of each of %zu kind%s; --partition draws others",
			p->kinds, p->kinds == 1 ? "" : "s");
	} else if (p->more) {
		buf_str(out, ": there are more than one picture can show");
		buf_str(out, p->chosen ? "" : "; --partition draws single collections");
	}
	if (p->index != NULL && p->index->projection == PROJECTION_KEYS_ONLY) {
		buf_str(out, "; KEYS_ONLY");
	}
	if (p->index != NULL && p->index->projection == PROJECTION_INCLUDE) {
		buf_str(out, "; INCLUDE");
		for (size_t i = 0; i < p->index->n_include; i++) {
			struct slice name = p->index->include[i];

			buf_str(out, i == 0 ? " " : ", ");
			buf_slice(out, picture_text(p->arena, name, name.len));
		}
	}
}

/* ------------------------------------------------------------ rows */

/* Return: the values of a partition key or sort key on one line. */
static struct slice
picture_key_text(struct arena *a, const struct key_attr part[KEY_PART_MAX], const struct item *it)
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; i < key_part_n(part); i++) {
		const struct value *v = item_get(it, part[i].name);

		buf_str(&b, i == 0 ? "" : " + ");
		if (v != NULL) {
			buf_slice(&b, picture_value(a, v));
		}
	}
	return buf_view(&b);
}

static void
add_cells(struct picture *p, struct picture_row *row, const struct item *it)
{
	const struct key_schema *key = schema_key(p->schema, p->index);
	size_t most = it->n < PICTURE_CELLS ? it->n : PICTURE_CELLS;

	row->cells = arena_new(p->arena, struct picture_cell, most);
	for (size_t i = 0; i < it->n; i++) {
		const struct attr *at = &it->at[i];

		if (key_schema_has(key, at->name)) {
			continue;
		}
		if (row->n == PICTURE_CELLS) {
			row->left_out++;
			continue;
		}
		row->cells[row->n++] = (struct picture_cell){
			.name = picture_text(p->arena, at->name, at->name.len),
			.type = at->value.type == VALUE_S ? "" : value_type_name(at->value.type),
			.value = picture_value(p->arena, &at->value),
		};
	}
}

bool
picture_add(struct picture *p, const struct item *it)
{
	const struct key_schema *key = schema_key(p->schema, p->index);
	struct item ordered;

	assert(p->n <= PICTURE_ROWS && p->collections == 0);
	if (p->n == PICTURE_ROWS) {
		p->more = true;
		return false;
	}
	p->rows = arena_room(p->arena, p->rows, p->n, &p->room);
	ordered = item_key_first(p->arena, &p->schema->key, it);

	struct picture_row *row = &p->rows[p->n];

	*row = (struct picture_row){.at = p->n++};
	for (size_t i = 0; i < key_part_n(key->pk); i++) {
		const struct value *v = item_get(it, key->pk[i].name);

		row->key[i] = v == NULL ? value_string(SLICE("")) : value_copy(p->arena, v);
	}
	row->pk = picture_key_text(p->arena, key->pk, it);
	row->sk = picture_key_text(p->arena, key->sk, it);
	add_cells(p, row, &ordered);
	return true;
}

static int
compare_keys(const struct picture_row *x, const struct picture_row *y)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < KEY_PART_MAX; i++) {
		r = x->key[i].type == y->key[i].type ? value_cmp(&x->key[i], &y->key[i]) : 0;
	}
	return r;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct picture_row *x = a;
	const struct picture_row *y = b;
	int r = compare_keys(x, y);

	return r != 0 ? r : (x->at > y->at) - (x->at < y->at);
}

void
picture_end(struct picture *p)
{
	size_t first = 0;

	if (p->n > 0) {
		qsort(p->rows, p->n, sizeof(*p->rows), compare_rows);
	}
	for (size_t i = 0; i < p->n; i++) {
		if (i == 0 || compare_keys(&p->rows[first], &p->rows[i]) != 0) {
			first = i;
			p->collections++;
		}
		p->rows[first].span++;
	}
}
