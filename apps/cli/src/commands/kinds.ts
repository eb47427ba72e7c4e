import { isPlatformError } from 'platform-service-client';
import type { Catalog } from '../kinds/catalog.ts';
import { builtInShortNames, type Kind } from '../kinds/kind.ts';
import { table } from '../output/table.ts';
import { typedKinds } from '../typed/typed-kind.ts';
import type { CommandContext, Register } from './command-context.ts';
import { registerKindImpact } from './kind-impact.ts';
import { registerKindMigrate } from './kind-migrate.ts';

/** `kinds`: lists the kinds of the platform; subcommands change definitions safely. */
export const registerKinds: Register = (program, contextOf) => {
  const kinds = program.command('kinds');
  registerKindImpact(kinds, contextOf);
  registerKindMigrate(kinds, contextOf);
  kinds
    .description('list the kinds; * marks the storage version, parentheses a version that is not served')
    .action(async (_, command) => {
      const ctx = contextOf(command);
      const catalog = await readableCatalog(ctx);
      const rows = (catalog?.kinds ?? []).map((kind) => [
        kind.plural,
        kind.kind,
        kind.group,
        kind.versions.map(versionOf).join(', '),
        kind.parent?.kind ?? '-',
        shortNamesOf(kind).join(', ') || '-',
      ]);
      const typed = typedKinds.map(({ plural, kind, inProject, short }) => [
        plural,
        kind,
        '-',
        '-',
        inProject ? 'Project' : '-',
        short.join(', ') || '-',
      ]);
      ctx.out(table(['PLURAL', 'KIND', 'GROUP', 'VERSIONS', 'PARENT', 'SHORT'], [...typed, ...rows]));
      if (catalog === null) ctx.err('The resource kinds are not shown: no role binding names you.\n');
    });
};

/** The kinds of the resource API; null when the caller may not read them. */
async function readableCatalog(ctx: CommandContext): Promise<Catalog | null> {
  try {
    return await ctx.catalog();
  } catch (error) {
    if (isPlatformError(error, 'forbidden')) return null;
    throw error;
  }
}

function versionOf({ name, served, storage }: Kind['versions'][number]): string {
  const shown = storage ? `${name}*` : name;
  return served ? shown : `(${shown})`;
}

function shortNamesOf({ plural, builtIn, shortNames = [] }: Kind): readonly string[] {
  if (!builtIn) return shortNames;
  return Object.keys(builtInShortNames).filter((name) => builtInShortNames[name] === plural);
}
