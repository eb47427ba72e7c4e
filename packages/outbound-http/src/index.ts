export { isPublicAddress } from './address.ts';
export {
  type ConnectionRequest,
  type Connector,
  createSystemConnector,
  type Resolver,
  systemResolver,
} from './connect.ts';
export { createOutbound, type OutboundOptions } from './outbound.ts';
export { createTxtLookup, type TxtLookupOptions } from './txt-lookup.ts';
