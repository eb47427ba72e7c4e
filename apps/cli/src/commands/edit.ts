import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlatformError, type Resource, sleep } from 'platform-service-client';
import { readDocument } from '../documents/document.ts';
import { type Desired, desiredState, mergeEdit } from '../documents/merge-document.ts';
import { Failure } from '../failure.ts';
import { sameJson } from '../json.ts';
import { type ItemTarget, labelOfItem, readTarget, requireItem } from '../kinds/target.ts';
import { fromYaml, toYaml } from '../output/yaml.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import type { CommandContext, Register } from './command-context.ts';
import { editTyped } from './edit-typed.ts';
import { comment, openEditor } from './editor.ts';
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
      const directory = mkdtempSync(join(tmpdir(), 'platform-edit-'));
      const edit = new Edit(ctx, target, stored, join(directory, `${stored.metadata.name}.yaml`));
      try {
        await edit.run();
      } catch (error) {
        const { exit, message, hint, details } = ctx.failureOf(error);
        if (edit.keepChanges()) throw new Failure(exit, message, edit.keptHint, details);
        rmSync(directory, { recursive: true });
        throw new Failure(exit, message, hint, details);
      }
      rmSync(directory, { recursive: true });
    });
};

// Status writes also change the revision. A controller that writes often must not make an edit fail.
const attempts = 50;

/** One run of the editor on a file, repeated while the server rejects the content. */
class Edit {
  readonly #ctx: CommandContext;
  readonly #target: ItemTarget;
  readonly #original: Desired;
  readonly #label: string;
  readonly #file: string;
  #stored: Resource;
  #content: string;

  constructor(ctx: CommandContext, target: ItemTarget, stored: Resource, file: string) {
    this.#ctx = ctx;
    this.#target = target;
    this.#stored = stored;
    this.#original = desiredState(stored);
    this.#label = labelOfItem(target, stored);
    this.#file = file;
    this.#content = toYaml(this.#original);
  }

  async run(): Promise<void> {
    let notes = [
      `${this.#label}, revision ${this.#stored.metadata.revision}. Save an empty or unchanged file to cancel.`,
    ];
    for (;;) {
      writeFileSync(this.#file, comment(notes) + this.#content, { mode: 0o600 });
      await openEditor(this.#ctx, this.#file);
      const edited = readFileSync(this.#file, 'utf8').replace(/^(#.*\n)+/, '');
      if (edited.trim() === '' || edited === toYaml(this.#original)) {
        this.#content = toYaml(this.#original);
        return this.#printUnchanged();
      }
      // Saved without a change after an error: the user cancels.
      if (edited === this.#content) throw new Failure('invalid', `${this.#label}: ${notes[0]}`);
      this.#content = edited;
      try {
        return await this.#send();
      } catch (error) {
        const failure = this.#ctx.failureOf(error);
        if (failure.exit !== 'invalid') throw error;
        notes = [
          failure.message,
          ...failure.details,
          'Fix it and save. Save the file without changes to cancel.',
        ];
        this.#ctx.err(`${failure.message}\n`);
      }
    }
  }

  /** Writes the edited content as a file that `apply` can read. Returns false when there are no changes to keep. */
  keepChanges(): boolean {
    if (this.#content === toYaml(this.#original)) return false;
    const ancestors = this.#target.names.slice(0, -1);
    const within = ancestors.length === 0 ? '' : `in: ${ancestors.join('/')}\n`;
    writeFileSync(this.#file, within + this.#content, { mode: 0o600 });
    return true;
  }

  get keptHint(): string {
    const within =
      this.#target.names.length === 0 && this.#target.within.length > 0 ? ' --in <ancestors>' : '';
    return `your changes are kept in ${this.#file}; compare with: platform apply --dry-run${within} -f ${this.#file}`;
  }

  async #send(): Promise<void> {
    const [value, ...more] = fromYaml(this.#content, 'the file');
    if (more.length > 0) throw new Failure('invalid', 'the file must contain one document');
    const { whole } = readDocument(value, 'the file');
    const edited = desiredState(whole as unknown as Resource);
    // Unknown fields count as a change, so that the server rejects them.
    const metadata = { ...this.#original.metadata, ...(whole['metadata'] as object) };
    const overlay = { ...this.#original, ...whole, metadata };
    if (sameJson(edited, this.#original) && sameJson(overlay, this.#original)) return this.#printUnchanged();
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

  #printUnchanged(): void {
    this.#ctx.out(`${this.#label} unchanged\n`);
  }
}
