import type { channelRoutes } from '@tollgate/contract/channel'
import { Answer, type Handler } from '../handler.ts'
import { wireQuota } from '../wire-quota.ts'
import { storedChannel } from './stored-channel.ts'
import type { ProbeResult } from '../../ports/channel-probe.ts'
import type { ChannelServices } from './services.ts'
import { redact } from '@tollgate/kit/redact'
import { recordChannelTest } from '@tollgate/store/channels/channels'
import type { Services } from '../services.ts'

/**
 * Duration and result are stored whether the test passes or not; the status of the channel is not changed.
 */
export function testChannel(services: ChannelServices): Handler<typeof channelRoutes.test> {
  const { probe } = services
  return async ({ params, query, language }) => {
    const { id } = await storedChannel(services, params.id)
    const result = await probe.probe({ channelId: id, language, model: query.model })
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
    model,
    prompt_tokens: usage?.inputTokens,
    completion_tokens: usage?.outputTokens,
    quota: units === undefined ? undefined : wireQuota(units),
  }
}

/**
 * Stores the result of a test, to be shown with the channel. Secrets are removed first, because an upstream
 * may echo any secret that it was sent.
 */
export function noteTest(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  id: number,
  { ok, message, durationMs, status = 0, model = '' }: ProbeResult,
): Promise<void> {
  return recordChannelTest(store, {
    id,
    response_time: Math.round(durationMs),
    test_time: Math.floor(clock.nowMs() / 1000),
    test_outcome: ok ? 'ok' : 'failed',
    test_status: status,
    test_message: redact(message).text,
    tested_model: model,
  })
}
