import { PlatformError } from '../http/platform-error.ts';
import type { ApiRequest, Transport } from '../http/transport.ts';
import type { ErrorEvent, WatchEvent } from '../model/watch-event.ts';

/** The server sends something at least every 15 seconds, so a connection that is silent for longer is lost. */
export const defaultSilenceMs = 45_000;

/** The events of one stream. Throws the problem of an `ERROR` event. */
export async function* eventsOf<Spec = unknown, Status = unknown>(
  transport: Transport,
  request: ApiRequest,
  silenceMs: number,
): AsyncGenerator<WatchEvent<Spec, Status>, void, undefined> {
  for await (const line of transport.lines(request, silenceMs)) {
    const event = transport.read<WatchEvent<Spec, Status> | ErrorEvent>({ status: 200, text: line });
    if (event.type === 'ERROR') throw new PlatformError(event.problem);
    yield event;
  }
}
