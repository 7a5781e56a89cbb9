import type { Price } from '@tollgate/billing/price'
import type { PriceBookData } from '@tollgate/billing/price-book'
import { videoPriceNames, withVideoSize } from '@tollgate/billing/video-price'
import type { VideoWork } from '@tollgate/providers/tasks/platform'
import { qualityWords } from '@tollgate/providers/tasks/video-quality'
import type { HeldTask } from './held-task.ts'

type Priced = Pick<HeldTask, 'ask' | 'group' | 'caller' | 'tokens'>

/** A fixed price, or one by tokens where the upstream will tell how many there were. A ratio says nothing of other work. */
export function priceOf({ ask, group, caller, tokens }: Priced, book: PriceBookData): Price | undefined {
  const { model, work } = ask
  const find = (name: string) => {
    const question = { model: name, group, acceptsUnpriced: false, ownGroup: caller.owner.group }
    const price = book.find(question)
    return price?.rule.type === 'call' || tokens !== undefined ? price : undefined
  }
  return work.type === 'video' ? videoPrice(model, work, find) : find(model)
}

/** That of its very qualities, as many of them as have one together. */
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
