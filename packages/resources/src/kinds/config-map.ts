import { type Fault, invalid } from '@platform/kernel';
import { z } from 'zod';
import { builtInCollection } from '../model/definition.ts';
import { allOf } from '../rules/all-faults.ts';
import { requireValid } from '../rules/validate-body.ts';
import { base64Values, sizeFaults, textValues } from '../rules/validate-data.ts';
import { immutableFaults } from './immutable-data.ts';
import { organizations } from './organization.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly, type Proposed } from './strategy.ts';

/** The collection of ConfigMaps, which hold configuration that is no secret. */
export const configMaps = builtInCollection('configmaps', 'ConfigMap', [organizations]);

/** `spec` of a ConfigMap. */
const configMapSpec = z.strictObject({
  immutable: z.boolean().nullish(),
  data: textValues,
  binaryData: base64Values,
});

function validate({ spec }: Proposed): void {
  const { data, binaryData } = requireValid(configMapSpec, spec.value, '/spec');
  const twice = Object.keys(binaryData ?? {}).filter((key) => Object.hasOwn(data ?? {}, key));
  const faults: Fault[] = [
    ...twice.map((key) => ({ path: `/spec/binaryData/${key}`, message: 'is a key of data as well' })),
    ...sizeFaults(data, binaryData),
  ];
  if (faults.length > 0) throw invalid(faults);
}

const strategy: KindStrategy = {
  allowsOwnerReferences: true,

  allows: operatorsOnly,

  async validateCreate(proposed) {
    validate(proposed);
  },

  async validateUpdate(proposed, _collection, _deps, stored) {
    allOf(
      () => validate(proposed),
      () => {
        const faults = immutableFaults(stored.spec, proposed.spec.text, ['data', 'binaryData']);
        if (faults.length > 0) throw invalid(faults);
      },
    );
  },
};

/** ConfigMap, with its rules. */
export const configMapKind: BuiltInKind = { collection: configMaps, strategy };
