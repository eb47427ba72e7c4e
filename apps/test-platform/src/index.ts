import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient, type PlatformClient } from 'platform-service-client';
import { controllerToken, operatorToken, wire } from './wire.ts';

/** Configures a platform for tests. */
export interface TestPlatformOptions {
  /** The ids of the controllers, as in `auth.controllers` of the configuration; all of them have `read: true`. */
  readonly controllers?: readonly string[];
}

/** A platform in this process, for tests of controllers: its resource API with schemas, watches and garbage collection. */
export interface TestPlatform {
  /** The address on the loopback interface. */
  readonly url: string;
  /** A client that may do everything, as an operator. */
  readonly operator: PlatformClient;
  /** A client with the rights of one of the controllers. */
  controller(id: string): PlatformClient;
  /** Registers a kind: a ResourceDefinition, as an object or as the text of a YAML or JSON file. */
  define(definition: string | object): Promise<void>;
  /** Reads until the result is not `undefined` and returns it; fails after `timeoutMs` (5,000). */
  until<T>(read: () => Promise<T | undefined> | T | undefined, timeoutMs?: number): Promise<T>;
  /** Stops the platform; what it stored is gone. */
  close(): Promise<void>;
}

const definitionsPath = '/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions';

/** Starts a platform on the memory store and on a free port. It needs no database and starts in milliseconds. */
export async function startTestPlatform({
  controllers = [],
}: TestPlatformOptions = {}): Promise<TestPlatform> {
  const { server, prepare, close } = wire('http://platform.test', controllers);
  await prepare();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const operator = createClient({ baseUrl: url, token: operatorToken });
  return {
    url,
    operator,
    controller(id) {
      if (!controllers.includes(id))
        throw new Error(`The controller ${id} is not in "controllers" of startTestPlatform.`);
      return createClient({ baseUrl: url, token: controllerToken(id) });
    },
    async define(definition) {
      // JSON is YAML.
      const body = typeof definition === 'string' ? definition : JSON.stringify(definition);
      await operator.send({ method: 'POST', path: definitionsPath, body, contentType: 'application/yaml' });
    },
    async until(read, timeoutMs = 5_000) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const result = await read();
        if (result !== undefined) return result;
        if (performance.now() > end) throw new Error(`Nothing was read within ${timeoutMs} ms.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}
