import { invalid, Problem } from '@platform/kernel';
import { type JsonText, parseDocument } from '@platform/resources';
import { z } from 'zod';

const bodyType = z.looseObject({
  kind: z.string().nullish(),
  propagationPolicy: z.string().nullish(),
  orphanDependents: z.boolean().nullish(),
  preconditions: z
    .looseObject({ uid: z.string().nullish(), resourceVersion: z.string().nullish() })
    .nullish(),
  dryRun: z.array(z.string()).max(100).nullish(),
});

/** How an object is deleted. */
export interface DeleteOptions {
  readonly uid: string | null;
  readonly resourceVersion: string | null;
  readonly isDryRun: boolean;
}

/**
 * Whether the values of `dryRun` ask for a dry run. Throws `validation_failed` for a value other than `All`: a client that means a dry run must not
 * change anything.
 */
export function readDryRun(values: readonly string[]): boolean {
  if (values.some((value) => value !== 'All')) {
    const sent = values.map((value) => JSON.stringify(value.slice(0, 100))).join(', ');
    const message = `[${sent}]: supported values: "All"`;
    throw invalid([{ path: '/dryRun', message, reason: 'FieldValueNotSupported' }]);
  }
  return values.length > 0;
}

const policies = ['Foreground', 'Background'];

/** The part of the query of a DELETE that is about dependents. */
export interface SentPropagation {
  readonly propagationPolicy: string | null;
  readonly orphanDependents: boolean;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Reads `DeleteOptions` from the body and the query. Dependents are always deleted, so `Orphan` is refused.
 * Throws `malformed_body` or `validation_failed`.
 */
export function readDeleteOptions(text: JsonText, query: SentPropagation): DeleteOptions {
  const parsed = bodyType.safeParse(text === '' ? {} : parseDocument(text).value);
  if (!parsed.success) throw invalid([{ path: '', message: 'must be DeleteOptions' }]);
  const { kind, propagationPolicy, orphanDependents, preconditions, dryRun } = parsed.data;
  if ((kind ?? 'DeleteOptions') !== 'DeleteOptions')
    throw new Problem('malformed_body', 'the body of a delete must be DeleteOptions');
  if (isGiven(propagationPolicy) && isGiven(orphanDependents)) {
    const message = 'orphanDependents and deletionPropagation cannot be both set';
    throw invalid([{ path: '/propagationPolicy', message }]);
  }
  const orphans = orphanDependents ?? query.orphanDependents;
  const policy = orphans ? 'Orphan' : (propagationPolicy ?? query.propagationPolicy);
  if (policy !== null && !policies.includes(policy)) {
    const message =
      policy === 'Orphan'
        ? 'Orphan is not supported: dependents are always deleted with their owner'
        : 'must be Foreground or Background';
    throw invalid([{ path: '/propagationPolicy', message }]);
  }
  return {
    uid: preconditions?.uid ?? null,
    resourceVersion: preconditions?.resourceVersion ?? null,
    isDryRun: readDryRun(dryRun ?? []),
  };
}
