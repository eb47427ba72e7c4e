export { createRateLimiter, type RateLimiterOptions } from './rate-limiter.ts';
