import type { Command } from 'commander';
import { readDocuments } from '../documents/files.ts';
import { mergeDocument } from '../documents/merge-document.ts';
import { registeredBy } from '../documents/order.ts';
import { Failure } from '../failure.ts';
import { definitionKind, pathOf } from '../kinds/kind.ts';
import { table } from '../output/table.ts';
import type { Identity } from '../relations/deletion-plan.ts';
import { shortLabel } from '../relations/deletion-plan.ts';
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
    .description('say which stored resources the definitions in files would refuse; changes nothing')
    .requiredOption('-f, --file <file...>', 'files or directories with definitions; - for standard input')
    .action(async ({ file }: { readonly file: readonly string[] }, command) => {
      const ctx = contextOf(command);
      const documents = await readDocuments(file, { recursive: false, terminal: ctx.terminal });
      const definitions = ctx.client.resources(pathOf(definitionKind));
      const rows: string[][] = [];
      const notes: string[] = [];
      let invalid = 0;
      for (const document of documents) {
        if (registeredBy(document) === null)
          throw new Failure('usage', `${document.source}: not a definition of a kind`);
        const stored = await definitions.get(document.name, { signal: ctx.signal });
        const { status: _, ...body } = mergeDocument(stored, document);
        const request = { method: 'PUT', path: definitions.path(document.name), body, signal: ctx.signal };
        const { text } = await ctx.client.send({ ...request, query: { dryRun: 'true' } });
        const { impact, complete } = ctx.client.json.parse(text) as {
          readonly impact: Readonly<Record<string, Impact>>;
          readonly complete: boolean;
        };
        for (const [version, { rows: count, invalid: refused, samples }] of Object.entries(impact)) {
          rows.push([document.name, version, `${count}`, `${refused}`]);
          invalid += refused;
          for (const { errors, ...identity } of samples)
            for (const { path, message } of errors)
              notes.push(`${shortLabel(identity)} (uid:${identity.uid}): ${path} ${message}`);
        }
        if (!complete) ctx.err(`Not every resource of ${document.name} was checked in time.\n`);
      }
      ctx.out(table(['DEFINITION', 'VERSION', 'RESOURCES', 'INVALID'], rows));
      for (const note of notes) ctx.out(`${note}\n`);
      if (invalid > 0) ctx.finish(1);
    });
}
