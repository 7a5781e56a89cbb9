import type { WriteContext } from '@tollgate/dialects/canonical/codec'
import { noUsage } from '@tollgate/dialects/usage'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { CallRoute } from '../relay-route.ts'
import { admit } from '../stations/admit/admit.ts'
import { endStream } from '../stations/deliver/outlet.ts'

/**
 * Answers a call with `generate: false`: it is checked like every other, and gets an empty response whose id the
 * next call can continue. It holds nothing, reaches no vendor and costs nothing.
 */
export async function warmUp(call: Call, route: CallRoute, app: App): Promise<void> {
  const { ask } = await admit(call, route, app)
  call.counted?.failed()
  const nowSeconds = Math.floor(call.startedMs / 1000)
  const context: WriteContext = {
    model: ask.model,
    fallbackId: call.id,
    nowSeconds,
    inputTokensCounted: 0,
    wantsUsage: true,
  }
  const writer = call.dialect.openWriter(context)
  endStream(call, [
    ...writer.push({
      type: 'reply-start',
      id: `resp_${call.id}`,
      model: ask.model,
      createdSeconds: nowSeconds,
    }),
    ...writer.push({ type: 'choice-end', choice: 0, end: { reason: 'stop', raw: 'completed' } }),
    ...writer.push({ type: 'usage', usage: noUsage }),
    ...writer.push({ type: 'reply-end' }),
  ])
}
