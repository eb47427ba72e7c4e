import { type Kind, shortNames } from '../kinds/kind.ts';
import { table } from '../output/table.ts';
import type { Register } from './command.ts';

/** `kinds`: what the platform stores. */
export const registerKinds: Register = (program, benchOf) => {
  program
    .command('kinds')
    .description('list the kinds that the platform has; * is the version that is stored, (v) is not served')
    .action(async (_, command) => {
      const bench = benchOf(command);
      const { kinds } = await bench.catalog();
      const rows = kinds.map((kind) => [
        kind.plural,
        kind.kind,
        kind.group,
        kind.versions.map(versionOf).join(', '),
        kind.parent?.kind ?? '-',
        shortNamesOf(kind).join(', ') || '-',
      ]);
      bench.out(table(['PLURAL', 'KIND', 'GROUP', 'VERSIONS', 'PARENT', 'SHORT'], rows));
    });
};

function versionOf({ name, served, storage }: Kind['versions'][number]): string {
  const shown = storage ? `${name}*` : name;
  return served ? shown : `(${shown})`;
}

function shortNamesOf({ plural, builtIn }: Kind): string[] {
  return builtIn ? Object.keys(shortNames).filter((name) => shortNames[name] === plural) : [];
}
