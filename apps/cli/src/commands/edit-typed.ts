import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceDocument } from '../documents/document.ts';
import { Failure } from '../failure.ts';
import { labelOf } from '../kinds/target.ts';
import { fromYaml, toYaml } from '../output/yaml.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import { documentOfItem, readAnyDocument } from '../typed/typed-document.ts';
import { readTypedItem, type TypedTarget } from '../typed/typed-target.ts';
import { writeTyped } from '../typed/write-typed.ts';
import type { CommandContext } from './command-context.ts';
import { comment, openEditor } from './editor.ts';

/** Edits a typed resource as a document. The revision stays in the file, so that a concurrent change is noticed. */
export async function editTyped(ctx: CommandContext, target: TypedTarget): Promise<void> {
  const { kind, names } = target;
  const label = labelOf(kind.kind, names);
  const { status: _, ...stored } = documentOfItem(kind, await readTypedItem(ctx.client, target, ctx.signal));
  const { name, revision } = stored.metadata as { name: string; revision: number };
  const original = toYaml({ ...stored, metadata: { name, revision } });
  const directory = mkdtempSync(join(tmpdir(), 'platform-edit-'));
  const file = join(directory, `${name}.yaml`);
  let content = original;
  let notes = [`${label}, revision ${revision}. Save an empty or unchanged file to cancel.`];
  try {
    for (;;) {
      writeFileSync(file, comment(notes) + content, { mode: 0o600 });
      await openEditor(ctx, file);
      const edited = readFileSync(file, 'utf8').replace(/^(#.*\n)+/, '');
      if (edited.trim() === '' || edited === original) {
        content = original;
        ctx.out(`${label} unchanged\n`);
        break;
      }
      // Saved without a change after an error: the user cancels.
      if (edited === content) throw new Failure('invalid', `${label}: ${notes[0]}`);
      content = edited;
      const failure = await send(ctx, target, readOne(content)).catch((error: unknown) =>
        ctx.failureOf(error),
      );
      if (failure === undefined) break;
      if (failure.exit !== 'invalid') throw failure;
      notes = [
        failure.message,
        ...failure.details,
        'Fix it and save. Save the file without changes to cancel.',
      ];
      ctx.err(`${failure.message}\n`);
    }
  } catch (error) {
    const { exit, message, hint, details } = ctx.failureOf(error);
    if (content === original) throw new Failure(exit, message, hint, details);
    writeFileSync(file, content, { mode: 0o600 });
    throw new Failure(
      exit,
      message,
      `your changes are kept in ${file}; compare with: platform diff -f ${file}`,
      details,
    );
  }
  rmSync(directory, { recursive: true });
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
): Promise<undefined> {
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
