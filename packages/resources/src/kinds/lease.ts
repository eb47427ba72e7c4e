import { z } from 'zod';
import { builtInCollection } from '../model/definition.ts';
import { requireValid } from '../rules/validate-body.ts';
import { organizations } from './organization.ts';
import { type BuiltInKind, type KindStrategy, operatorsOnly } from './strategy.ts';

/** The collection of Leases, by which processes elect a leader. */
export const leases = builtInCollection('leases', 'Lease', [organizations]);

const time = z.iso.datetime({ offset: true, message: 'must be an RFC 3339 time' });

/** `spec` of a Lease, as in `coordination.k8s.io/v1`. */
const leaseSpec = z.strictObject({
  holderIdentity: z.string().max(1024).nullish(),
  leaseDurationSeconds: z.int32().min(1).nullish(),
  acquireTime: time.nullish(),
  renewTime: time.nullish(),
  leaseTransitions: z.int32().min(0).nullish(),
  strategy: z.string().min(1).max(253).nullish(),
  preferredHolder: z.string().min(1).max(1024).nullish(),
});

/** A holder competes by the revision that it read: of two writes of one revision, one is refused. */
const strategy: KindStrategy = {
  allowsOwnerReferences: true,

  allows: operatorsOnly,

  async validateCreate({ spec }) {
    requireValid(leaseSpec, spec.value, '/spec');
  },

  async validateUpdate({ spec }) {
    requireValid(leaseSpec, spec.value, '/spec');
  },
};

/** Lease, with its rules. */
export const leaseKind: BuiltInKind = { collection: leases, strategy };
