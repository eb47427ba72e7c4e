/** How a field is written on the wire, and what it is in JSON. */
export type Scalar = 'string' | 'bytes' | 'bool' | 'int32' | 'int64' | 'time' | 'microtime' | 'json';

/** A field of a message. */
export interface Field {
  readonly name: string;
  /** A scalar, or the name of a message. */
  readonly type: Scalar | (string & {});
  readonly form: 'one' | 'repeated' | 'map';
  /**
   * Whether the zero value means something. Programs in Go write every field that is no pointer, also when it is empty, and leave it out of
   * JSON then.
   */
  readonly keepsZero: boolean;
}

/** The fields of a message by their number. */
export type Message = ReadonlyMap<number, Field>;

/**
 * Reads `name: "<number> [repeated|map] <type>[?]"`; `?` marks a field that keeps its zero value. The numbers are those of the published
 * `generated.proto` files of Kubernetes; fields that the platform does not store are not read.
 */
function message(fields: Readonly<Record<string, string>>): Message {
  return new Map(
    Object.entries(fields).map(([name, text]) => {
      const [number = '', ...words] = text.split(' ');
      const type = words.at(-1) ?? '';
      const form = words.length === 1 ? 'one' : (words[0] as Field['form']);
      return [Number(number), { name, type: type.replace('?', ''), form, keepsZero: type.endsWith('?') }];
    }),
  );
}

/** The messages of the kinds below, by name. */
export const messages: Readonly<Record<string, Message>> = {
  ObjectMeta: message({
    name: '1 string',
    generateName: '2 string',
    namespace: '3 string',
    uid: '5 string',
    resourceVersion: '6 string',
    generation: '7 int64',
    creationTimestamp: '8 time',
    deletionTimestamp: '9 time',
    deletionGracePeriodSeconds: '10 int64?',
    labels: '11 map string',
    annotations: '12 map string',
    ownerReferences: '13 repeated OwnerReference',
    finalizers: '14 repeated string',
    managedFields: '17 repeated ManagedFieldsEntry',
  }),
  OwnerReference: message({
    kind: '1 string',
    name: '3 string',
    uid: '4 string',
    apiVersion: '5 string',
    controller: '6 bool?',
    blockOwnerDeletion: '7 bool?',
  }),
  ManagedFieldsEntry: message({
    manager: '1 string',
    operation: '2 string',
    apiVersion: '3 string',
    time: '4 time',
    fieldsType: '6 string',
    fieldsV1: '7 FieldsV1',
    subresource: '8 string',
  }),
  FieldsV1: message({ Raw: '1 json' }),
  DeleteOptions: message({
    gracePeriodSeconds: '1 int64?',
    preconditions: '2 Preconditions',
    orphanDependents: '3 bool?',
    propagationPolicy: '4 string',
    dryRun: '5 repeated string',
  }),
  Preconditions: message({ uid: '1 string', resourceVersion: '2 string' }),

  Namespace: message({ metadata: '1 ObjectMeta', spec: '2 NamespaceSpec', status: '3 NamespaceStatus' }),
  NamespaceSpec: message({ finalizers: '1 repeated string' }),
  NamespaceStatus: message({ phase: '1 string' }),
  Secret: message({
    metadata: '1 ObjectMeta',
    data: '2 map bytes',
    type: '3 string',
    stringData: '4 map string',
    immutable: '5 bool?',
  }),
  ConfigMap: message({
    metadata: '1 ObjectMeta',
    data: '2 map string',
    binaryData: '3 map bytes',
    immutable: '4 bool?',
  }),
  Lease: message({ metadata: '1 ObjectMeta', spec: '2 LeaseSpec' }),
  LeaseSpec: message({
    // Empty when the holder gave the lease back.
    holderIdentity: '1 string?',
    leaseDurationSeconds: '2 int32?',
    acquireTime: '3 microtime',
    renewTime: '4 microtime',
    leaseTransitions: '5 int32?',
    strategy: '6 string?',
    preferredHolder: '7 string?',
  }),

  Scale: message({ metadata: '1 ObjectMeta', spec: '2 ScaleSpec', status: '3 ScaleStatus' }),
  ScaleSpec: message({ replicas: '1 int32?' }),
  ScaleStatus: message({ replicas: '1 int32?', selector: '2 string' }),

  ObjectReference: message({
    kind: '1 string',
    namespace: '2 string',
    name: '3 string',
    uid: '4 string',
    apiVersion: '5 string',
    resourceVersion: '6 string',
    fieldPath: '7 string',
  }),
  EventSource: message({ component: '1 string', host: '2 string' }),
  EventSeries: message({ count: '1 int32', lastObservedTime: '2 microtime' }),
  CoreEvent: message({
    metadata: '1 ObjectMeta',
    involvedObject: '2 ObjectReference',
    reason: '3 string',
    message: '4 string',
    source: '5 EventSource',
    firstTimestamp: '6 time',
    lastTimestamp: '7 time',
    count: '8 int32',
    type: '9 string',
    eventTime: '10 microtime',
    series: '11 EventSeries',
    action: '12 string',
    related: '13 ObjectReference',
    reportingComponent: '14 string',
    reportingInstance: '15 string',
  }),
  Event: message({
    metadata: '1 ObjectMeta',
    eventTime: '2 microtime',
    series: '3 EventSeries',
    reportingController: '4 string',
    reportingInstance: '5 string',
    action: '6 string',
    reason: '7 string',
    regarding: '8 ObjectReference',
    related: '9 ObjectReference',
    note: '10 string',
    type: '11 string',
    deprecatedSource: '12 EventSource',
    deprecatedFirstTimestamp: '13 time',
    deprecatedLastTimestamp: '14 time',
    deprecatedCount: '15 int32',
  }),

  AccessReview: message({ metadata: '1 ObjectMeta', spec: '2 AccessReviewSpec' }),
  AccessReviewSpec: message({
    resourceAttributes: '1 ResourceAttributes',
    nonResourceAttributes: '2 NonResourceAttributes',
  }),
  ResourceAttributes: message({
    namespace: '1 string',
    verb: '2 string',
    group: '3 string',
    version: '4 string',
    resource: '5 string',
    subresource: '6 string',
    name: '7 string',
  }),
  NonResourceAttributes: message({ path: '1 string', verb: '2 string' }),
  RulesReview: message({ metadata: '1 ObjectMeta', spec: '2 RulesReviewSpec' }),
  RulesReviewSpec: message({ namespace: '1 string' }),
  SelfSubjectReview: message({ metadata: '1 ObjectMeta' }),
};

/** The message of each kind that bodies may have, by `<apiVersion> <kind>`. */
export const messageOfKind: ReadonlyMap<string, string> = new Map([
  ['v1 Namespace', 'Namespace'],
  ['v1 Secret', 'Secret'],
  ['v1 ConfigMap', 'ConfigMap'],
  ['v1 Event', 'CoreEvent'],
  ['events.k8s.io/v1 Event', 'Event'],
  ['coordination.k8s.io/v1 Lease', 'Lease'],
  ['autoscaling/v1 Scale', 'Scale'],
  ['authorization.k8s.io/v1 SelfSubjectAccessReview', 'AccessReview'],
  ['authorization.k8s.io/v1 SelfSubjectRulesReview', 'RulesReview'],
  ['authentication.k8s.io/v1 SelfSubjectReview', 'SelfSubjectReview'],
]);
