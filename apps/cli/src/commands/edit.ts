import { isPlatformError, type Resource, sleep } from 'platform-service-client';
import { readDocument } from '../documents/document.ts';
import { type Desired, desiredState, mergeEdit } from '../documents/merge-document.ts';
import { Failure } from '../failure.ts';
import { sameJson } from '../json.ts';
import { type ItemTarget, labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { fromYaml, toYaml } from '../output/yaml.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import type { CommandContext, Register } from './command-context.ts';
import { editInFile } from './edit-in-file.ts';
import { editTyped } from './edit-typed.ts';
import { withinOption } from './options.ts';
import { typedItemOf } from './typed-commands.ts';

/** `edit`: opens a resource in the editor, and sends the changes. */
export const registerEdit: Register = (program, contextOf) => {
  program
    .command('edit <target...>')
    .description('change a resource in $VISUAL or $EDITOR')
    .addOption(withinOption())
    .action(async (words, { in: within }, command) => {
      const ctx = contextOf(command);
      const typed = typedItemOf(words, within);
      if (typed !== null) return await editTyped(ctx, typed);
      const target = requireItem(ctx.client, readTarget(await ctx.catalog(), words, within));
      const stored = await target.collection.get(target.key, { signal: ctx.signal });
      await editResource(ctx, target, stored);
    });
};

async function editResource(ctx: CommandContext, target: ItemTarget, stored: Resource): Promise<void> {
  const label = labelOfItem(target, stored);
  const { name, revision } = stored.metadata;
  const edit = new Edit(ctx, { target, label }, stored);
  const ancestors = target.names.slice(0, -1);
  const within = ancestors.length === 0 ? '' : `in: ${ancestors.join('/')}\n`;
  const option = target.names.length === 0 && target.within.length > 0 ? ' --in <ancestors>' : '';
  await editInFile(ctx, {
    label,
    name,
    revision,
    original: toYaml(desiredState(stored)),
    send: (content) => edit.send(content),
    kept: (content) => within + content,
    hint: (file) => `platform apply --dry-run${option} -f ${file}`,
  });
}

// Status writes also change the revision. A controller that writes often must not make an edit fail.
const attempts = 50;

/** The writes of one run of the editor. */
class Edit {
  readonly #ctx: CommandContext;
  readonly #target: ItemTarget;
  readonly #label: string;
  readonly #original: Desired;
  #stored: Resource;

  constructor(
    ctx: CommandContext,
    { target, label }: { readonly target: ItemTarget; readonly label: string },
    stored: Resource,
  ) {
    this.#ctx = ctx;
    this.#target = target;
    this.#label = label;
    this.#original = desiredState(stored);
    this.#stored = stored;
  }

  /** Writes what the user changed in the YAML, and prints it. */
  async send(content: string): Promise<void> {
    const [value, ...more] = fromYaml(content, 'the file');
    if (more.length > 0) throw new Failure('invalid', 'the file must contain one document');
    const { whole } = readDocument(value, 'the file');
    const edited = desiredState(whole as unknown as Resource);
    // Unknown fields count as a change, so that the server rejects them.
    const metadata = { ...this.#original.metadata, ...(whole['metadata'] as object) };
    const overlay = { ...this.#original, ...whole, metadata };
    if (sameJson(edited, this.#original) && sameJson(overlay, this.#original)) {
      this.#ctx.out(`${this.#label} unchanged\n`);
      return;
    }
    const before = await this.#replace(whole, edited);
    const after = desiredState(this.#stored);
    this.#ctx.out(`${this.#label} configured\n${yamlDiff(before, after, this.#ctx.colors)}`);
  }

  /** Replaces the resource, and returns the state that was replaced. Fails when somebody else changed a field that the user edited. */
  async #replace(whole: Readonly<Record<string, unknown>>, edited: Desired): Promise<Desired> {
    const { collection, key } = this.#target;
    const { signal, terminal } = this.#ctx;
    for (let attempt = 1; ; attempt += 1) {
      const before = desiredState(this.#stored);
      const merged = mergeEdit(this.#original, edited, before);
      if (merged === null)
        throw new Failure(
          'conflict',
          `${this.#label}: somebody else changed the same fields at the same time`,
        );
      const { revision } = this.#stored.metadata;
      const metadata = { ...(whole['metadata'] as object), ...merged.metadata, revision };
      const body = { ...whole, ...merged, metadata } as unknown as Resource;
      try {
        this.#stored = await collection.replace(body, { key, signal });
        return before;
      } catch (error) {
        if (!isPlatformError(error, 'revision_conflict') || attempt >= attempts) throw error;
        await sleep(terminal.timers, terminal.timers.random() * 100, signal);
        this.#stored = await collection.get(key, { signal });
      }
    }
  }
}
