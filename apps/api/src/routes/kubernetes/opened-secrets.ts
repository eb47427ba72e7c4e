import { type Caller, type Resource, shownTo, withConfirmedAccess } from '@platform/resources';
import type { Call } from '../../endpoint/call.ts';
import { identityOfPrincipal } from '../resources/call.ts';
import type { KubernetesDeps } from './object-request.ts';

/** The Secrets of a stream as its caller may read them: in clear with `get`, and as the change log has them without. */
export class OpenedSecrets {
  readonly #deps: KubernetesDeps;
  readonly #call: Call;
  #caller: Caller | null = null;

  private constructor(deps: KubernetesDeps, call: Call) {
    this.#deps = deps;
    this.#call = call;
  }

  static async of(deps: KubernetesDeps, call: Call): Promise<OpenedSecrets> {
    const opened = new OpenedSecrets(deps, call);
    await opened.authorize();
    return opened;
  }

  /** Finds out again what the caller may read: roles change while a stream is open. */
  async authorize(): Promise<void> {
    const identity = identityOfPrincipal(this.#call.context.principal, this.#deps.readingControllers);
    await withConfirmedAccess(this.#deps.access, identity, async (caller) => {
      this.#caller = caller;
    });
  }

  open(resource: Resource): Resource {
    if (this.#caller === null) return resource;
    try {
      return shownTo(this.#deps.ports, this.#caller, resource);
    } catch {
      // An old entry of the log may be sealed with a key that is no longer configured.
      return resource;
    }
  }
}
