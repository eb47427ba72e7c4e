import { createContext, useContext } from 'react';
import type { Document } from 'yaml';
import type { Schema } from '../editor/schema-help.ts';
import { pointerOf } from '../logic/json-pointer.ts';
import type { Path } from './tree.ts';

/** A fault that the server found, by the pointer of its place. */
export interface FormFault {
  readonly path: string;
  readonly message: string;
}

/** The context of every field of a form. */
export interface FormContext {
  readonly root: Schema;
  readonly text: string;
  /** The text as a document to read from, but for the scalar that somebody types; parsed for the first field that asks. */
  readonly document: () => Document;
  readonly tree: unknown;
  readonly faults: readonly FormFault[];
  readonly isLocked: (path: Path) => boolean;
  readonly set: (path: Path, yaml: string) => void;
  readonly remove: (path: Path) => void;
  /** Sets the members that are not named; false when they cannot be. */
  readonly setOthers: (path: Path, named: readonly string[], yaml: string) => boolean;
  readonly rename: (path: Path, name: string) => void;
}

export const Form = createContext<FormContext | null>(null);

export function useForm(): FormContext {
  const form = useContext(Form);
  if (form === null) throw new Error('a field is outside of a form');
  return form;
}

/** The properties of an input besides its shape. */
export interface InputProps {
  readonly id: string;
  readonly path: Path;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** The faults of one place, in its own words. */
export function faultsAt(form: FormContext, path: Path): string | undefined {
  const pointer = pointerOf(path);
  const dotted = path.join('.');
  const found = form.faults.filter((one) => one.path === pointer || one.path === dotted);
  return found.length === 0 ? undefined : found.map(({ message }) => message).join('; ');
}
