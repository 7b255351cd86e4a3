#!/bin/sh
# A singleton item: one for the whole application, with a constant key.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# The running jobs are a set in one item.
cat mnt/JOBS/JOBS.json

# A job starts while fewer than a hundred run. The set and the job change together, or neither does: here with a limit
# of two, then of three.
itemctl run patterns start-job job=818ec6a97dee most=2
itemctl run patterns start-job job=818ec6a97dee most=3
itemctl run patterns start-job job=818ec6a97dee most=9
cat mnt/JOBS/JOBS.json mnt/JOB#818ec6a97dee/JOB#818ec6a97dee.json

# There are no empty sets: the attribute is removed with the last job, and size() of a missing attribute is not
# smaller than anything. The condition allows for this.
for job in 15cfea119a65 ff8a2f338373 818ec6a97dee; do
	itemctl --quiet run patterns finish-job job=$job
	done
cat mnt/JOBS/JOBS.json
itemctl update jobs JOBS JOBS 'ADD JobsInProgress :job' --if 'size(JobsInProgress) < 100' --values '{":job":{"SS":["x"]}}'
END
