import { besideService } from '../server/test/support/beside-service.ts';

export default besideService('site');
