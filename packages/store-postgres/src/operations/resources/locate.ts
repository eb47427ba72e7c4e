import type { Parameter } from '@platform/postgres';
import { type PathStep, platformGroup, type ResourceRef } from '@platform/resources';
import { comparedGuard } from '../access/guard.ts';

/**
 * How a statement finds the row that a reference names. References with one `shape` have the same SQL and differ in `parameters`.
 * `condition` is SQL on the table alias `r`; `operand(n)` is SQL for the n-th parameter.
 */
export interface Located {
  readonly shape: string;
  readonly parameters: readonly Parameter[];
  condition(operand: Operand): string;
}

/** SQL, without a cast, for a numbered value: a parameter or a column. */
export type Operand = (index: number) => string;

/** The operand of parameters that are numbered from `first`. */
export function parametersFrom(first: number): Operand {
  return (index) => `$${first + index}`;
}

/** Finds one row by path, uid, or uid of a kind that no definition claims; with a guard only when the request may use it. */
export function locate(ref: ResourceRef): Located {
  const located = locateRow(ref);
  if (ref.by === 'unregistered' || ref.access === undefined) return located;
  const at = located.parameters.length;
  const guard = comparedGuard(ref.access);
  return {
    shape: `${located.shape} ${guard.shape}`,
    parameters: [...located.parameters, ...guard.parameters],
    condition: (operand) =>
      `${located.condition(operand)} and ${guard.condition((index) => operand(at + index))}`,
  };
}

/** Builds a statement once for each key of its input. There are few keys: as many as paths have depths, times a few variants. */
export function oncePer<Input, Built>(
  build: (input: Input) => Built,
  keyOf: (input: Input) => unknown = (input) => input,
): (input: Input) => Built {
  const built = new Map<unknown, Built>();
  return (input) => {
    const key = keyOf(input);
    let one = built.get(key);
    if (one === undefined) {
      one = build(input);
      built.set(key, one);
    }
    return one;
  };
}

/** Builds a statement about a located row once for each shape. */
export function oncePerShape<Built>(build: (located: Located) => Built): (located: Located) => Built {
  return oncePer(build, ({ shape }) => shape);
}

function locateRow(ref: ResourceRef): Located {
  switch (ref.by) {
    case 'path':
      return {
        shape: `path${ref.steps.length}`,
        parameters: stepParameters(ref.steps),
        condition: (operand) => pathCondition(ref.steps.length, operand, 'r.'),
      };
    case 'uid':
      return { shape: 'uid', parameters: [ref.uid, ref.group, ref.kind], condition: uidCondition };
    case 'unregistered':
      return {
        shape: 'unregistered',
        parameters: [ref.uid, ref.apiVersion],
        condition: unregisteredCondition,
      };
  }
}

/** Group, kind and name of each step: three parameters a step. */
function stepParameters(steps: readonly PathStep[]): Parameter[] {
  const parameters: string[] = [];
  for (const { group, kind, name } of steps) parameters.push(group, kind, name);
  return parameters;
}

/** SQL for the uid of the row at the end of `depth` steps; null for no steps. */
export function pathUid(depth: number, operand: Operand): string {
  if (depth === 0) return 'null::uuid';
  return `(select uid from resources where ${pathCondition(depth, operand, '')})`;
}

/**
 * One scalar subquery a level, each an equality look-up in the unique name index: a plan that has no other choice, whatever the
 * statistics say. (A join of the levels is as fast, 35,000 a second at two, but may flip to a hash join, and takes long to plan at 32.)
 */
function pathCondition(depth: number, operand: Operand, alias: string): string {
  const at = 3 * (depth - 1);
  const parent = depth === 1 ? 'is null' : `= ${pathUid(depth - 1, operand)}`;
  return (
    `${alias}parent_uid ${parent} and ${alias}api_group = ${operand(at)}::text ` +
    `and ${alias}kind = ${operand(at + 1)}::text and ${alias}name = ${operand(at + 2)}::text`
  );
}

function uidCondition(operand: Operand): string {
  return `r.uid = ${operand(0)}::uuid and r.api_group = ${operand(1)}::text and r.kind = ${operand(2)}::text`;
}

/** A row whose kind is claimed is found through its collection; the platform's own kinds have no definition rows. */
function unregisteredCondition(operand: Operand): string {
  return (
    `r.uid = ${operand(0)}::uuid and r.api_version = ${operand(1)}::text and r.api_group <> '${platformGroup}' and ` +
    'not exists (select from resources d where d.definition_group = r.api_group and d.definition_kind = r.kind)'
  );
}
