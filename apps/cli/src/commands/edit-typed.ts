import type { ResourceDocument } from '../documents/document.ts';
import { Failure } from '../failure.ts';
import { labelOf } from '../kinds/target.ts';
import { fromYaml, toYaml } from '../output/yaml.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import { documentOfItem, readAnyDocument } from '../typed/typed-document.ts';
import { readTypedItem, type TypedTarget } from '../typed/typed-target.ts';
import { writeTyped } from '../typed/write-typed.ts';
import type { CommandContext } from './command-context.ts';
import { editInFile } from './edit-in-file.ts';

/** Edits a typed resource as a document. The revision stays in the file, so that a concurrent change is noticed. */
export async function editTyped(ctx: CommandContext, target: TypedTarget): Promise<void> {
  const { kind, names } = target;
  const { status: _, ...stored } = documentOfItem(kind, await readTypedItem(ctx.client, target, ctx.signal));
  const { name, revision } = stored.metadata as { name: string; revision: number };
  await editInFile(ctx, {
    label: labelOf(kind.kind, names),
    name,
    revision,
    original: toYaml({ ...stored, metadata: { name, revision } }),
    send: (content) => send(ctx, target, readOne(content)),
    kept: (content) => content,
    hint: (file) => `platform diff -f ${file}`,
  });
}

function readOne(content: string): ResourceDocument {
  const [value, ...more] = fromYaml(content, 'the file');
  if (more.length > 0) throw new Failure('invalid', 'the file must contain one document');
  return readAnyDocument(value, 'the file');
}

async function send(
  ctx: CommandContext,
  { kind, names }: TypedTarget,
  document: ResourceDocument,
): Promise<void> {
  const { client, signal, now } = ctx;
  if (document.kind !== kind.kind || document.name !== names.at(-1))
    throw new Failure('invalid', `the file must stay ${labelOf(kind.kind, names)}`);
  const result = await writeTyped(document, kind, {
    client,
    signal,
    now,
    within: [],
    tried: new Set<string>(),
    dryRun: false,
    // A ciphertext in the file is meant to be used.
    resendSecrets: true,
  });
  ctx.out(`${result.label} ${result.outcome}\n`);
  if (result.before !== null) ctx.out(yamlDiff(result.before, result.after, ctx.colors));
}
