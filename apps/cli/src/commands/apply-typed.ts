import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceDocument } from '../documents/document.ts';
import { printFailure } from '../failure.ts';
import { yamlDiff } from '../output/yaml-diff.ts';
import { typedKindOfDocument } from '../typed/typed-document.ts';
import type { TypedKind } from '../typed/typed-kind.ts';
import { type TypedResult, writeTyped } from '../typed/write-typed.ts';
import type { CommandContext } from './command-context.ts';

/** How typed documents are applied and printed. */
export interface ApplyTypedOptions {
  readonly within: readonly string[];
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly resendSecrets: boolean;
  readonly secretsDir?: string | undefined;
  /** Labels that a dry run would create. */
  readonly tried: Set<string>;
}

/** Separates typed resources from the others, which the resource API serves. */
export function byModel(documents: readonly ResourceDocument[]): {
  readonly resources: readonly ResourceDocument[];
  readonly typed: readonly ResourceDocument[];
} {
  const isTyped = (document: ResourceDocument) => typedKindOfDocument(document) !== undefined;
  return { resources: documents.filter((one) => !isTyped(one)), typed: documents.filter(isTyped) };
}

/** Teams own projects, and deployments run in environments. */
const order = ['Team', 'Project', 'Environment', 'ServiceAccount', 'Extension', 'Deployment'];

/** Applies typed documents one by one, parents first. Returns how many resources change. */
export async function applyTyped(
  ctx: CommandContext,
  documents: readonly ResourceDocument[],
  options: ApplyTypedOptions,
): Promise<number> {
  const sorted = documents.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  let changed = 0;
  for (const document of sorted) {
    try {
      const kind = typedKindOfDocument(document) as TypedKind;
      const { client, signal, now } = ctx;
      const result = await writeTyped(document, kind, { ...options, client, signal, now });
      show(ctx, result, options);
      if (result.outcome !== 'unchanged') changed += 1;
    } catch (error) {
      ctx.signal.throwIfAborted();
      const failure = ctx.failureOf(error);
      printFailure(ctx.terminal, failure, document.source);
      ctx.fail(failure);
      if (ctx.isUnreachable) return changed;
    }
  }
  return changed;
}

function show(
  ctx: CommandContext,
  result: TypedResult,
  { dryRun, diff, secretsDir }: ApplyTypedOptions,
): void {
  const { label, outcome, before, after, secret } = result;
  ctx.out(`${label} ${outcome}${dryRun ? ' (dry run)' : ''}\n`);
  if (diff && outcome === 'configured' && before !== null) ctx.out(yamlDiff(before, after, ctx.colors));
  if (secret === undefined) return;
  // Attack: more people read the output of a pipeline than may know the secret. It goes into a file or nowhere.
  if (secretsDir === undefined) {
    const verb = secret.member === 'client_secret' ? 'rotate-secret' : 'rotate-credential';
    const [project, name] = label.split('/').slice(1);
    ctx.err(
      `The ${secret.member} of ${label} was not stored; to get another one: platform ${verb} ${project} ${name}\n`,
    );
    return;
  }
  mkdirSync(secretsDir, { recursive: true, mode: 0o700 });
  const file = join(secretsDir, `${label.replaceAll('/', '.')}.${secret.member}`);
  writeFileSync(file, `${secret.value}\n`, { mode: 0o600 });
  // The mode of an existing file does not change.
  chmodSync(file, 0o600);
  ctx.err(`The ${secret.member} of ${label} is in ${file}\n`);
}
