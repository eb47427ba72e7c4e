export { type ConnectionRequest, type Connector, createSystemConnector, type Resolver } from './connect.ts';
export { createOutbound, type OutboundOptions } from './outbound.ts';
export { createTxtLookup } from './txt-lookup.ts';
