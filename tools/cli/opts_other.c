/* opts_other - see opts_other.h */
#include "tools/cli/opts_other.h"

#include "tools/cli/elsewhere.h"
#include "tools/cli/instead.h"
#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* The value of the option, after '=' or in the next word; NULL if there is none */
static const char *
opts_other_value(const struct opts_other *o)
{
	return o->value != NULL ? o->value : o->next != NULL && o->next[0] != '-' ? o->next : NULL;
}

/* Append the suggestion of a row with the table and the value that were typed. */
static void
opts_other_answer(const struct opts_other *o, const struct synonym *s, struct buf *out)
{
	const char *value = opts_other_value(o);
	bool serves = s->of != NULL && strcmp(s->of, "serve") == 0; /* its word is not a table */
	bool named = value != NULL && strstr(s->ours, "VALUE") == NULL &&
		     !words_in("on true yes 1", slice_from(value));
	const char *table = !serves ? o->table : named ? value : NULL;
	bool verb = table != NULL && words_in_any_case(SQL_TEXT_VERBS, slice_from(table));
	const char *given[] = {table != NULL && !verb ? table : "TABLE", value};

	instead_fill(out, s->ours, "TABLE VALUE", value == NULL ? 1 : 2, (char **)given);
}

/* "--last 3": append the typed line with --reverse --limit 3. */
static void
opts_other_line(const struct opts_other *o, const struct synonym *s, struct buf *out)
{
	bool counted = o->value == NULL && o->next != NULL && ascii_digit(o->next[0]);
	struct buf by = {.arena = out->arena};

	buf_str(&by, s->ours);
	if (!counted) {
		buf_fmt(&by, " %s", o->value != NULL ? o->value : "1");
	}
	buf_str(out, "for the last ones: ");
	if (!o->alone || !typed_line_words(out, slice_from(o->arg), buf_view(&by))) {
		buf_slice(out, buf_view(&by));
	}
}

/*
 * "--order-by Total": append the typed line without it, and a pipe to jq. With a limit, show only the pipe: sorting a
 * limited result does not return the first items of the whole.
 */
static void
opts_other_pipe(const struct opts_other *o, const struct synonym *s, struct buf *out)
{
	static const char more[] =
		"--limit --first --head --top --max --max-items desc asc DESC ASC";
	const char *value = opts_other_value(o);
	const char *what = strchr(s->ours, '|') + 1;
	bool flag = strstr(what, "VALUE") == NULL;
	bool plain = !flag && value != NULL &&
		     (strncmp(what, "tr ", 3) == 0 || words_plain(slice_from(value)));
	char *given[] = {(char *)value};

	buf_put(out, s->ours, (size_t)(what - s->ours - 1));
	size_t why = out->len;

	if (value == NULL && slice_is(o->name, "sort") && what[0] == 'j') { /* by no attribute */
		buf_str(out, ", or by the whole line: ");
		(void)typed_line_words(out, slice_from(o->arg), SLICE(""));
		buf_str(out, " | sort");
		return;
	}
	buf_str(out, ": ");
	if (o->alone && !words_have(o->argc, o->argv, more) &&
	    (flag    ? typed_line_words(out, slice_from(o->arg), SLICE(""))
	     : plain ? typed_line_option(out, slice_from(value), SLICE(""))
		     : false)) {
		buf_str(out, " | ");
	} else {
		out->len = why;
		buf_str(out, ", add: | ");
	}
	instead_fill(out, what, "VALUE", plain ? 1 : 0, given);
}

/* Append the condition "status=OPEN" with SQL's quotes around its text. */
static void
opts_other_condition(struct buf *sql, const char *filter)
{
	size_t n = strcspn(filter, "!=<>");
	bool differs = filter[n] == '!';
	const char *text = filter + n + strspn(filter + n, "!=");
	bool quoted = ascii_word(*text) && !ascii_digit(*text) &&
		      strpbrk(text, " \"'(),<>=") == NULL &&
		      !words_in("true false null", slice_from(text));

	if (n > 0 && ascii_word(filter[n - 1]) && (quoted || differs)) {
		buf_fmt(sql, "%.*s %s %s%s%s", (int)n, filter, differs ? "<>" : "=",
			quoted ? "'" : "", text, quoted ? "'" : "");
	} else {
		buf_str(sql, filter);
	}
}

/* "--group-by status --sum total --filter EXPR": append a statement that does all of it. */
static void
opts_other_groups(const struct opts_other *o, struct buf *out)
{
	static const char *const functions[][2] = {
		{"SUM", "--sum"}, {"AVG", "--avg"}, {"MIN", "--min"}, {"MAX", "--max"}};
	const char *by = typed_line_take("--group-by --groupby --by --distinct --unique");
	const char *filter = typed_line_take("--filter --where --filter-expression");
	const char *table =
		o->table != NULL ? o->table : typed_line_take("--table --table-name -t");
	struct buf sql = {.arena = out->arena};
	size_t n = 0;

	buf_fmt(&sql, "SELECT %s", by == NULL ? "" : by);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		const char *of = typed_line_take(functions[i][1]);

		if (of != NULL) {
			buf_fmt(&sql, "%s%s(%s)", by == NULL && n == 0 ? "" : ", ", functions[i][0],
				of);
			n++;
		}
	}
	bool alone = by != NULL &&
		     words_in("distinct unique", slice_of(o->arg + 2, strcspn(o->arg + 2, "=")));

	buf_str(&sql, n > 0 || alone ? "" : by == NULL ? "COUNT(*)" : ", COUNT(*)");
	buf_fmt(&sql, " FROM %s", table == NULL ? "TABLE" : table);
	if (filter != NULL) {
		buf_str(&sql, " WHERE ");
		opts_other_condition(&sql, filter);
	}
	if (by != NULL) {
		buf_fmt(&sql, " GROUP BY %s", by);
	}
	fmt_shell(out, "to group items: itemctl sql %", buf_view(&sql));
	const char *form = typed_line_take("--format --output");

	if (form != NULL || typed_line_has("--csv")) {
		fmt_shell(out, " --format %", slice_from(form == NULL ? "csv" : form));
	}
}

/* "--access-key-id ID --secret-access-key SECRET": append a line that creates a file, and the typed line with it. */
static void
opts_other_keys(struct buf *out)
{
	const char *id = typed_line_take("--access-key-id --access-key --user");
	const char *secret = typed_line_take("--secret-access-key --secret-key");

	fmt_shell(out,
		  "put the keys into a file: (umask 077; printf % '[default]' aws_access_key_id=% "
		  "aws_secret_access_key=% >keys) && ",
		  SLICE("%s\\n"), slice_from(id == NULL ? "ID" : id),
		  slice_from(secret == NULL ? "SECRET" : secret));
	(void)typed_line_with(out, SLICE(""), SLICE(""));
	buf_str(out, " --credentials keys");
}

bool
opts_other_template(const char *form)
{
	return words_in("name jsonpath jsonpath-file jsonpath-as-json go-template go-template-file "
			"template templatefile custom-columns custom-columns-file",
			slice_of(form, strcspn(form, "=")));
}

/* Append the typed line without the option. "get TABLE" becomes "scan TABLE", as kubectl gets all of a kind. */
static void
opts_other_without(const struct opts_other *o, struct buf *out)
{
	int n = 0;

	for (int i = 0; i < o->argc; i++) {
		n += o->argv[i][0] != '-' && (i == 0 || o->argv[i - 1][0] != '-');
	}
	(void)typed_line_change(opts_other_value(o), (struct slice){0});
	(void)typed_line_change(o->arg, (struct slice){0});
	if (n != 1 || o->command == NULL || strcmp(o->command, "get") != 0 ||
	    !typed_line_words(out, SLICE("get"), SLICE("scan"))) {
		(void)typed_line_with(out, SLICE(""), SLICE(""));
	}
}

/* "-o jsonpath=EXPR": append the line with JSON output and a pipe to jq. */
static void
opts_other_jq(const struct opts_other *o, struct buf *out)
{
	bool tables = o->command != NULL && strcmp(o->command, "tables") == 0;

	buf_str(out, "to select parts, use --query of the AWS command line, or jq: ");
	opts_other_without(o, out);
	buf_str(out, tables ? " | jq -r .TableName" : " -o json | jq .");
}

/* "-l type=order,status=OPEN": append the line with a filter. */
static void
opts_other_labels(const struct opts_other *o, struct buf *out)
{
	const char *at = opts_other_value(o);
	struct buf filter = {.arena = out->arena};

	for (at = at == NULL ? "NAME=VALUE" : at; *at != '\0';) {
		size_t n = strcspn(at, strchr(at, '(') == NULL ? "," : "");

		buf_str(&filter, filter.len == 0 ? "" : " AND ");
		opts_other_condition(&filter, slice_cstr(out->arena, slice_of(at, n)));
		at += n + (at[n] == ',');
	}
	buf_str(out, "use a filter for labels: ");
	opts_other_without(o, out);
	fmt_shell(out, " --filter %", buf_view(&filter));
}

int
opts_other(struct call *c, const struct opts_other *o, const struct synonym *s)
{
	struct buf b = {.arena = &c->arena};

	if (s->kind == SYNONYM_LINE) {
		opts_other_line(o, s, &b);
	} else if (s->kind == SYNONYM_GROUPS) {
		opts_other_groups(o, &b);
	} else if (s->kind == SYNONYM_LABELS) {
		opts_other_labels(o, &b);
	} else if (s->kind == SYNONYM_KEYS) {
		opts_other_keys(&b);
	} else if (s->kind == SYNONYM_PIPE) {
		opts_other_pipe(o, s, &b);
	} else if (s->kind == SYNONYM_OPTION && opts_other_template(opts_other_value(o))) {
		opts_other_jq(o, &b);
	} else if (s->kind == SYNONYM_OPTION) {
		buf_str(&b, "to write the answer to a file: ");
		(void)typed_line_option(&b, slice_from(opts_other_value(o)), SLICE(""));
		elsewhere_into(&b, opts_other_value(o));
	} else {
		opts_other_answer(o, s, &b);
	}
	return call_fail(c, ERR_USAGE, "unknown option %s%.*s: %.*s", o->dashes, SLICE_ARG(o->name),
			 SLICE_ARG(buf_view(&b)));
}
