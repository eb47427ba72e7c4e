export { isPublicAddress } from './address.ts';
export {
  type ConnectionPlan,
  type Connector,
  createSystemConnector,
  type Resolver,
  systemResolver,
} from './connect.ts';
export { createOutbound, type OutboundOptions } from './outbound.ts';
export { createTxtLookup, type TxtLookupOptions } from './txt-lookup.ts';
