import { describeRaces, describeRestoreRaces } from './races.ts';
import { useService } from './service.ts';

const service = useService();

describe('of requests to two API processes at the same moment', () => {
  describeRaces(service);
  describeRestoreRaces(service);
});
