/* say - a line for whoever runs the program, about what nobody waits for */
#ifndef STORE_BASE_SYSTEM_SAY_H
#define STORE_BASE_SYSTEM_SAY_H

enum { SAY_TIME = 32 }; /* bytes */

/** say_time - the time in the form of ISO 8601, in UTC; Return: @out, of SAY_TIME bytes */
const char *say_time(char *out);

/** say - one line with the time on standard error */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
