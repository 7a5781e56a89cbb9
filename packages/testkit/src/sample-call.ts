import type { Price } from '@tollgate/billing/price'
import { recompute } from '@tollgate/billing/recompute'
import type { UsageLogRow } from '@tollgate/store/tables/logs'

/** A price, a usage and a log row of the size that real calls have. */
const price: Price = {
  version: 12,
  model: 'gpt-4o-mini',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: '500000',
  rule: {
    type: 'ratio',
    modelRatio: '0.075',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheWriteRatio: '1.25',
    cacheWrite1hRatio: '2',
    imageRatio: '1',
    audioRatio: '1',
    audioCompletionRatio: '1',
  },
}

export const samplePriceJson = JSON.stringify(price)

export const sampleUsageJson = JSON.stringify({ inputText: 1234, cacheRead: 512, outputText: 345 })

/** The charge for that usage at that price. */
export const sampleCharge = recompute(samplePriceJson, sampleUsageJson)

export function sampleLog(requestId: string): UsageLogRow {
  return {
    request_id: requestId,
    user_id: 1,
    created_at: 1_795_000_000,
    type: 2,
    content: '',
    username: 'somebody',
    token_id: 5,
    token_name: 'production',
    model_name: 'gpt-4o-mini',
    quota: 0n,
    prompt_tokens: 1746,
    completion_tokens: 345,
    use_time: 3,
    duration_ms: 3120,
    first_byte_ms: 412,
    is_stream: 1,
    channel_id: 3,
    group_name: 'default',
    ip: '203.0.113.7',
    other: JSON.stringify({
      event: 'call_charged',
      model_ratio: 0.075,
      completion_ratio: 4,
      model_price: -1,
      group_ratio: 1,
      cache_tokens: 512,
      frt: 412,
    }),
  }
}
