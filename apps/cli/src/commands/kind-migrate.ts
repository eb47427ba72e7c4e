import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { isPlatformError, type Resource, sleep } from 'platform-service-client';
import { Failure } from '../failure.ts';
import type { Kind } from '../kinds/kind.ts';
import { pathOf } from '../kinds/kind.ts';
import { type LocatedResource, listResources } from '../kinds/list-resources.ts';
import { labelOf } from '../kinds/target.ts';
import { contextsFile } from '../session/contexts.ts';
import type { CommandContext } from './command-context.ts';
import { readCount } from './options.ts';

/** The spec of a resource at the new version; `undefined` leaves the resource out. */
type Transform = (spec: unknown, resource: Resource) => unknown;

interface MigrateOptions {
  readonly to: string;
  readonly transform?: string;
  readonly rate: number;
}

/** The writes between two saves of the progress. */
const noteEvery = 20;

/** `kinds migrate`: rewrites every resource of a kind at another version. */
export function registerKindMigrate(kinds: Command, contextOf: (command: Command) => CommandContext): void {
  kinds
    .command('migrate <plural>')
    .description(
      'rewrite every resource of a kind at its storage version; run it again to go on with those that are left',
    )
    .requiredOption('--to <version>', 'the version, which must be the storage version')
    .option(
      '--transform <module>',
      'a JavaScript module whose default export makes the new spec from the old one',
    )
    .option('--rate <count>', 'the most resources a second', readCount, 20)
    .action(async (plural: string, options: MigrateOptions, command) => {
      const ctx = contextOf(command);
      const catalog = await ctx.catalog();
      const { kind } = catalog.resolve(plural);
      requireStorageVersion(kind, options.to);
      const transform = await loadTransform(options.transform);
      const progress = new Progress(ctx, kind, options.to);
      const within = catalog.ancestorsOf(kind);
      const counts = { migrated: 0, skipped: [] as string[] };
      const target = { kind, version: options.to, within, names: [] };
      try {
        for await (const located of listResources(ctx.client, target, ctx)) {
          const { uid } = located.resource.metadata;
          if (progress.has(uid)) continue;
          const reason = await migrateOne(ctx, kind, options.to, located, transform);
          if (reason === null) counts.migrated += 1;
          else counts.skipped.push(`${labelOf(kind.kind, namesOf(located))}: ${reason}`);
          if (reason === null) progress.add(uid);
          await sleep(ctx.terminal.timers, 1_000 / options.rate, ctx.signal);
        }
      } catch (error) {
        progress.save();
        throw error;
      }
      // A transform must not run twice on a resource, so the next run tries only what was skipped.
      if (counts.skipped.length === 0) progress.done();
      else progress.save();
      const before = progress.before === 0 ? '' : `, ${progress.before} in earlier runs`;
      ctx.out(`${counts.migrated} ${kind.plural} rewritten at ${options.to}${before}\n`);
      for (const line of counts.skipped) ctx.out(`skipped ${line}\n`);
      if (counts.skipped.length > 0) ctx.finish(1);
    });
}

function requireStorageVersion({ plural, versions }: Kind, to: string): void {
  const storage = versions.find((version) => version.storage);
  if (storage?.name === to) return;
  throw new Failure(
    'usage',
    `${to} is not the storage version of ${plural}, which is ${storage?.name ?? 'unknown'}`,
    'make it the storage version in the definition first',
  );
}

async function loadTransform(file: string | undefined): Promise<Transform> {
  if (file === undefined) return (spec) => spec;
  const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: unknown };
  if (typeof module.default === 'function') return module.default as Transform;
  throw new Failure(
    'usage',
    `${file} has no function as its default export`,
    'export default (spec, resource) => spec',
  );
}

/** Rewrites one resource. Returns why it was left out, or null. */
async function migrateOne(
  { client, signal }: CommandContext,
  kind: Kind,
  to: string,
  { ancestors, resource: listed }: LocatedResource,
  transform: Transform,
): Promise<string | null> {
  let reason: string | null = null;
  const { uid } = listed.metadata;
  const label = labelOf(kind.kind, [...ancestors, listed.metadata.name]);
  const collection = client.resources(pathOf(kind, to)).in(...ancestors);
  try {
    await collection.update(
      { uid },
      async (resource) => {
        const spec = await transformed(resource, transform, label);
        reason = spec === undefined ? 'the transform left it out' : null;
        return spec === undefined ? false : { ...resource, spec };
      },
      { signal },
    );
    return reason;
  } catch (error) {
    if (isPlatformError(error, 'not_found')) return null;
    if (
      isPlatformError(error) &&
      error.status >= 400 &&
      error.status < 500 &&
      ![401, 403, 429].includes(error.status)
    ) {
      const fields = error.errors.map(({ path, message }) => `${path} ${message}`).join(', ');
      return fields || error.detail;
    }
    throw error;
  }
}

/** The new spec. A transform that throws interrupts the migration: the next run tries the same resource again. */
async function transformed(resource: Resource, transform: Transform, label: string): Promise<unknown> {
  try {
    return await transform(resource.spec, resource);
  } catch (error) {
    const hint = 'repair it, or return undefined to leave the resource out; then run the command again';
    throw new Failure('failed', `the transform failed for ${label}: ${String(error)}`, hint);
  }
}

function namesOf({ ancestors, resource }: LocatedResource): readonly string[] {
  return [...ancestors, resource.metadata.name];
}

/** The resources that an unfinished migration has rewritten, in a file of this user. */
class Progress {
  readonly before: number;
  readonly #file: string;
  readonly #done: Set<string>;

  /** Forgets unfinished migrations to other versions: this one rewrites what they have rewritten. */
  constructor({ terminal, client }: CommandContext, { plural, group }: Kind, to: string) {
    const host = new URL(client.baseUrl).host.replaceAll(/[^A-Za-z0-9.-]/g, '_');
    const directory = join(dirname(contextsFile(terminal)), 'migrations');
    const prefix = `${host}-${plural}.${group}-`;
    this.#file = join(directory, `${prefix}${to}.json`);
    for (const name of filesIn(directory)) {
      const version = name.startsWith(prefix) ? name.slice(prefix.length).replace(/\.json$/, '') : to;
      if (version !== to && /^[a-z0-9]+$/.test(version)) rmSync(join(directory, name), { force: true });
    }
    this.#done = new Set(readDone(this.#file));
    this.before = this.#done.size;
  }

  has(uid: string): boolean {
    return this.#done.has(uid);
  }

  add(uid: string): void {
    this.#done.add(uid);
    // A killed process repeats at most the writes since then.
    if (this.#done.size % noteEvery === 0) this.save();
  }

  save(): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileSync(this.#file, JSON.stringify([...this.#done]), { mode: 0o600 });
  }

  /** After the last resource: the next migration starts from the beginning. */
  done(): void {
    rmSync(this.#file, { force: true });
  }
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readDone(file: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } catch {
    return [];
  }
}
