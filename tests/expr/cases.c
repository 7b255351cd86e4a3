#include "tests/expr/cases.h"

#include "store/model/item_json.h"

#include "tests/support/unit.h"

/* The state while a file is read. */
struct cases {
	const char *name;
	FILE *file;
	int line;
	char *text[3]; /* the three lines of a case */
	size_t cap[3];
	char *names;  /* the rest of the %names line, or NULL */
	char *values; /* the rest of the %values line, or NULL */
	char *item;   /* the rest of the %item line, or NULL */
};

static bool
next_line(struct cases *f, int slot)
{
	ssize_t n = getline(&f->text[slot], &f->cap[slot], f->file);

	if (n < 0) {
		return false;
	}
	f->line++;
	if (n > 0 && f->text[slot][n - 1] == '\n') {
		f->text[slot][n - 1] = '\0';
	}
	return true;
}

/* If the line begins with @word, save the rest of it. */
static bool
take(const char *line, const char *word, char **out)
{
	size_t n = strlen(word);

	if (strncmp(line, word, n) != 0) {
		return false;
	}
	free(*out);
	*out = strdup(line + n);
	return true;
}

/* Return true if slot 0 is a line between cases. */
static bool
is_between(struct cases *f)
{
	const char *line = f->text[0];

	return line[0] == '\0' || strncmp(line, "//", 2) == 0 || take(line, "%names ", &f->names) ||
	       take(line, "%values ", &f->values) || take(line, "%item ", &f->item);
}

/* Return true if the placeholder @key occurs in @text, not only as the prefix of a longer one. */
static bool
occurs(struct slice key, struct slice text)
{
	for (size_t i = 0; i + key.len <= text.len; i++) {
		char behind = i + key.len < text.len ? text.at[i + key.len] : ' ';
		bool more = behind == '_' || (behind >= '0' && behind <= '9') ||
			    (behind >= 'a' && behind <= 'z') || (behind >= 'A' && behind <= 'Z');

		if (!more && memcmp(text.at + i, key.at, key.len) == 0) {
			return true;
		}
	}
	return false;
}

static const struct json *
parse(struct call *c, const char *text)
{
	const struct json *json = NULL;
	int r = json_parse(c, slice_from(text), JSON_STRICT, &json);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return json;
}

static void
set_placeholders(struct call *c, const struct cases *f, struct test_case *t)
{
	if (f->names != NULL) {
		const struct json *json = parse(c, f->names);
		struct name_alias *names = arena_new(&c->arena, struct name_alias, json->n);

		json_each (child, json) {
			if (occurs(child->name, t->expression)) {
				names[t->ph.n_names++] =
					(struct name_alias){child->name, child->text};
			}
		}
		t->ph.names = names;
		t->ph.names_given = t->ph.n_names > 0;
	}
	if (f->values != NULL) {
		struct item all;
		int r = item_from_typed_json(c, parse(c, f->values), &all);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		t->ph.values.at = all.at;
		for (size_t i = 0; i < all.n; i++) {
			if (occurs(all.at[i].name, t->expression)) {
				t->ph.values.at[t->ph.values.n++] = all.at[i];
			}
		}
		t->ph.values_given = t->ph.values.n > 0;
	}
}

static void
run_case(struct cases *f, case_fn *run)
{
	struct call c;
	struct buf got;
	struct test_case t = {
		.expression = slice_from(f->text[0]),
		.item = slice_from(strcmp(f->text[1], "-") == 0 ? f->item : f->text[1]),
	};

	call_open(&c, 0, 1U << 20);
	buf_init(&got, &c.arena);
	set_placeholders(&c, f, &t);
	run(&c, &t, &got);
	bool same = slice_is(buf_view(&got), f->text[2]);

	if (!same) {
		printf("\n%s:%d: %s\n  expected %s\n  got      %.*s\n", f->name, f->line,
		       f->text[0], f->text[2], SLICE_ARG(buf_view(&got)));
	}
	CU_ASSERT_TRUE(same);
	call_close(&c);
}

void
cases_run(const char *name, case_fn *run)
{
	struct cases f = {.name = name};
	int n = 0;

	f.file = fopen(name, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f.file);
	while (next_line(&f, 0)) {
		if (is_between(&f)) {
			continue;
		}
		bool whole = next_line(&f, 1) && next_line(&f, 2);

		CU_ASSERT_TRUE_FATAL(whole);
		run_case(&f, run);
		n++;
	}
	CU_ASSERT_TRUE(n > 0);
	(void)fclose(f.file);
	for (int i = 0; i < 3; i++) {
		free(f.text[i]);
	}
	free(f.names);
	free(f.values);
	free(f.item);
}

struct item
cases_item(struct call *c, const struct test_case *t)
{
	struct item it = {NULL, 0};
	int r = item_from_json(c, parse(c, slice_cstr(&c->arena, t->item)), &it);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	return it;
}

void
cases_refused(const struct call *c, struct buf *got)
{
	buf_fmt(got, "!%zu %s", c->error.place, c->error.message);
}
