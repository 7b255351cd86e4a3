/* commands - see commands.h */
#include "tools/cli/commands.h"

static const struct help_group *commands_table;

void
commands_use(const struct help_group *groups)
{
	commands_table = groups;
}

const struct help_group *
commands_groups(void)
{
	assert(commands_table != NULL);
	return commands_table;
}

const struct command *
commands_next(const struct command *before)
{
	bool found = before == NULL;

	for (const struct help_group *g = commands_groups(); g->title != NULL; g++) {
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			if (found) {
				return g->commands[i];
			}
			found = g->commands[i] == before;
		}
	}
	return NULL;
}

const struct command *
commands_find(const char *name)
{
	const struct command *command = commands_next(NULL);

	while (command != NULL && strcmp(command->name, name) != 0) {
		command = commands_next(command);
	}
	return command;
}

const struct command *
commands_get(enum command_id id)
{
	const struct command *command = commands_next(NULL);

	assert(id != COMMAND_OTHER);
	while (command != NULL && command->id != id) {
		command = commands_next(command);
	}
	assert(command != NULL);
	return command;
}
