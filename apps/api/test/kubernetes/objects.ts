/** An Organization, in the resource API. */
export const organization = (name: string) => ({
  apiVersion: 'platform.dev/v1alpha1',
  kind: 'Organization',
  metadata: { name },
});

/** A Widget, the kind of these tests. */
export const widget = (name: string, spec: object = { size: name }) => ({
  apiVersion: 'example.dev/v1',
  kind: 'Widget',
  metadata: { name, labels: { size: name } },
  spec,
});

/** A CustomResourceDefinition as generators write it. */
export const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.dev' },
  spec: {
    group: 'example.dev',
    names: {
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'string', enum: ['small', 'large', 'huge'] },
                  color: { type: 'string', default: 'red' },
                  parts: { type: 'array', items: { type: 'string' } },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};
