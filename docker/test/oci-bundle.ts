import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of an image that says how it is run. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** The configuration of an image as `buildah inspect --type image` writes it. */
export function imageConfig(file: string): ImageConfig {
  return JSON.parse(readFileSync(file, 'utf8')).Docker.config;
}

/** A file or directory of this machine, read-only in the container. */
export interface Mount {
  readonly source: string;
  readonly destination: string;
}

/**
 * Writes a bundle that `runc run --bundle <directory>` starts (OCI runtime specification 1.0.2): the image as compose and Kubernetes run
 * it, with a read-only root file system, `/tmp` in memory, the image's user, no capability and no new privileges. The network is the host's.
 */
export function writeBundle(
  directory: string,
  rootfs: string,
  image: ImageConfig,
  { env, mounts, parameters = image.Cmd }: BundleOptions,
): void {
  const [uid, gid] = image.User.split(':').map(Number);
  const memory = (mode: string) => ({ type: 'tmpfs', source: 'tmpfs', options: ['nosuid', `mode=${mode}`] });
  mkdirSync(directory, { recursive: true });
  const specification = {
    ociVersion: '1.0.2',
    root: { path: rootfs, readonly: true },
    process: {
      user: { uid, gid },
      cwd: image.WorkingDir,
      env: [...image.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      args: [...image.Entrypoint, ...parameters],
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', ...memory('755') },
      { destination: '/tmp', ...memory('1777') },
      ...mounts.map((mount) => ({ ...mount, type: 'bind', options: ['rbind', 'ro'] })),
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  };
  writeFileSync(join(directory, 'config.json'), JSON.stringify(specification));
}

/** The settings of a container besides its image. */
export interface BundleOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Instead of the image's own command. */
  readonly parameters?: readonly string[];
}
