#!/bin/sh
# Makes ./secrets: passwords of the database, a certificate of an authority of its own, the settings, and a first key.
# Run it once, where the `loci` command is; LOCI names it when it is not on the path: LOCI="npx loci" ./prepare.sh
set -eu
cd "$(dirname "$0")"
host=${1:-localhost}
loci=${LOCI:-loci}
umask 077
mkdir secrets
mkdir secrets/tls
password() { openssl rand -hex 24; }

owner=$(password)
service=$(password)
password >secrets/database_password
printf 'postgresql://loci_owner:%s@database/loci' "$owner" >secrets/database_owner_url
printf 'postgresql://loci_service:%s@database/loci' "$service" >secrets/database_url
cat >secrets/roles.sql <<SQL
CREATE ROLE loci_owner LOGIN PASSWORD '$owner';
CREATE ROLE loci_service LOGIN PASSWORD '$service' NOSUPERUSER NOBYPASSRLS;
CREATE SCHEMA loci AUTHORIZATION loci_owner;
SQL

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=Loci" \
  -keyout secrets/authority.key -out secrets/authority.crt 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$host" \
  -keyout secrets/tls/tls.key -out secrets/server.csr 2>/dev/null
printf 'subjectAltName=DNS:%s,DNS:localhost,DNS:loci,IP:127.0.0.1\n' "$host" >secrets/names
openssl x509 -req -in secrets/server.csr -CA secrets/authority.crt -CAkey secrets/authority.key -CAcreateserial \
  -days 398 -extfile secrets/names -out secrets/tls/tls.crt 2>/dev/null
rm secrets/server.csr secrets/names

# Up to the example's key; then the entry of one that somebody has.
sed '/^# Made by/,$d' ../loci.toml >secrets/loci.toml
$loci key create --tenant acme --role read write --scope-pattern '*' --id first --json >secrets/first-key.json
node -e 'console.log(JSON.parse(require("fs").readFileSync("secrets/first-key.json", "utf8")).configuration)' >>secrets/loci.toml

# The users in the containers have other numbers than this one: Loci's 10001, and PostgreSQL's 999. Each gets what it reads, and nobody else.
# Where an engine gives them other numbers, as one without root does: CONTAINER_USER and DATABASE_USER.
open_to() {
  user=$1 mode=$2 right=$3
  shift 3
  if [ "$(id -u)" = 0 ]; then
    chown "$user:$user" "$@"
    chmod "$mode" "$@"
  elif ! setfacl -m "u:$user:$right" "$@" 2>/dev/null; then
    chmod a+"$right" "$@"
    open="$open $*"
  fi
}
open=
open_to "${CONTAINER_USER:-10001}" 500 rx secrets/tls
open_to "${CONTAINER_USER:-10001}" 400 r secrets/tls/tls.crt secrets/tls/tls.key secrets/loci.toml \
  secrets/database_url secrets/database_owner_url
open_to "${DATABASE_USER:-999}" 400 r secrets/roles.sql secrets/database_password
echo "Made ./secrets. The key of tenant acme is in secrets/first-key.json, the authority in secrets/authority.crt."
if [ -n "$open" ]; then
  echo "There is no setfacl here, so whoever gets into ./secrets, which only you can, may read:$open. Install it (package acl) or run this as root." >&2
fi
