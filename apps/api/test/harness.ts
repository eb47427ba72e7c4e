import type { AddressInfo } from 'node:net';
import { Problem, type LogFields, type Logger } from '@platform/kernel';
import type { AuditLog, AuditRecord, Cascade } from '@platform/resources';
import type { Authenticator, Principal } from '@platform/tokens';
import { createApp, type AppParts } from '../src/app.ts';
