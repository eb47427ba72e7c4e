#!/usr/bin/env bash
# Builds both images without a container engine, on a base made on this machine, and tests what came out:
#   apt-get install --no-install-recommends buildah debootstrap runc
#   docker/check-images.sh
# Needs root, Debian's archive and the npm registry. Takes ten minutes, fewer with STORAGE_DRIVER=overlay; leaves nothing behind.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in buildah debootstrap runc node npm; do
  command -v "$tool" > /dev/null || { echo "not installed: $tool"; exit 1; }
done

work=$(mktemp -d)
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver "${STORAGE_DRIVER:-vfs}")
finish() {
  buildah "${storage[@]}" rm --all > /dev/null || true
  # The overlay driver leaves its directory mounted. Nothing that is mounted from elsewhere is ever deleted.
  umount "$work/storage/overlay" 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT

echo '== base: Debian by debootstrap, with the Node.js and npm of this machine'
debootstrap --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$work/base" > "$work/debootstrap.log" ||
  { tail "$work/debootstrap.log"; exit 1; }
rm -rf "$work"/base/var/cache/apt/archives/*.deb "$work"/base/var/lib/apt/lists/*
install -D "$(readlink -f "$(command -v node)")" "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$work/base/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
# Behind a proxy or mirror with certificates of its own, the build trusts what this machine trusts.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$work/base/etc/ssl/certs/ca-certificates.crt"
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' > "$work/base/root/.npmrc"
fi
container=$(buildah "${storage[@]}" from scratch)
buildah "${storage[@]}" copy --quiet "$container" "$work/base" / > /dev/null
buildah "${storage[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah "${storage[@]}" commit --quiet --rm "$container" localhost/node-base > /dev/null
rm -rf "$work/base"

for app in api collector; do
  echo "== image: $app"
  # Health checks are kept by the docker format alone.
  buildah "${storage[@]}" bud --isolation chroot --format docker --layers \
    --build-arg NODE_IMAGE=localhost/node-base -f docker/Dockerfile --target "$app" -t "platform-$app" . \
    > "$work/$app.log" 2>&1 || { tail -n 40 "$work/$app.log"; exit 1; }
  mkdir -p "$work/images/$app"
  buildah "${storage[@]}" inspect --type image "platform-$app" > "$work/images/$app/image.json"
  container=$(buildah "${storage[@]}" from "platform-$app")
  cp -a "$(buildah "${storage[@]}" mount "$container")" "$work/images/$app/rootfs"
done
buildah "${storage[@]}" images

echo '== tests'
PLATFORM_IMAGES="$work/images" npx --yes pnpm jest docker/test/images.test.ts
