import { Connection, type ConnectionSettings, ReadOnlyServer } from './connection.ts';
import { stateOf } from './sqlstate.ts';

/** How long a server may take before the next one of the list is tried beside it. */
const headStartMs = 250;

/**
 * Makes connections to whichever server of the URL accepts writes, in any order of hosts. It begins with the one that did last; a
 * server that is silent costs a quarter of a second, because the next one is tried at the same time.
 */
export class Connector {
  readonly #settings: ConnectionSettings;
  #preferred = 0;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  /** @throws the driver's error, or StorageUnavailable when no server takes writes. */
  open(limitMs: number = this.#settings.connectTimeoutMs): Promise<Connection> {
    const { servers } = this.#settings.address;
    const order = servers.map((_, index) => (this.#preferred + index) % servers.length);
    return new Promise((resolve, reject) => {
      const errors: unknown[] = [];
      let next = 0;
      let settled = false;
      let timer: NodeJS.Timeout | undefined;
      const start = () => {
        clearTimeout(timer);
        const index = order[next];
        const server = index === undefined ? undefined : servers[index];
        if (index === undefined || server === undefined) return;
        next += 1;
        if (next < order.length) timer = setTimeout(start, headStartMs);
        Connection.open(this.#settings, server, limitMs).then(
          (connection) => {
            if (settled) return connection.abandon();
            settled = true;
            clearTimeout(timer);
            this.#preferred = index;
            resolve(connection);
          },
          (error) => {
            errors.push(error);
            if (settled) return;
            if (errors.length === order.length) {
              settled = true;
              reject(mostTelling(errors));
            } else start();
          },
        );
      };
      start();
    });
  }
}

/** A timeout first, because it is worth waiting for; a standby last, because that one is as it should be. */
function mostTelling(errors: readonly unknown[]): unknown {
  const late = errors.find((error) => stateOf(error) === 'CONNECT_TIMEOUT');
  return late ?? errors.find((error) => !(error instanceof ReadOnlyServer)) ?? errors[0];
}
