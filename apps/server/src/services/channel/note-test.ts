import { redact } from '@tollgate/kit/redact'
import { recordChannelTest } from '@tollgate/store/channels/channels'
import type { Services } from '../services.ts'
import type { ProbeResult } from '../../ports/channel-probe.ts'

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
