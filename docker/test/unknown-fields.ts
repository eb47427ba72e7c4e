import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.ts';

/** A Kubernetes object, as a manifest has it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The faults of objects by the published types of Kubernetes, including fields that it does not know. The schemas alone let those pass; the
 * compiler refuses them in a literal, at any depth. Works below `directory`.
 */
export function unknownFields(directory: string, objects: readonly KubernetesObject[]): readonly string[] {
  const project = mkdtempSync(join(directory, 'types-'));
  symlinkSync(join(root, 'docker/node_modules'), join(project, 'node_modules'));
  const source = objects.map(({ apiVersion, kind }, index) => {
    const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(objects[index])};`;
  });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'objects.ts'), source.join('\n'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const flags =
    '--ignoreConfig --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --types'.split(
      ' ',
    );
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...flags, '', 'objects.ts'], {
    cwd: project,
    encoding: 'utf8',
  });
  rmSync(project, { recursive: true });
  const lines = `${stdout}${stderr}`.trim().split('\n');
  return status === 0 ? [] : lines;
}
