import type { JsonText } from '@platform/resources';
import type { KubernetesEvent } from '../model/event.ts';
import { ageOf } from './column-value.ts';
import type { Representation } from './representation.ts';
import type { IncludeObject } from './table.ts';

/** Renders events in one representation. */
export interface EventRenderer {
  readonly mediaType: string;
  one(event: KubernetesEvent): JsonText;
  list(events: readonly KubernetesEvent[], metadata: object): JsonText;
  /** A list without events: clients of streams make a list of it and of the initial events. */
  readonly emptyList: JsonText;
  /** The object of an event of a watch; a table has its columns in the first one only. */
  watched(event: KubernetesEvent, isFirst: boolean): JsonText;
  bookmark(metadata: object): JsonText;
}

const metaVersion = 'meta.k8s.io/v1';

/** The renderer of events. `now` is in milliseconds since the Unix epoch. */
export function eventRenderer(form: Representation, group: string, now: () => number): EventRenderer {
  if (form.as === 'table') return tableRenderer(form.include, now);
  const isPartial = form.as === 'metadata';
  const names = isPartial
    ? { kind: 'PartialObjectMetadata', apiVersion: metaVersion }
    : { kind: 'Event', apiVersion: group === '' ? 'v1' : `${group}/v1` };
  const shown = (event: KubernetesEvent) => (isPartial ? partial(event) : event);
  const one = (event: KubernetesEvent) => JSON.stringify(shown(event));
  const list = (events: readonly KubernetesEvent[], metadata: object) =>
    JSON.stringify({ ...names, kind: `${names.kind}List`, metadata, items: events.map(shown) });
  return {
    mediaType: isPartial
      ? 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
      : 'application/json',
    one,
    list,
    emptyList: list([], {}),
    watched: one,
    bookmark: (metadata) => JSON.stringify({ ...names, metadata }),
  };
}

const partial = ({ metadata }: KubernetesEvent) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: metaVersion,
  metadata,
});

/** The columns of Kubernetes; only `-o wide` shows the marked ones. */
const columnNames = [
  ...['Last Seen', 'Type', 'Reason', 'Object', 'Subobject (wide)', 'Source (wide)', 'Message'],
  ...['First Seen (wide)', 'Count (wide)', 'Name (wide)'],
];
const columns = columnNames.map((text) => {
  const name = text.replace(' (wide)', '');
  return {
    name,
    type: name === 'Count' ? 'integer' : 'string',
    format: name === 'Name' ? 'name' : '',
    description: '',
    priority: name === text ? 0 : 1,
  };
});

interface Members {
  readonly involvedObject?: { readonly kind: string; readonly name: string };
  readonly regarding?: { readonly kind: string; readonly name: string };
  readonly message?: string;
  readonly note?: string;
  readonly reportingInstance?: string;
}

function cellsOf(event: KubernetesEvent, now: number): readonly unknown[] {
  const { involvedObject, regarding, message, note, reportingInstance } = event as Members;
  const { kind = '', name = '' } = involvedObject ?? regarding ?? {};
  const age = ageOf(event.metadata.creationTimestamp, now);
  const object = `${kind.toLowerCase()}/${name}`;
  return [
    ...[age, event.type, event.reason, object, '', reportingInstance, message ?? note],
    ...[age, 1, event.metadata.name],
  ];
}

function tableRenderer(include: IncludeObject, now: () => number): EventRenderer {
  const row = (event: KubernetesEvent) => ({
    cells: cellsOf(event, now()),
    ...(include === 'None' ? {} : { object: include === 'Object' ? event : partial(event) }),
  });
  const table = (events: readonly KubernetesEvent[], metadata: object, withColumns = true) =>
    JSON.stringify({
      kind: 'Table',
      apiVersion: metaVersion,
      metadata,
      columnDefinitions: withColumns ? columns : [],
      rows: events.map(row),
    });
  const versionOf = ({ metadata: { resourceVersion } }: KubernetesEvent) => ({ resourceVersion });
  return {
    mediaType: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    one: (event) => table([event], versionOf(event)),
    list: table,
    emptyList: table([], {}),
    watched: (event, isFirst) => table([event], versionOf(event), isFirst),
    bookmark: (metadata) => table([], metadata, false),
  };
}
