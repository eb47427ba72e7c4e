import { document } from './conformance.ts';

/** A parameter of the document, as far as tests read it. */
interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

/** An operation of the document, as far as tests read it. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly security: readonly object[];
  readonly parameters: readonly DocumentedParameter[];
  /** Request bodies by media type and name. */
  readonly examples: readonly { readonly type: string; readonly name: string; readonly value: unknown }[];
  readonly statuses: readonly number[];
  /** Answers below 300 with a body other than a page, and the example that is shown of each. */
  readonly answers: readonly { readonly status: number; readonly type: string; readonly example: unknown }[];
}

interface Raw {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

/** Every operation of the document. */
export const operations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(
  ([path, { parameters = [], ...methods }]) =>
    Object.entries(methods as Record<string, Raw>).map(([method, raw]) => ({
      method: method.toUpperCase(),
      path,
      id: raw.operationId,
      security: raw.security,
      parameters: [...(parameters as readonly DocumentedParameter[]), ...(raw.parameters ?? [])],
      examples: Object.entries(raw.requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
        Object.entries(examples).map(([name, { value }]) => ({ type, name, value })),
      ),
      statuses: Object.keys(raw.responses).map(Number),
      answers: Object.entries(raw.responses).flatMap(([status, { content = {} }]) =>
        Number(status) >= 300
          ? []
          : Object.entries(content)
              .filter(([type]) => type !== 'text/html')
              .map(([type, { example }]) => ({ status: Number(status), type, example })),
      ),
    })),
);

/** The path of an operation with the examples of its parameters, or the values that a test knows better. */
export function pathOf(
  { path, parameters }: DocumentedOperation,
  known: Readonly<Record<string, string>> = {},
): string {
  const example = (name: string) => parameters.find((one) => one.name === name && one.in === 'path')?.example;
  const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(known[name] ?? String(example(name))),
  );
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query' && one.example !== undefined)
      .map((one): [string, string] => [one.name, String(one.example)]),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}
