import { z } from 'zod';
import type { KeyPath } from '../faults.ts';
import { sections } from './platform.ts';

/** The JSON Schema of one key, with the members that the reader and the reference page use. */
export interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  /** Shown instead of the default, if the default depends on other keys. */
  readonly shown?: string;
  readonly secret?: boolean;
}

/** The whole configuration as JSON Schema. */
export const rootShape = z.toJSONSchema(z.strictObject(sections), {
  io: 'input',
  unrepresentable: 'any',
}) as Shape;

/** The shape of the key at `path`; undefined for unknown keys and inside free-form values. */
export function shapeAt(path: KeyPath): Shape | undefined {
  return path.reduce<Shape | undefined>(step, rootShape);
}

function step(shape: Shape | undefined, part: string | number): Shape | undefined {
  if (typeof part === 'number') return shape?.items;
  const properties = shape?.properties ?? {};
  return Object.hasOwn(properties, part) ? properties[part] : undefined;
}
