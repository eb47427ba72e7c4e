import { Connection, type ConnectionSettings, ReadOnlyServer } from './connection.ts';
import { stateOf } from './sqlstate.ts';

/** How long a server may take before the next one in the list is tried at the same time. */
const headStartMs = 250;

/**
 * Opens connections to the server of the URL that accepts writes. It tries the one that accepted the last connection first, and the next
 * one after a short time, without waiting for a server that does not answer.
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

/** The error to report: a timeout first, since a retry may help; a standby last, since refusing is right for it. */
function mostTelling(errors: readonly unknown[]): unknown {
  const late = errors.find((error) => stateOf(error) === 'CONNECT_TIMEOUT');
  return late ?? errors.find((error) => !(error instanceof ReadOnlyServer)) ?? errors[0];
}
