import type { LeaseSpec } from '../src/leader-election/lease-lock.ts';
import type { Resource } from '../src/model/resource.ts';
import type { Scripted, SeenRequest } from './scripted-fetch.ts';

/** The part of the platform that leader election uses: one Lease, whose writes name the revision that they are based on. */
export class FakeLeases {
  lease: Resource<LeaseSpec> | undefined;
  /** Every write that was accepted, as `holder@revision`. */
  readonly writes: string[] = [];
  refused = 0;

  readonly serve = ({ method, body }: SeenRequest): Scripted => {
    if (method === 'GET') return this.lease === undefined ? problem(404, 'not_found') : this.#answer(200);
    const sent = JSON.parse(body ?? 'null');
    if (method === 'POST') {
      if (this.lease !== undefined) return this.#refuse(409, 'already_exists');
      return this.#store(
        { ...sent, metadata: { ...sent.metadata, uid: 'l1' }, status: { controllers: {} } },
        1,
        201,
      );
    }
    const revision = this.lease?.metadata.revision ?? 0;
    if (sent.metadata.revision !== revision) return this.#refuse(409, 'revision_conflict');
    return this.#store(sent, revision + 1, 200);
  };

  #store(sent: Resource<LeaseSpec>, revision: number, status: number): Scripted {
    this.lease = { ...sent, metadata: { ...sent.metadata, revision } };
    this.writes.push(`${sent.spec.holderIdentity}@${revision}`);
    return this.#answer(status);
  }

  #answer(status: number): Scripted {
    // A copy: what a replica holds must not change when another one writes.
    return { status, body: JSON.stringify(this.lease) };
  }

  #refuse(status: number, code: string): Scripted {
    this.refused += 1;
    return problem(status, code);
  }
}

function problem(status: number, code: string): Scripted {
  return { status, body: { code, detail: code } };
}
