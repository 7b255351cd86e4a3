/* number_int - helpers that number.c provides for number_sum.c and number_key.c */
#ifndef STORE_MODEL_NUMBER_INT_H
#define STORE_MODEL_NUMBER_INT_H

#include "store/base/core/base.h"

typedef unsigned __int128 u128;

/** number_digits - write the digits of @v < 10^38 without leading zeros; return their number, at most 38 */
int number_digits(char *to, u128 v);

/** number_ten_to - return 10^@n for 0 <= @n <= 38 */
u128 number_ten_to(int n);

/** number_digit_count - return the number of decimal digits of @v; 0 has none, and 39 means 39 or more */
int number_digit_count(u128 v);

/** number_check_range - refuse a number whose first digit is at 10^@power and that has @digits significant digits */
int number_check_range(struct call *c, long power, size_t digits) must_check;

#endif
