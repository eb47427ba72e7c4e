import { parseArrayLiteral } from '@platform/postgres';
import type { OwnerReference } from '@platform/resources';

/** The refusal of owner references, given their indexes in the command as an array literal. */
export function ownerFaults(all: readonly OwnerReference[], refused: string) {
  const faults = parseArrayLiteral(refused).map((index) => {
    const owner = all[Number(index)];
    return {
      path: `/metadata/ownerReferences/${index}/uid`,
      message: `does not identify a live ${owner?.kind} named ${owner?.name}`,
    };
  });
  return { outcome: 'ownersRefused', faults } as const;
}
