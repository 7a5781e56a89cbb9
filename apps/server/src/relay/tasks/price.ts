import type { Price } from '@tollgate/billing/price'
import type { PriceBookData } from '@tollgate/billing/price-book'
import { videoPriceNames, withVideoSize } from '@tollgate/billing/video-price'
import type { VideoWork } from '@tollgate/providers/tasks/platform'
import { qualityWords } from '@tollgate/providers/tasks/video-quality'
import type { HeldTask } from './held-task.ts'

type Priced = Pick<HeldTask, 'ask' | 'group' | 'caller' | 'tokens'>

/**
 * The price of a submission: a fixed price, or one by tokens if the upstream reports their number. Other
 * tasks cannot be priced by ratio.
 */
export function priceOf({ ask, group, caller, tokens }: Priced, book: PriceBookData): Price | undefined {
  const { model, work } = ask
  const find = (name: string) => {
    const question = { model: name, group, acceptsUnpriced: false, ownGroup: caller.owner.group }
    const price = book.find(question)
    return price?.rule.type === 'call' || tokens !== undefined ? price : undefined
  }
  return work.type === 'video' ? videoPrice(model, work, find) : find(model)
}

/** The price for the video's qualities; a price for more of them together takes precedence. */
function videoPrice(
  model: string,
  work: VideoWork,
  find: (name: string) => Price | undefined,
): Price | undefined {
  const own = videoPriceNames(model, qualityWords(work)).map(find)
  const found = own.find((price) => price !== undefined)
  if (found !== undefined) return found
  const price = find(model)
  return price && withVideoSize(price, { model, size: work.size })
}
