import { videoPriceNames } from '@tollgate/billing/video-price'
import type { TaskAsk } from '@tollgate/providers/tasks/task'
import { type TaskUpstream, videoOf } from '@tollgate/providers/tasks/upstream'
import { qualityWords } from '@tollgate/providers/tasks/video-quality'
import { linesOf } from '@tollgate/providers/tasks/video-size'
import type { TaskSize } from '../later-operation.ts'

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
  return {
    ask: { ...ask, work },
    priceNames: videoPriceNames(ask.model, qualityWords(work)),
    pixels: work.size,
    seconds: work.seconds,
    tokens: maker?.tokens?.(work),
  }
}
