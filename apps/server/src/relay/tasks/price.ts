import type { Price } from '@tollgate/billing/price'
import type { PriceBookData } from '@tollgate/billing/price-book'
import { videoPriceNames, withVideoSize } from '@tollgate/billing/video-price'
import type { VideoWork } from '@tollgate/providers/tasks/platform'
import { linesOf } from '@tollgate/providers/tasks/video-size'
import type { HeldTask } from './held-task.ts'

type Priced = Pick<HeldTask, 'ask' | 'group' | 'caller'>

/** A fixed price, or none: a ratio says nothing about work that has no tokens. */
export function priceOf({ ask, group, caller }: Priced, book: PriceBookData): Price | undefined {
  const { model, work } = ask
  const find = (name: string) => {
    const question = { model: name, group, acceptsUnpriced: false, ownGroup: caller.owner.group }
    const price = book.find(question)
    return price?.rule.type === 'call' ? price : undefined
  }
  return work.type === 'video' ? videoPrice(model, work, find) : find(model)
}

/** That of its very size or mode, where it has one. */
function videoPrice(
  model: string,
  work: VideoWork,
  find: (name: string) => Price | undefined,
): Price | undefined {
  const { size, mode } = work
  const own = videoPriceNames({ model, lines: linesOf(work), mode })
    .map(find)
    .find((price) => price !== undefined)
  if (own !== undefined) return own
  const price = find(model)
  return price && withVideoSize(price, { model, size })
}
