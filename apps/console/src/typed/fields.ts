import { pointerSteps } from '../logic/json-pointer.ts';

/** The body of a request, as it is being filled in. */
export type Body = Readonly<Record<string, unknown>>;

/** A cell of a row in a list of rows. */
export interface RowCell {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly string[];
  readonly example?: string;
}

interface Described {
  /** JSON pointer into the body, which faults of the server name, too. */
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: true;
}

/** One value of a form. */
export type Field =
  | (Described & { readonly type: 'text'; readonly example?: string; readonly mono?: true })
  | (Described & { readonly type: 'secret' })
  | (Described & { readonly type: 'lines'; readonly example?: string })
  | (Described & { readonly type: 'choice'; readonly options: readonly Choice[] })
  | (Described & { readonly type: 'instant' })
  | (Described & { readonly type: 'owner' })
  | (Described & { readonly type: 'rows'; readonly cells: readonly RowCell[]; readonly add: string })
  | (Described & {
      readonly type: 'pairs';
      readonly cells: readonly [RowCell, RowCell];
      readonly add: string;
    });

export interface Choice {
  /** The value in the body; `undefined` leaves the member out. */
  readonly value: string | boolean | undefined;
  readonly label: string;
}

export function valueAt(body: Body, path: string): unknown {
  return pointerSteps(path).reduce<unknown>((at, name) => (at as Body | undefined)?.[name], body);
}

/** The body with another value at a path; `undefined` takes the member away. */
export function withValue(body: Body, path: string, value: unknown): Body {
  return put(body, pointerSteps(path), value);
}

function put(body: Body, [name = '', ...rest]: readonly string[], value: unknown): Body {
  const { [name]: before, ...others } = body;
  const now = rest.length === 0 ? value : put((before ?? {}) as Body, rest, value);
  return now === undefined ? others : { ...body, [name]: now };
}

/** Whether everything that must be given is there, so that the server need not be asked in vain. */
export function isComplete(body: Body, fields: readonly Field[]): boolean {
  return fields.every(({ required, path }) => {
    const value = valueAt(body, path);
    return required === undefined || (value !== undefined && value !== '');
  });
}
