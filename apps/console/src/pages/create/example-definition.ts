/** A definition to begin with: a kind with a schema, a column and a field to select by. */
export const exampleDefinition = `apiVersion: platform.dev/v1alpha1
kind: ResourceDefinition
metadata:
  name: widgets.example.dev
spec:
  group: example.dev
  kind: Widget
  plural: widgets
  description: Say in a sentence what it is for.
  parent:
    apiVersion: platform.dev/v1alpha1
    kind: Organization
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        type: object
        required: [size]
        properties:
          size:
            type: integer
            minimum: 1
      additionalPrinterColumns:
        - name: Size
          type: integer
          jsonPath: .spec.size
      selectableFields:
        - jsonPath: .spec.size
`;
