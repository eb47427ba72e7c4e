import { Failure } from '../failure.ts';
import { labelOf, splitWords } from '../kinds/target.ts';
import { ageOf, printable } from '../output/format.ts';
import { toYaml } from '../output/yaml.ts';
import { documentOfItem } from '../typed/typed-document.ts';
import { typedKindOf, typedKinds } from '../typed/typed-kind.ts';
import {
  collectTyped,
  type LocatedItem,
  readTypedItem,
  readTypedTarget,
  requireTypedItem,
  type TypedTarget,
  typedPath,
} from '../typed/typed-target.ts';
import type { CommandContext } from './command-context.ts';

/** The typed item that the words name; null when they name a resource. */
export function typedItemOf(words: readonly string[], within?: string): TypedTarget | null {
  const { word, rest } = splitWords(words);
  const kind = typedKindOf(word);
  return kind === undefined ? null : requireTypedItem(readTypedTarget(kind, rest, within));
}

/** `describe` of a typed resource: its fields, and what belongs to a project. */
export async function describeTyped(ctx: CommandContext, target: TypedTarget): Promise<void> {
  const { kind, names } = target;
  const located = await readTypedItem(ctx.client, target, ctx.signal);
  const { item } = located;
  const { spec, status = {} } = documentOfItem(kind, located);
  const facts = [
    ['Name:', labelOf(kind.kind, names)],
    ['UID:', String(item['uid'])],
    ['Revision:', String(item['revision'])],
    ['Created:', `${item.created_at} (${ageOf(item.created_at, ctx.now)} ago)`],
  ] as const;
  const children = kind.kind === 'Project' ? await childrenOf(ctx, item.name) : undefined;
  ctx.out(
    [
      ...facts.map(([name, value]) => `${name.padEnd(15)}${printable(value)}\n`),
      section('Spec', spec),
      section('Status', status),
      ...(children === undefined ? [] : [section('Contains', children)]),
    ].join(''),
  );
}

/** `tree` of a typed resource: a project with what is deleted with it. */
export async function treeTyped(ctx: CommandContext, target: TypedTarget): Promise<void> {
  const { item } = await readTypedItem(ctx.client, target, ctx.signal);
  ctx.out(`${await treeOf(ctx, target, item.name)}\n`);
}

/** `delete` of a typed resource, of exactly the version that was shown. */
export async function deleteTyped(
  ctx: CommandContext,
  target: TypedTarget,
  { yes = false, plan }: { readonly yes?: boolean; readonly plan?: string | true },
): Promise<void> {
  const { kind, names } = target;
  const label = labelOf(kind.kind, names);
  if (plan !== undefined)
    throw new Failure('usage', `--plan is for resources; ${label} has none`, 'use platform tree');
  const { item } = await readTypedItem(ctx.client, target, ctx.signal);
  if (!yes) {
    if (kind.kind === 'Project') ctx.err(`${await treeOf(ctx, target, item.name)}\n`);
    if (!ctx.terminal.canAsk) {
      const problem = `refusing to delete ${label} without confirmation: stdin is not a terminal`;
      throw new Failure('usage', problem, 'pass --yes');
    }
    const answer = await ctx.terminal.ask(`Delete ${label}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failed', 'cancelled; nothing was deleted');
  }
  // A new resource of the same name is not deleted instead, nor one that somebody has changed meanwhile.
  const headers = { 'If-Match': `"${item['uid']}.${item['revision']}"` };
  await ctx.client.send({ method: 'DELETE', path: typedPath(kind, names), headers, signal: ctx.signal });
  ctx.out(`${label} deleted\n`);
}

async function treeOf(ctx: CommandContext, { kind, names }: TypedTarget, name: string): Promise<string> {
  const children = kind.kind === 'Project' ? await childrenOf(ctx, name) : [];
  const lines = children.map((child, index) => `${index === children.length - 1 ? '└─' : '├─'} ${child}`);
  return [labelOf(kind.kind, names), ...lines].join('\n');
}

/** The labels of everything in a project: one list for each kind. */
async function childrenOf(ctx: CommandContext, project: string): Promise<readonly string[]> {
  const kinds = typedKinds.filter(({ inProject }) => inProject);
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const found: LocatedItem[] = await collectTyped(ctx.client, { kind, names: [project] }, ctx.signal);
      return found.map(({ item }) => labelOf(kind.kind, [project, item.name]));
    }),
  );
  return lists.flat();
}

function section(title: string, value: object): string {
  if (Object.keys(value).length === 0) return `${`${title}:`.padEnd(14)} none\n`;
  const lines = toYaml(value).trimEnd().split('\n');
  return `${title}:\n${lines.map((line) => `  ${printable(line)}\n`).join('')}`;
}
