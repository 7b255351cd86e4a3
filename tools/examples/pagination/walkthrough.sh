#!/bin/sh
# Pagination: a limit, and where to continue.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# Orders have KSUIDs, which sort by time. A page is the five newest; "$" is the character after "#", so ORDER$ comes
# after every order and before the user.
itemctl run patterns first-page user=alexdebrie

# The next page begins before the last order seen. Its id is in the page's address: example.com/orders?before=...
itemctl run patterns next-page user=alexdebrie before=1YRfXS14inXwJJEf9tO5hWnL2pi

# An order that is added or deleted meanwhile shifts nothing.
echo '{"Amount":1}' >mnt/USER#alexdebrie/ORDER#1Zzzzzzzzzzzzzzzzzzzzzzzzzz.json
rm mnt/USER#alexdebrie/ORDER#1YRfXS14inXwJJEf9tO5hWnL2pi.json
itemctl --quiet run patterns next-page user=alexdebrie before=1YRfXS14inXwJJEf9tO5hWnL2pi

# In the mount, pages are directories.
ls -U mnt/USER#alexdebrie/.lt/ORDER$/.reverse/.limit/2
ls -U mnt/USER#alexdebrie/.lt/ORDER#1YRfXVZ39ORLkmJKIfSNvQSxA6Q/.reverse/.limit/2

# The API's own cursor is the whole key of the last item read. A page that ends exactly at the last item has one, too:
# the next page is empty.
itemctl query pagination USER#alexdebrie --lt ORDER$ --reverse --page-size 6 --one-page --count
itemctl query pagination USER#alexdebrie --lt ORDER$ --reverse --page-size 6 --one-page --count --start '{"PK":"USER#alexdebrie","SK":"ORDER#1YRfXRYymimDqUhRZJCAWDHV7Nq"}'
END
