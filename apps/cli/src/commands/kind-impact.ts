import type { Command } from 'commander';
import { isPlatformError } from 'platform-service-client';
import type { ResourceDocument } from '../documents/document.ts';
import { readDocuments } from '../documents/files.ts';
import { mergeDocument } from '../documents/merge-document.ts';
import { registeredBy } from '../documents/order.ts';
import { asDryRun } from '../dry-run.ts';
import { Failure } from '../failure.ts';
import { definitionKind, pathOf } from '../kinds/kind.ts';
import { table } from '../output/table.ts';
import { type Identity, shortLabel } from '../relations/deletion-plan.ts';
import type { CommandContext } from './command-context.ts';

interface Impact {
  readonly rows: number;
  readonly invalid: number;
  readonly samples: readonly (Identity & {
    readonly errors: readonly { readonly path: string; readonly message: string }[];
  })[];
}

/** `kinds impact`: which stored resources changed definitions would refuse. Changes nothing. */
export function registerKindImpact(kinds: Command, contextOf: (command: Command) => CommandContext): void {
  kinds
    .command('impact')
    .description('say which stored resources the definitions in files would refuse, and change nothing')
    .requiredOption('-f, --file <file...>', 'files or directories with definitions; - for standard input')
    .action(async ({ file }: { readonly file: readonly string[] }, command) => {
      const ctx = contextOf(command);
      const documents = await readDocuments(file, { recursive: false, terminal: ctx.terminal });
      const rows: string[][] = [];
      const notes: string[] = [];
      let invalid = 0;
      for (const document of documents) {
        const impacts = await impactOf(ctx, document);
        if (impacts === null) {
          notes.push(`${document.name} is not registered yet: no resource is stored at it`);
          continue;
        }
        const { impact, complete } = impacts;
        for (const [version, { rows: count, invalid: refused, samples }] of Object.entries(impact)) {
          rows.push([document.name, version, `${count}`, `${refused}`]);
          invalid += refused;
          notes.push(...samples.flatMap(notesOf));
        }
        if (!complete) ctx.err(`Not every resource of ${document.name} was checked in time.\n`);
      }
      ctx.out(table(['DEFINITION', 'VERSION', 'RESOURCES', 'INVALID'], rows));
      for (const note of notes) ctx.out(`${note}\n`);
      if (invalid > 0) ctx.finish(1);
    });
}

interface Impacts {
  /** By version. */
  readonly impact: Readonly<Record<string, Impact>>;
  /** Whether every resource was checked in time. */
  readonly complete: boolean;
}

/** Tries the definition of a document, and returns which stored resources it would refuse; null when it is not registered. */
async function impactOf(
  { client, signal }: CommandContext,
  document: ResourceDocument,
): Promise<Impacts | null> {
  if (registeredBy(document) === null)
    throw new Failure('usage', `${document.source}: not a definition of a kind`);
  const definitions = client.resources(pathOf(definitionKind));
  const stored = await definitions.get(document.name, { signal }).catch((error: unknown) => {
    if (isPlatformError(error, 'not_found')) return null;
    throw error;
  });
  if (stored === null) return null;
  const { status: _, ...body } = mergeDocument(stored, document);
  const path = definitions.path(document.name);
  const { text } = await client.send({ method: 'PUT', path, body, ...asDryRun, signal });
  return client.json.parse(text) as Impacts;
}

function notesOf({ errors, ...identity }: Impact['samples'][number]): readonly string[] {
  const label = `${shortLabel(identity)} (uid:${identity.uid})`;
  return errors.map(({ path, message }) => `${label}: ${path} ${message}`);
}
