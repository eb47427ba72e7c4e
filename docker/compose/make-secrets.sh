#!/bin/sh
# Makes the secrets of the compose installation; secrets that exist are kept.
# The client secret of the identity provider comes from there, and replaces an earlier one: AUTH_CLIENT_SECRET=... ./make-secrets.sh
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# Only the owner may enter; the files are readable so that the containers, which are not root, can read them.
chmod 0700 secrets
make() {
  [ -s "secrets/$1" ] && return
  name=$1
  shift
  "$@" > "secrets/$name"
  chmod 0644 "secrets/$name"
}
make jwt_signing_secret openssl rand -base64 32
make encryption_key openssl rand -base64 32
make database_password openssl rand -hex 24
make rs256_private_key openssl genrsa 2048
[ -z "${AUTH_CLIENT_SECRET:-}" ] || rm -f secrets/auth_client_secret
make auth_client_secret printf %s "${AUTH_CLIENT_SECRET:-not-configured}"
