import type { Address, CustomKind, Kind } from './address.ts';
import type { Sender } from './reply.ts';

/** How a request names an item. */
export type Naming = 'path' | 'uid';

/** An owner as a run knows it, and what is wrong with the reference to it. */
export interface Owner {
  readonly of: Address;
  readonly blocking: boolean;
  readonly flaw: 'none' | 'none' | 'name' | 'kind' | 'group' | 'version';
}

/** The content of a create or a replacement. */
export interface Content {
  readonly spec: number;
  readonly annotations: number;
  readonly finalizers: readonly string[];
  readonly owners: readonly Owner[];
}

/** One thing that a client does to an item, a collection or the whole service. Plain data, so that it can be shrunk and printed. */
export type Operation =
  | { readonly do: 'create'; readonly at: Address; readonly version: string; readonly content: Content }
  | {
      readonly do: 'get';
      readonly at: Address;
      readonly by: Naming;
      readonly version: string;
      readonly as: Sender;
    }
  /** An item by its uid, through a collection that may be another one's, or nobody's. */
  | {
      readonly do: 'stray';
      readonly at: Address;
      readonly through: Kind | 'Nowhere';
      readonly method: 'GET' | 'DELETE';
    }
  | { readonly do: 'list'; readonly kind: Kind; readonly below: readonly string[]; readonly limit: number }
  | {
      readonly do: 'replace';
      readonly at: Address;
      readonly by: Naming;
      readonly version: string;
      readonly revision: 'current' | 'older' | 'newer' | 'none';
      readonly content: Content;
    }
  | {
      readonly do: 'status';
      readonly at: Address;
      readonly by: Naming;
      readonly as: Sender;
      readonly slot: string | null;
      readonly value: number | null;
    }
  | {
      readonly do: 'finalizers';
      readonly at: Address;
      readonly by: Naming;
      readonly as: Sender;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    }
  | { readonly do: 'delete'; readonly at: Address; readonly by: Naming; readonly as: Sender }
  | { readonly do: 'blockers'; readonly at: Address; readonly by: Naming }
  | { readonly do: 'define'; readonly kind: CustomKind; readonly shape: number }
  | { readonly do: 'redefine'; readonly kind: CustomKind; readonly shape: number }
  | { readonly do: 'killCollector' }
  | { readonly do: 'startCollector' }
  | { readonly do: 'deleteAndKillCollector'; readonly at: Address };

/** The specs that items get; most of them would not come through a parser unchanged. */
export const specs: readonly string[] = [
  '{}',
  '{"size":1}',
  '{"size":1.10,"huge":1e400,"big":9007199254740993}',
  '{ "__proto__" : {"a":[1, 2]}, "constructor":null }',
  '{"text":"\\u00e9 é 🎉 \\" \\\\ \\/"}',
];

/** The annotations that items get. */
export const annotations: readonly string[] = ['{}', '{"a":"1"}', '{"note":"\\u0061 é","__proto__":"x"}'];

/** The slots' values. */
export const values: readonly string[] = ['null', '{"ready":true}', '[1.10,1e400]', '"word"'];
