/* say - log lines on standard error, for events that are not the reply to a request */
#ifndef STORE_BASE_SYSTEM_SAY_H
#define STORE_BASE_SYSTEM_SAY_H

enum { SAY_TIME = 32 }; /* bytes */

/** say_time - format the current time as ISO 8601, in UTC; @out has SAY_TIME bytes; Return: @out */
const char *say_time(char *out);

/** say - print one line with the current time to standard error; control characters are escaped */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
