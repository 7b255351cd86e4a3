/* rewrite - see rewrite.h; compares words, without a grammar, so statements in an unexpected form are not rewritten */
#include "tools/sql/rewrite.h"

#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/partiql/partiql_lex.h"

#include "tools/cli/synonyms.h"
#include "tools/sql/rewrite_table.h"
#include "tools/text/fmt.h"
#include "tools/text/rewrite_json.h"
#include "tools/text/sql_text.h"
#include "tools/text/words.h"

/* Append @line with the name that follows, if @line has a %; false: something else follows. */
static bool
rewrite_named(struct slice text, const char *line, struct buf *out)
{
	bool names = strchr(line, '%') != NULL;

	(void)rewrite_take(&text, "if exists");
	struct slice name = names ? rewrite_next(&text) : SLICE("-");

	(void)rewrite_take(&text, ")"); /* of a PRAGMA */
	if (name.len == 0 || !rewrite_ends(text)) {
		return false;
	}
	fmt_shell(out, line, rewrite_bare(name));
	return true;
}

static bool
rewrite_one(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	static const char *const named[][2] = {
		{"drop table", "itemctl drop % --yes"},
		{"describe table", "itemctl describe %"},
		{"describe", "itemctl describe %"},
		{"desc", "itemctl describe %"},
		{".schema", "itemctl describe %"},
		{"show create table", "itemctl describe %"},
		{"show columns from", "itemctl describe %"},
		{"show index from", "itemctl describe %"},
		{"pragma table_info (", "itemctl describe %"},
		{"pragma index_list (", "itemctl describe %"},
		{"show tables", "itemctl tables"},
		{"pragma table_list", "itemctl tables"},
		{"pragma integrity_check", "itemctl check"},
		{"pragma quick_check", "itemctl check"},
		{"summarize", "itemctl shapes %"},
		{"analyze", "itemctl stats %"},
		{"truncate table", "itemctl delete % --all"},
		{"truncate", "itemctl delete % --all"},
	};
	struct slice rest = text;
	size_t before = out->len;
	bool done = false;

	if (rewrite_take(&rest, "create table")) {
		done = rewrite_table_create(rest, out);
	} else if (rewrite_table_index(rest, SLICE(""), SLICE(""), out)) {
		done = true;
	} else if (rewrite_take(&rest, "drop index")) {
		done = rewrite_table_drop_index(ctl, c, rest, out);
	} else if (rewrite_take(&rest, "alter table")) {
		done = rewrite_table_alter(rest, out);
	} else if (rewrite_take(&rest, "insert into")) {
		struct slice table = rewrite_next(&rest);

		done = rewrite_take(&rest, "select * from") &&
		       rewrite_table_from(table, rest, true, out);
	} else if (rewrite_take(&rest, "copy")) {
		done = rewrite_table_copy(rest, out);
	}
	for (size_t i = 0; !done && i < sizeof(named) / sizeof(named[0]); i++) {
		done = rewrite_take(&rest, named[i][0]) && rewrite_named(rest, named[i][1], out);
	}
	out->len = done ? out->len : before;
	return done;
}

/* Append the index of @text as an option if @first creates its table; else append nothing. */
static bool
rewrite_gsi(struct slice first, struct slice text, struct buf *out)
{
	size_t before = out->len;
	bool creates = rewrite_take(&first, "create table");

	(void)rewrite_take(&first, "if not exists");
	struct slice table = rewrite_bare(rewrite_next(&first));
	bool done = creates && rewrite_table_index(text, table, first, out);

	out->len = done ? out->len : before;
	return done;
}

/* Append one more statement to the list of those that the line does not execute. */
static void
rewrite_without(struct buf *others, struct slice one)
{
	if (others->len < 225) {
		buf_fmt(others, "%s%.*s", others->len > 0 ? "; " : " # without: ", SLICE_ARG(one));
	} else if (!slice_ends(buf_view(others), SLICE("..."))) {
		buf_str(others, " ...");
	}
}

bool
rewrite_sql(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	static const size_t most = 900; /* bytes */
	struct statements all = {.text = text};
	cleanup(buf_release) struct buf others = {0}; /* what the line does not execute */
	struct slice first = {0};
	struct slice one;
	size_t begin = out->len, n = 0, questions;

	if (!statements_next(&all, &first, &questions) || !rewrite_one(ctl, c, first, out)) {
		return false;
	}
	while (statements_next(&all, &one, &questions)) {
		struct slice verb = one;
		size_t before = out->len;

		one = ascii_trim(one);
		if (n == 0 && rewrite_gsi(first, one, out)) {
			continue;
		}
		n++;
		buf_str(out, " && ");
		if (before - begin < most && rewrite_one(ctl, c, one, out)) {
			continue;
		}
		if (before - begin < most &&
		    words_in_any_case(SQL_TEXT_VERBS, rewrite_next(&verb))) {
			buf_str(out, "itemctl sql ");
			shell_text(out, one);
			continue;
		}
		out->len = before;
		rewrite_without(&others, one);
	}
	for (size_t i = 0; i < others.len; i++) {
		buf_char(out, others.at[i] == '\n' ? ' ' : others.at[i]);
	}
	return true;
}

/* ------------------------------------------------------------ the MongoDB shell */

/* Append {a: 1, b: {$gt: 2}} as " WHERE a = 1 AND b > 2"; false: the filter has other conditions. */
static bool
rewrite_where(const struct json *filter, struct buf *out)
{
	static const char *const rows[][2] = {
		{"$ne", "<>"}, {"$gt", ">"}, {"$gte", ">="}, {"$lt", "<"}, {"$lte", "<="}};

	json_each (member, filter) {
		bool compares = member->type == JSON_OBJECT && member->n == 1;
		const struct json *value = compares ? member->child : member;
		const char *quote = value->type == JSON_STRING ? "'" : "";
		const char *sign = compares ? NULL : "=";

		for (size_t i = 0; compares && i < sizeof(rows) / sizeof(rows[0]); i++) {
			sign = slice_is(value->name, rows[i][0]) ? rows[i][1] : sign;
		}
		if (sign == NULL || !words_plain(member->name) || value->text.len == 0 ||
		    slice_chr(value->text, '\'') != NULL) {
			return false;
		}
		buf_fmt(out, " %s %.*s %s %s%.*s%s", member == filter->child ? "WHERE" : "AND",
			SLICE_ARG(member->name), sign, quote, SLICE_ARG(value->text), quote);
	}
	return filter == NULL || filter->type == JSON_OBJECT;
}

/* Return true if the text in parentheses is only data, without new Date() or a regular expression. */
static bool
rewrite_is_data(struct slice text, size_t begin, size_t close)
{
	struct slice typed = slice_of(text.at + begin, close <= begin ? 0 : close - 1 - begin);

	return close > begin && slice_chr(typed, '(') == NULL &&
	       memmem(typed.at, typed.len, ": /", 3) == NULL;
}

bool
rewrite_mongo(struct call *c, struct slice text, struct buf *out)
{
	static const char *const rows[][2] = {{"find findOne", "SELECT * FROM %"},
					      {"count countDocuments", "SELECT count(*) FROM %"},
					      {"getCollectionNames", "itemctl tables"},
					      {"getIndexes", "itemctl describe %"},
					      {"stats", "itemctl stats %"},
					      {"insertOne", "itemctl put % --if-not-exists %"},
					      {"deleteOne", "itemctl delete % %"},
					      {"drop", "itemctl drop % --yes"}};
	struct slice table = rewrite_next(&text);
	struct lexeme open = lex(text, 0);
	size_t close = open.type == LEXEME_OPEN ? sql_text_close(text, open) : 0;
	const struct json *given = NULL;
	const char *line = "";
	struct buf json = {.arena = &c->arena}, all = {.arena = &c->arena};

	if (!rewrite_is_data(text, open.end, close) || !slice_starts(table, SLICE("db."))) {
		return false;
	}
	size_t dot = (size_t)((const char *)slice_rchr(table, '.') - table.at);
	struct slice verb = slice_skip(table, dot + 1);
	struct slice typed = ascii_trim(slice_of(text.at + open.end, close - 1 - open.end));
	struct slice rest = slice_skip(text, close);

	struct slice limit = slice_is(verb, "findOne") ? SLICE("1") : SLICE("");

	table = slice_of(table.at + 3, dot < 3 ? 0 : dot - 3);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		line = words_in(rows[i][0], verb) ? rows[i][1] : line;
	}
	if (rewrite_take(&rest, ".limit (")) {
		limit = rewrite_next(&rest);
		(void)rewrite_take(&rest, ")");
	}
	(void)(rewrite_take(&rest, ".pretty ( )") || rewrite_take(&rest, ".toArray ( )"));
	bool selects = line[0] == 'S';
	bool takes = strchr(line, '%') != strrchr(line, '%');
	bool good = line[0] != '\0' && (strchr(line, '%') != NULL) == words_plain(table) &&
		    rewrite_ends(rest) && strspn(limit.at, "0123456789") >= limit.len &&
		    (typed.len == 0 || (rewrite_json(typed, &json) &&
					json_parse(c, buf_view(&json), JSON_STRICT, &given) == 0));

	fmt_shell(&all, line, table, buf_view(&json));
	good = good && (selects ? rewrite_where(given, &all) : takes == (given != NULL));
	if (good) {
		fmt_shell(out,
			  !selects        ? ""
			  : limit.len > 0 ? "itemctl sql % --limit %"
					  : "itemctl sql %",
			  buf_view(&all), limit);
		buf_slice(out, selects ? SLICE("") : buf_view(&all));
	}
	return good;
}

struct slice
rewrite_command(struct call *c, int *argc, char ***argv)
{
	static const char runs[] = "create-table alter describe tables shapes stats check import "
				   "export";
	struct slice text = slice_from((*argv)[0]);
	struct words words = {0};
	struct buf b = {.arena = &c->arena};

	bool mongo = rewrite_mongo(c, text, &b);

	if ((!mongo &&
	     (!synonyms_is_statement(text.at) || !rewrite_sql(NULL, c, text, &b) ||
	      memmem(b.at, b.len, "&&", 2) != NULL || memmem(b.at, b.len, " # ", 3) != NULL)) ||
	    words_split(c, buf_view(&b), &words) < 0 ||
	    !words_in(mongo ? "sql put tables describe stats" : runs, slice_from(words.at[1]))) {
		return (struct slice){0};
	}
	for (int i = 1; i < *argc; i++) {
		words_add(c, &words, (*argv)[i]);
	}
	*argc = (int)words.n - 1;
	words_add(c, &words, NULL);
	*argv = (char **)words.at + 1;
	return buf_view(&b);
}
