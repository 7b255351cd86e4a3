#!/bin/sh
# Order entry: ten entity types of a relational schema in one table, and its fourteen access patterns.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# An employee is an item collection: the person, current and former jobs, office, pay, a total for each quarter.
ls -U mnt/HR-EMPLOYEE1
cat mnt/HR-EMPLOYEE1/J-AM3.json

# The table's sort key is the partition key of GSI1. Anything that a sort key names - a person, a customer, a
# warehouse, a quarter - can be queried, and one index serves eight patterns.
ls -U mnt/.index/GSI1/WAREHOUSE1
ls -U mnt/.index/GSI1/2018-Q3

# Both collections as a picture.
itemctl draw hroe --partition HR-EMPLOYEE1 --partition 2018-Q3 -o employee.svg

# A changed office is one write; both views show it at once.
cat mnt/HR-EMPLOYEE5/WAREHOUSE1.json
echo '{"GSI1_SK":"B10|F01|A09|R09","EmployeeName":"Luca Rossi"}' >mnt/HR-EMPLOYEE5/WAREHOUSE1.json
ls -U mnt/.index/GSI1/WAREHOUSE1

# The fourteen patterns, each with its cost.
itemctl run patterns | cut -d'"' -f4 | paste -sd' '
itemctl --quiet run patterns employee-details | wc -l
itemctl run patterns employees-by-name name='John Smith'
itemctl run patterns current-job employee=EMPLOYEE1
itemctl run patterns customer-orders customer=CUSTOMER1 from=2018-08-01 to=2018-08-31
itemctl run patterns hired-since since=2018-07-01
itemctl run patterns warehouse-employees warehouse=WAREHOUSE1
itemctl --quiet run patterns product-orders product=PRODUCT1 | wc -l
itemctl run patterns rep-customers rep=EMPLOYEE1
itemctl --quiet run patterns rep-orders rep=EMPLOYEE1 | wc -l
itemctl run patterns job-employees job=AM1
itemctl run patterns warehouse-inventory product=PRODUCT1 warehouse=WAREHOUSE1
itemctl run patterns total-inventory product=PRODUCT1
itemctl run patterns top-reps quarter=2018-Q3

# All open orders would be one hot partition of GSI2. Fifteen shards divide them; the answer is merged by date.
itemctl shards plan --items 3M --fraction 0.2 --item-size 250
itemctl run patterns open-orders status=OPEN from=2018-08-01 to=2018-08-31
ls mnt/.index/GSI2/.shards/0..14/.between/OPEN#2018-08-01/OPEN#2018-08-31/.reverse/.limit/2
END
