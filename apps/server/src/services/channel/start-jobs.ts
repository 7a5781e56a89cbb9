import type { channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/kit/problem'
import type { Handler } from '../handler.ts'
import { startJob } from '../job/run.ts'
import type { ChannelServices } from './services.ts'

/** Jobs about all channels, by the names that the family's routes start them under. */
export const TEST_JOB = 'test-channels'
export const BALANCE_JOB = 'update-balances'

export function testAll(services: ChannelServices): Handler<typeof channelRoutes.testAll> {
  return async () => {
    if (!(await startJob(services, TEST_JOB))) throw problem('channel_test_running')
    return null
  }
}

/** One that is under way already does what was asked for. */
export function updateBalances(services: ChannelServices): Handler<typeof channelRoutes.updateBalances> {
  return async () => {
    await startJob(services, BALANCE_JOB)
    return null
  }
}
