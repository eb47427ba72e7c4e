const text = { type: 'string' };
const shortText = { type: 'string', minLength: 1, maxLength: 253 };
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const conditions = {
  type: 'array',
  maxItems: 8,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32_768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: { type: 'string', minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: shortText,
    },
  },
};

const listener = {
  type: 'object',
  required: ['name', 'port', 'protocol'],
  properties: {
    name: shortText,
    port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 },
    protocol: { type: 'string', pattern: '^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' },
    hostname: { type: 'string', nullable: true },
    tls: {
      type: 'object',
      properties: { mode: { type: 'string', enum: ['Terminate', 'Passthrough'], default: 'Terminate' } },
    },
    allowedRoutes: {
      type: 'object',
      default: { from: 'Same' },
      properties: { from: { type: 'string', enum: ['All', 'Same'], default: 'Same' } },
    },
  },
};

const gatewaySchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['gatewayClassName', 'listeners'],
      properties: {
        gatewayClassName: {
          ...shortText,
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'gatewayClassName is immutable' }],
        },
        listeners: {
          type: 'array',
          minItems: 1,
          maxItems: 64,
          items: listener,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          'x-kubernetes-validations': [
            {
              rule: "self.all(l, l.protocol in ['HTTPS', 'TLS'] ? has(l.tls) : true)",
              message: 'tls must be set for the protocols HTTPS and TLS',
            },
            {
              rule: 'self.all(l1, self.exists_one(l2, l1.port == l2.port && l1.protocol == l2.protocol))',
              message: 'the combination of port and protocol must be unique',
            },
          ],
        },
        infrastructure: {
          type: 'object',
          properties: {
            budget: {
              anyOf: [{ type: 'integer' }, { type: 'string' }],
              pattern: '^[0-9]+%?$',
              'x-kubernetes-int-or-string': true,
            },
            template: { ...open, 'x-kubernetes-embedded-resource': true },
            labels: {
              type: 'object',
              maxProperties: 8,
              additionalProperties: { type: 'string', maxLength: 63 },
            },
          },
        },
        parameters: open,
      },
    },
    status: {
      type: 'object',
      default: { conditions: [] },
      properties: {
        addresses: { type: 'array', items: { type: 'object', properties: { value: shortText } } },
        conditions,
      },
    },
  },
};

const gatewayVersion = {
  served: true,
  subresources: { status: {} },
  selectableFields: [{ jsonPath: '.spec.gatewayClassName' }],
  additionalPrinterColumns: [
    { name: 'Class', type: 'string', jsonPath: '.spec.gatewayClassName' },
    { name: 'Address', type: 'string', jsonPath: '.status.addresses[*].value' },
    { name: 'Programmed', type: 'string', jsonPath: '.status.conditions[?(@.type=="Programmed")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: { openAPIV3Schema: gatewaySchema },
};

/** A kind with two versions, rules over lists, open and embedded parts, columns and selectable fields. */
export const gateway = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gateways.net.example.dev', annotations: { 'example.dev/bundle-version': 'v1.2.0' } },
  spec: {
    group: 'net.example.dev',
    names: {
      kind: 'Gateway',
      listKind: 'GatewayList',
      plural: 'gateways',
      singular: 'gateway',
      shortNames: ['gtw'],
    },
    scope: 'Namespaced',
    conversion: { strategy: 'None' },
    versions: [
      { name: 'v1', storage: true, ...gatewayVersion },
      { name: 'v1beta1', storage: false, ...gatewayVersion, deprecated: true, deprecationWarning: 'use v1' },
    ],
  },
};

/** A kind with durations, quantities, defaults at several depths, choices between members, and a scale. */
export const certificate = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'certificates.certs.example.dev' },
  spec: {
    group: 'certs.example.dev',
    names: { kind: 'Certificate', plural: 'certificates', categories: ['certs'] },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            description: 'A certificate that is renewed in time.',
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['issuerRef', 'secretName'],
                oneOf: [{ required: ['dnsNames'] }, { required: ['uris'] }],
                properties: {
                  dnsNames: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
                  uris: { type: 'array', items: { type: 'string', format: 'uri' } },
                  usages: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
                  duration: { type: 'string', format: 'duration' },
                  secretName: shortText,
                  replicas: { type: 'integer', format: 'int32', default: 1 },
                  revisionHistoryLimit: { type: 'integer', format: 'int32', minimum: 1, default: 1 },
                  issuerRef: {
                    type: 'object',
                    required: ['name'],
                    'x-kubernetes-map-type': 'atomic',
                    properties: { group: text, kind: { type: 'string', default: 'Issuer' }, name: text },
                  },
                  privateKey: {
                    type: 'object',
                    properties: {
                      algorithm: { type: 'string', enum: ['RSA', 'ECDSA', 'Ed25519'] },
                      size: { type: 'integer' },
                    },
                    'x-kubernetes-validations': [
                      {
                        rule: "!has(self.size) || (has(self.algorithm) && self.algorithm != 'Ed25519')",
                        messageExpression: "'size ' + string(self.size) + ' needs RSA or ECDSA'",
                        fieldPath: '.size',
                        reason: 'FieldValueForbidden',
                      },
                    ],
                  },
                },
              },
              status: {
                type: 'object',
                properties: { conditions, replicas: { type: 'integer', format: 'int32' } },
              },
            },
          },
        },
      },
    ],
  },
};

export const sampleGateway = {
  apiVersion: 'net.example.dev/v1',
  kind: 'Gateway',
  metadata: { name: 'edge', labels: { tier: 'edge' } },
  spec: {
    gatewayClassName: 'internal',
    listeners: [
      { name: 'http', port: 80, protocol: 'HTTP' },
      { name: 'https', port: 443, protocol: 'HTTPS', tls: { mode: 'Terminate' } },
    ],
    infrastructure: {
      budget: '25%',
      labels: { a: 'b' },
      template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'edge' }, spec: { containers: [] } },
    },
  },
};

export const sampleCertificate = {
  apiVersion: 'certs.example.dev/v1',
  kind: 'Certificate',
  metadata: { name: 'web' },
  spec: {
    dnsNames: ['a.example.dev', '*.b.example.dev'],
    usages: ['server auth', 'client auth'],
    duration: '2160h0m0s',
    secretName: 'web-tls',
    issuerRef: { name: 'internal', kind: 'ClusterIssuer', group: 'certs.example.dev' },
    privateKey: { algorithm: 'RSA', size: 2048 },
  },
};
