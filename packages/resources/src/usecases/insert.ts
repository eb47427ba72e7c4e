import { invalid, Problem } from '@platform/kernel';
import type { Resource } from '../model/resource.ts';
import type { Identifiers } from '../ports/identifiers.ts';
import type { CreateCommand, ResourceWriter } from '../ports/resource-writer.ts';
import { ancestorMissing } from './request.ts';

/** The number of discriminators that are tried before a create fails with `discriminator_exhausted`. */
const maxDiscriminators = 10;

/** Inserts a row, retries with a new discriminator while it is taken, and throws the refusal of every other outcome. */
export async function insertResource(
  writer: ResourceWriter,
  identifiers: Identifiers,
  command: Omit<CreateCommand, 'uid' | 'discriminator'>,
): Promise<Resource> {
  const uid = identifiers.uid();
  for (let attempt = 0; attempt < maxDiscriminators; attempt += 1) {
    const result = await writer.create({ ...command, uid, discriminator: identifiers.discriminator() });
    switch (result.outcome) {
      case 'created':
        return result.resource;
      case 'discriminatorTaken':
        continue;
      case 'ancestorMissing':
        throw ancestorMissing();
      case 'ancestorTerminating':
        throw new Problem(
          'parent_terminating',
          `${result.name} is being deleted; nothing can be created below it.`,
        );
      case 'definitionTerminating':
        throw new Problem('definition_terminating', 'The definition of the kind is being deleted.');
      case 'ownersRefused':
        throw invalid(result.faults, 'owner_reference_invalid');
      case 'nameTaken':
        throw new Problem('already_exists', `A resource named ${command.name} exists here already.`);
    }
  }
  throw new Problem(
    'discriminator_exhausted',
    `No free discriminator was found in ${maxDiscriminators} tries; try again.`,
    {
      retryAfterSeconds: 1,
    },
  );
}
