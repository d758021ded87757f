#!/bin/sh
# Puts a base backup in the place of PostgreSQL's data, to go on from it and from the archive up to
# a moment. Run it as the owner of the data, while PostgreSQL is stopped.
#
#     sh restore.sh DATA BACKUP ARCHIVE MOMENT
set -eu
data=$1 backup=$2 archive=$3 moment=$4

mv "$data" "$data.lost"
cp -a "$backup" "$data"
cat >>"$data/postgresql.auto.conf" <<END
restore_command = 'cp "$archive/%f" "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
END
touch "$data/recovery.signal"
