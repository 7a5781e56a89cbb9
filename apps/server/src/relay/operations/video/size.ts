import type { Price } from '@tollgate/billing/price'
import { videoPriceNames, withVideoSize } from '@tollgate/billing/video-price'
import type { TaskAsk } from '@tollgate/providers/tasks/task'
import { type TaskUpstream, videoOf } from '@tollgate/providers/tasks/upstream'
import { qualityWords } from '@tollgate/providers/tasks/video-quality'
import { linesOf } from '@tollgate/providers/tasks/video-size'
import type { FindPrice, TaskSize } from '../later-operation.ts'

/**
 * If the caller gives no length or size, the upstream's defaults are used for the price and sent with the
 * request.
 */
export function videoSize(ask: TaskAsk, maker: TaskUpstream | undefined): TaskSize {
  const asked = videoOf(ask)
  const seconds = asked.seconds ?? maker?.secondsDefault
  const resolution = linesOf(asked) === undefined ? maker?.resolutionDefault : asked.resolution
  const whole = { ...asked, seconds, resolution }
  const work = maker?.make?.({ model: ask.model, work: whole }) ?? whole
  return { ask: { ...ask, work }, seconds: work.seconds, tokens: maker?.tokens?.(work) }
}

/** The price for the video's qualities; a price for more of them together takes precedence. */
export function videoPrice(ask: TaskAsk, find: FindPrice): Price | undefined {
  const { model } = ask
  const work = videoOf(ask)
  for (const name of videoPriceNames(model, qualityWords(work))) {
    const price = find(name)
    if (price !== undefined) return price
  }
  const price = find(model)
  return price && withVideoSize(price, { model, size: work.size })
}
