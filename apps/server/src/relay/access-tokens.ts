import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { TokenCache } from '@tollgate/providers/sign/token-cache'

/** Upper bound for cached tokens; an installation has far fewer keys in use. */
const ENTRIES_MAX = 2_000

/** Access tokens for channels whose key must be exchanged for one, fetched through the guarded egress. */
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
