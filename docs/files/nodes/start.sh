#!/bin/sh
# A card table that outlives its servers, on one machine: a database, three nodes, and a proxy.
#
#     sh start.sh DIRECTORY
#
# Players open http://127.0.0.1:8080/, or the port that PORT names. All that is kept lies in
# DIRECTORY. Ctrl-C ends it; start it again, and the games go on. It needs `war`, Debian's
# `postgresql` and `haproxy`, and no service of them.
set -eu

place=${1:?name a directory for all that is kept}
mkdir -p "$place"
place=$(cd "$place" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
export PORT="${PORT:-8080}"
database=$((PORT + 20))
# Debian keeps these programs where no shell looks for them.
PATH=$PATH:/usr/sbin
for programs in /usr/lib/postgresql/*/bin; do
    PATH=$PATH:$programs
done
umask 077

started=""
end() {
    trap - EXIT
    # The proxy first, then the nodes, each of which hands its rooms over; the database at last.
    for process in $started; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
}
trap end EXIT
trap 'exit 0' INT TERM

# PostgreSQL refuses to be run by root.
as_somebody() {
    if [ "$(id -u)" = 0 ]; then
        set -- setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    fi
    exec "$@"
}

# The database, whose password nobody has to know.
if [ ! -e "$place/password" ]; then
    od -An -tx1 -N16 /dev/urandom | tr -d ' \n' >"$place/password"
fi
PGPASSWORD=$(cat "$place/password")
export PGPASSWORD PGUSER=war PGHOST=127.0.0.1 PGPORT="$database"
if [ ! -d "$place/database" ]; then
    mkdir "$place/database.new"
    if [ "$(id -u)" = 0 ]; then
        chmod 711 "$place"
        chown postgres: "$place/database.new" "$place/password"
    fi
    (as_somebody initdb -D "$place/database.new" -U war --encoding=UTF8 --locale=C \
        --auth=scram-sha-256 --pwfile="$place/password") >"$place/initdb.log"
    mv "$place/database.new" "$place/database"
fi
(cd "$place/database" && as_somebody postgres -D "$place/database" -h 127.0.0.1 -p "$database" \
    -c unix_socket_directories=) >>"$place/database.log" 2>&1 &
postgres=$!
started=$postgres
until psql -d postgres -c '' >/dev/null 2>&1; do
    kill -0 "$postgres" || exit 1
    sleep 0.1
done
if ! psql -d postgres -Atc "SELECT datname FROM pg_database" | grep -qx war; then
    createdb war
fi

# The nodes, which share the database and the key and nothing else.
export WAR_TABLE_STORE="postgres://war:$PGPASSWORD@127.0.0.1:$database/war"
number=0
for node in a b c; do
    number=$((number + 1))
    mkdir -p "$place/$node"
    (cd "$place/$node" && exec war serve --key ../table.key --trust-proxy X-Forwarded-For \
        --listen "127.0.0.1:$((PORT + number))" --admin "127.0.0.1:$((PORT + 10 + number))") \
        >"$place/$node/output" 2>&1 &
    echo $! >"$place/$node/pid"
    started="$! $started"
    # The first one makes the key.
    until [ -s "$place/table.key" ]; do
        kill -0 $! || exit 1
        sleep 0.1
    done
done

export A="$((PORT + 1))" A_ADMIN="$((PORT + 11))"
export B="$((PORT + 2))" B_ADMIN="$((PORT + 12))"
export C="$((PORT + 3))" C_ADMIN="$((PORT + 13))"
haproxy -db -f "$here/haproxy.cfg" >>"$place/proxy.log" 2>&1 &
started="$! $started"
echo "the card table is open at http://127.0.0.1:$PORT/"
wait
