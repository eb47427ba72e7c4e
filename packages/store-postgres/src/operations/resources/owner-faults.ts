import { parseArrayLiteral } from '@platform/postgres';
import { type OwnerReference, ownerMissing } from '@platform/resources';

/** The refusal of owner references, given their indexes in the command as an array literal. */
export function ownerFaults(all: readonly OwnerReference[], refused: string) {
  const faults = parseArrayLiteral(refused).map((index) =>
    ownerMissing(all[Number(index)] as OwnerReference, Number(index)),
  );
  return { outcome: 'ownersRefused', faults } as const;
}
