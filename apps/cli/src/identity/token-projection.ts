import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backOffDelay, type PlatformClient, sleep, type Timers } from 'platform-service-client';

/** One token file. */
export interface Projection {
  /** The name of its file. */
  readonly file: string;
  readonly audience: string;
}

export interface ProjectionDeps {
  /** Authenticates with the bootstrap credential of the deployment. */
  readonly client: PlatformClient;
  readonly directory: string;
  readonly projections: readonly Projection[];
  /** The requested lifetime in seconds; by default the platform decides. */
  readonly ttlSeconds?: number | undefined;
  readonly timers: Timers;
  /** Stops the renewal. */
  readonly signal: AbortSignal;
  /** Receives a line for each written token and each failure. */
  readonly log: (line: string) => void;
}

interface WorkloadToken {
  readonly token: string;
  readonly expires_in: number;
}

const backOff = { baseMs: 1_000, capMs: 60_000 };

/**
 * Writes each workload token to its own file and renews it after half its lifetime until `signal` is aborted. Files are replaced
 * atomically and readable only by their owner. A failed renewal is retried with exponential backoff, independently of the other
 * tokens, while the old token stays in place (docs/tokens.md).
 */
export async function projectTokens(deps: ProjectionDeps): Promise<void> {
  mkdirSync(deps.directory, { recursive: true, mode: 0o700 });
  await Promise.all(deps.projections.map((projection) => renewUntilStopped(deps, projection)));
}

/** Requests and writes every token once. Throws when a request fails. */
export async function projectOnce(deps: ProjectionDeps): Promise<void> {
  mkdirSync(deps.directory, { recursive: true, mode: 0o700 });
  for (const projection of deps.projections) await project(deps, projection);
}

async function renewUntilStopped(deps: ProjectionDeps, projection: Projection): Promise<void> {
  const { timers, signal, log } = deps;
  for (let failures = 0; !signal.aborted; ) {
    let delayMs: number;
    try {
      const lifetimeSeconds = await project(deps, projection);
      failures = 0;
      delayMs = (lifetimeSeconds * 1000) / 2;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      delayMs = backOffDelay(backOff, failures, timers.random());
      log(`${projection.file}: ${(error as Error).message}; retrying in ${Math.ceil(delayMs / 1000)} s`);
    }
    await sleep(timers, delayMs, signal).catch(() => undefined);
  }
}

/** Requests and writes one token. Returns its lifetime in seconds. */
async function project(deps: ProjectionDeps, { file, audience }: Projection): Promise<number> {
  const { client, directory, ttlSeconds, signal, log } = deps;
  const { text } = await client.send({
    method: 'POST',
    path: '/api/v1/identity/token',
    body: { audience, ...(ttlSeconds === undefined ? {} : { ttl_seconds: ttlSeconds }) },
    signal,
  });
  const { token, expires_in: lifetimeSeconds } = JSON.parse(text) as WorkloadToken;
  writeAtomically(join(directory, file), token);
  log(`${file}: token for ${audience} written, valid for ${lifetimeSeconds} s`);
  return lifetimeSeconds;
}

// Readers see either the old or the new token, never a part of it.
function writeAtomically(path: string, content: string): void {
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    // The umask may have removed permissions.
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
