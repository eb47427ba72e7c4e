import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const typeTxt = 16;

/** A DNS server on loopback that knows the TXT records that a test gives it (RFC 1035, section 4). Every other name does not exist. */
export class DnsServer {
  /** Values by name, in lower case. */
  readonly records = new Map<string, readonly string[]>();
  /** Every name that was asked for. */
  readonly asked: string[] = [];
  /** Done before each answer. */
  before: () => Promise<void> = async () => {};
  /** Whether it keeps silent. */
  silent = false;
  readonly #socket: Socket = createSocket('udp4');

  /** Begins to listen; answers where. */
  async start(): Promise<string> {
    this.#socket.on('message', async (query, { port, address }) => {
      const answer = this.#answer(query);
      await this.before();
      if (!this.silent) this.#socket.send(answer, port, address);
    });
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  stop(): void {
    this.#socket.close();
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    this.asked.push(name);
    const question = query.subarray(12, at + 5);
    const values = this.records.get(name) ?? [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // A response that recursion was available for; NXDOMAIN when there is no record.
    header.writeUInt16BE(values.length > 0 ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    return Buffer.concat([header, question, ...values.map(record)]);
  }
}

/** A TXT record of the name in the question; a value of more than 255 bytes is several strings. */
function record(value: string): Buffer {
  const bytes = Buffer.from(value);
  const strings: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    strings.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(strings);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeTxt, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
