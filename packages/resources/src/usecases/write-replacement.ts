import { invalid, Problem } from '@platform/kernel';
import type { Resource } from '../model/resource.ts';
import type { ReplaceCommand, ResourceWriter } from '../ports/resource-writer.ts';
import { revisionConflict } from '../rules/prepare-replace.ts';
import { notFound } from './request.ts';

/** Writes a replacement and turns every outcome but success into its refusal. */
export async function writeReplacement(writer: ResourceWriter, command: ReplaceCommand): Promise<Resource> {
  const result = await writer.replace(command);
  switch (result.outcome) {
    case 'replaced':
      return result.resource;
    case 'missing':
      throw notFound();
    case 'revisionMismatch':
      throw revisionConflict(result.currentRevision);
    case 'ownersRefused':
      throw invalid(result.faults, 'owner_reference_invalid');
    case 'ownerCycle':
      throw new Problem(
        'owner_reference_cycle',
        'The owner references would form a cycle over owners and parents.',
        {
          errors: [{ path: '/metadata/ownerReferences', message: 'would form a cycle' }],
        },
      );
  }
}
