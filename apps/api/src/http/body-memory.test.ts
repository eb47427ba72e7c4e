import { EventEmitter } from 'node:events';
import { BodyMemory } from './body-memory.ts';

describe('the memory of request bodies', () => {
  it('is limited, and free again when a request is answered', () => {
    const memory = new BodyMemory(100);
    const [first, second] = [new EventEmitter(), new EventEmitter()];
    memory.reserve(first, 60);
    memory.reserve(second, 40);
    expect(() => memory.reserve(new EventEmitter(), 1)).toThrow(
      expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 }),
    );
    first.emit('close');
    memory.reserve(new EventEmitter(), 60);
    expect(() => memory.reserve(new EventEmitter(), 1)).toThrow();
  });
});
