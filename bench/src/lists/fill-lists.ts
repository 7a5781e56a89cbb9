import { type AdminApi, newPassword, signIn } from '../admin-api.ts'

export interface Sizes {
  readonly channels: number
  readonly tokens: number
  readonly codes: number
}

const AT_ONCE = 16
/** Limit of codes that one API call may create. */
const CODES_A_CALL = 100
/** Limit of tokens per account. */
export const TOKENS_A_USER = 1000
const MODELS = Array.from({ length: 60 }, (_, index) => `vendor-model-${index}-large-preview`)

/** Fills the lists through the API, as an operator's own scripts would. */
export async function fillLists(
  admin: AdminApi,
  { channels, tokens, codes }: Sizes,
  origin: string,
): Promise<void> {
  await inTurns(channels, (index) =>
    admin.call('/api/channel', {
      type: 1,
      name: `channel-${index}`,
      key: `sk-upstream-key-of-channel-${index}`,
      base_url: 'http://127.0.0.1:9',
      models: MODELS.slice(index % 20, 40 + (index % 20)).join(','),
      group: index % 3 === 0 ? 'default,vip' : 'default',
      tag: `tag-${index % 40}`,
      priority: index % 5,
    }),
  )
  await addTokens(admin, Math.min(tokens, TOKENS_A_USER))
  for (let rest = tokens - TOKENS_A_USER; rest > 0; rest -= TOKENS_A_USER) {
    const account = { username: `holder${rest}`, password: newPassword() }
    await admin.call('/api/user', account)
    await addTokens(await signIn(origin, account), Math.min(rest, TOKENS_A_USER))
  }
  await inTurns(Math.ceil(codes / CODES_A_CALL), (index) =>
    admin.call('/api/redemption', { name: `batch-${index}`, quota: 100_000, count: CODES_A_CALL }),
  )
}

function addTokens(owner: AdminApi, count: number): Promise<void> {
  return inTurns(count, (index) =>
    owner.call('/api/token', { name: `token-${index}`, remain_quota: 500_000 }),
  )
}

async function inTurns(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
