import type { channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/problems/problem'
import type { Handler } from '../handler.ts'
import { startJob } from '../job/run.ts'
import type { ChannelServices } from './services.ts'

/** Jobs over all channels, under the names that new-api's routes start them by. */
export const TEST_JOB = 'test-channels'
export const BALANCE_JOB = 'update-balances'

export function testAll(services: ChannelServices): Handler<typeof channelRoutes.testAll> {
  return async () => {
    if (!(await startJob(services, TEST_JOB))) throw problem('channel_test_running')
    return null
  }
}

/** If the job is already running, that run does what was requested. */
export function updateBalances(services: ChannelServices): Handler<typeof channelRoutes.updateBalances> {
  return async () => {
    await startJob(services, BALANCE_JOB)
    return null
  }
}
