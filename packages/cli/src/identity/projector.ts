import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backOffDelay, type PlatformClient, sleep, type Timers } from '@platform/client';

/** One token to be kept. */
export interface Projection {
  /** The name of its file. */
  readonly file: string;
  readonly audience: string;
}

/** What the projector works with. */
export interface ProjectorParts {
  /** A client whose token is the deployment's bootstrap credential. */
  readonly client: PlatformClient;
  readonly directory: string;
  readonly projections: readonly Projection[];
  /** The lifetime to ask for, in seconds; the platform's own without it. */
  readonly ttlSeconds?: number | undefined;
  readonly timers: Timers;
  /** Ends the projector. */
  readonly signal: AbortSignal;
  /** Told of every token that was written, and of every failure. */
  readonly log: (line: string) => void;
}

interface Minted {
  readonly token: string;
  readonly expires_in: number;
}

const backOff = { baseMs: 1_000, capMs: 60_000 };

/**
 * Keeps workload tokens fresh in a directory until `signal` is aborted: each in a file of its own, replaced whole, readable by its
 * owner only, minted again after half its lifetime (specification, token model 5). Failures are tried again with growing
 * waits, each token for itself; the old token stays meanwhile.
 */
export async function projectTokens(parts: ProjectorParts): Promise<void> {
  mkdirSync(parts.directory, { recursive: true, mode: 0o700 });
  await Promise.all(parts.projections.map((projection) => keepFresh(parts, projection)));
}

/** Mints and writes every token once. Throws when one cannot be minted. */
export async function projectOnce(parts: ProjectorParts): Promise<void> {
  mkdirSync(parts.directory, { recursive: true, mode: 0o700 });
  for (const projection of parts.projections) await project(parts, projection);
}

async function keepFresh(parts: ProjectorParts, projection: Projection): Promise<void> {
  const { timers, signal, log } = parts;
  for (let failures = 0; !signal.aborted; ) {
    let waitMs: number;
    try {
      const lifetimeSeconds = await project(parts, projection);
      failures = 0;
      waitMs = (lifetimeSeconds * 1000) / 2;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      waitMs = backOffDelay(backOff, failures, timers.random());
      log(`${projection.file}: ${(error as Error).message}; again in ${Math.ceil(waitMs / 1000)} s`);
    }
    await sleep(timers, waitMs, signal).catch(() => undefined);
  }
}

/** Mints one token and writes it; returns its lifetime in seconds. */
async function project(parts: ProjectorParts, { file, audience }: Projection): Promise<number> {
  const { client, directory, ttlSeconds, signal, log } = parts;
  const { text } = await client.send({
    method: 'POST',
    path: '/api/v1/identity/token',
    body: { audience, ...(ttlSeconds === undefined ? {} : { ttl_seconds: ttlSeconds }) },
    signal,
  });
  const { token, expires_in: lifetimeSeconds } = JSON.parse(text) as Minted;
  writeAtomically(join(directory, file), token);
  log(`${file}: written, for ${audience}, good for ${lifetimeSeconds} s`);
  return lifetimeSeconds;
}

// A reader sees the old token or the new one, and nobody else ever sees either.
function writeAtomically(path: string, content: string): void {
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    // Whatever the umask made of it.
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
