import type { PricingRow } from '@tollgate/contract/pricing'
import { AUTO_GROUP } from '@tollgate/contract/token'

export type Offer = Pick<PricingRow, 'model_name' | 'enable_groups' | 'supported_endpoint_types'>

/** A model with any of these endpoints can hold a conversation; the gateway translates between them. */
const CONVERSING = ['chat', 'responses', 'messages', 'generate']

/**
 * The models that can chat and are served in the group. A model that is not in the price list is offered too.
 */
export function chatModels(
  models: readonly string[],
  { offers, group }: { readonly offers: readonly Offer[] | undefined; readonly group: string },
): readonly string[] {
  const known = new Map(offers?.map((offer) => [offer.model_name, offer]))
  return models.filter((model) => {
    const offer = known.get(model)
    return offer === undefined || (canChat(offer) && isServedIn(offer, group))
  })
}

function canChat({ supported_endpoint_types: types }: Offer): boolean {
  return types.some((type) => CONVERSING.includes(type))
}

function isServedIn({ enable_groups: groups }: Offer, group: string): boolean {
  return group === '' || group === AUTO_GROUP || groups.includes(group)
}
