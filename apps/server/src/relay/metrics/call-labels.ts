import type { Price } from '@tollgate/billing/price'
import type { Held } from '../stations/hold/held.ts'
import { type Label, OTHER } from './label-tree.ts'

/** What labels are read from: a held call or a held task. */
export type LabelledCall = Pick<Held, 'caller' | 'group' | 'prices' | 'price'> & {
  readonly operation: { readonly name: string }
}

/** The labels of calls that `METRICS_LABELS` can name, in the order of the series. */
export const CALL_LABELS = ['operation', 'model', 'channel', 'group', 'user', 'token'] as const
export type CallLabel = (typeof CALL_LABELS)[number]

const readers: Readonly<Record<CallLabel, (call: LabelledCall, channelId: number) => Label>> = {
  operation: ({ operation }) => operation.name,
  model: (call) => modelLabel(call),
  channel: (_call, channelId) => channelId,
  group: ({ group }) => group,
  user: ({ caller }) => caller.owner.id,
  token: ({ caller }) => caller.token?.id ?? 0,
}

/** Returns a function that reads the values of these labels. */
export function labelReader(
  names: readonly CallLabel[],
): (call: LabelledCall, channelId: number, last: Label) => readonly Label[] {
  const chosen = names.map((name) => readers[name])
  return (call, channelId, last) => {
    const labels = chosen.map((read) => read(call, channelId))
    labels.push(last)
    return labels
  }
}

const known = new WeakMap<Price, string>()

/**
 * The name under which the model has its price, or `other`: a caller who may use models without a price could
 * otherwise make a series of every name.
 */
export function modelLabel({ price, prices }: Pick<LabelledCall, 'price' | 'prices'>): string {
  const label = known.get(price)
  if (label !== undefined) return label
  const fresh = prices.isPriced(price.model) ? price.model : OTHER
  known.set(price, fresh)
  return fresh
}
