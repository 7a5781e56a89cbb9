import type { channelRoutes } from '@tollgate/contract/channel'
import { Answer, type Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import { noteTest } from './note-test.ts'
import { storedChannel } from './stored-channel.ts'
import type { ProbeResult } from '../../ports/channel-probe.ts'
import type { ChannelServices } from './services.ts'

/**
 * Duration and result are stored whether the test passes or not; the status of the channel is not changed.
 */
export function testChannel(services: ChannelServices): Handler<typeof channelRoutes.test> {
  const { probe } = services
  return async ({ params, query, language }) => {
    const { id } = await storedChannel(services, params.id)
    const result = await probe.probe({ channelId: id, language, ...(query.model && { model: query.model }) })
    await noteTest(services, id, result)
    return new Answer({
      data: measured(result),
      message: result.ok ? '' : result.message,
      extra: { success: result.ok, time: result.durationMs / 1000 },
    })
  }
}

function measured({ model, usage, units }: ProbeResult) {
  return {
    ...(model !== undefined && { model }),
    ...(usage && { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens }),
    ...(units !== undefined && { quota: wireQuota(units) }),
  }
}
