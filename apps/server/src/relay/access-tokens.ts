import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { TokenCache } from '@tollgate/providers/sign/token-cache'

/** Keys in use at once; a house has far fewer. */
const ENTRIES_MAX = 2_000

/** Access tokens of channels whose keys are exchanged, through the guarded way out. */
export function openTokens({
  egress,
  clock,
}: {
  egress: Pick<Egress, 'exchange'>
  clock: Clock
}): TokenCache {
  return new TokenCache({
    clock,
    entriesMax: ENTRIES_MAX,
    send: async ({ url, headers, body }, proxy) =>
      (await egress.exchange({ method: 'POST', url, headers, body, proxy })).body,
  })
}
