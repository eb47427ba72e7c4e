import { isPlatformError } from '@platform/client';
import type { Catalog } from '../kinds/catalog.ts';
import { type Kind, shortNames } from '../kinds/kind.ts';
import { table } from '../output/table.ts';
import { typedKinds } from '../typed/typed-kind.ts';
import type { Register, Workbench } from './command.ts';

/** `kinds`: what the platform stores. */
export const registerKinds: Register = (program, benchOf) => {
  program
    .command('kinds')
    .description('list the kinds that the platform has; * is the version that is stored, (v) is not served')
    .action(async (_, command) => {
      const bench = benchOf(command);
      const catalog = await visibleTo(bench);
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
      bench.out(table(['PLURAL', 'KIND', 'GROUP', 'VERSIONS', 'PARENT', 'SHORT'], [...typed, ...rows]));
      if (catalog === null) bench.err('There are more, which are for operators.\n');
    });
};

/** The kinds of the resource API; null for who may not see them. */
async function visibleTo(bench: Workbench): Promise<Catalog | null> {
  try {
    return await bench.catalog();
  } catch (error) {
    if (isPlatformError(error, 'forbidden')) return null;
    throw error;
  }
}

function versionOf({ name, served, storage }: Kind['versions'][number]): string {
  const shown = storage ? `${name}*` : name;
  return served ? shown : `(${shown})`;
}

function shortNamesOf({ plural, builtIn }: Kind): string[] {
  return builtIn ? Object.keys(shortNames).filter((name) => shortNames[name] === plural) : [];
}
