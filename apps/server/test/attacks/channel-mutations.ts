/**
 * Mutations for guards of channels: each removes one guard, and the channel-write tests must then fail.
 * `from` occurs exactly once in its file.
 */

const CHANNEL = 'apps/server/src/services/channel'
const DESTINATION = `${CHANNEL}/destination.ts`

export const channelMutations = [
  {
    guard: 'the guard of moved channels',
    file: `${CHANNEL}/update.ts`,
    from: 'guard.require({ when, hasSecret: hasAll })',
    to: 'guard.require({ when: false, hasSecret: hasAll })',
  },
  {
    guard: 'stored values that stay behind',
    file: `${CHANNEL}/update.ts`,
    from: 'hasKey && !keepsStoredValues(body, row.secrets)',
    to: 'hasKey',
  },
  {
    guard: 'the type of a channel',
    file: DESTINATION,
    from: 'if (former.type !== next.type) return true',
    to: '',
  },
  {
    guard: 'the address of a channel',
    file: DESTINATION,
    from: "baseUrl.trim().replace(/\\/+$/, '') || provider?.baseUrl,",
    to: '',
  },
  {
    guard: 'the field that a provider reads its own way',
    file: DESTINATION,
    from: 'placeInOther(other.trim(), provider?.other),',
    to: '',
  },
  {
    guard: 'the proxy of a channel',
    file: DESTINATION,
    from: "addressOf(proxy)?.href ?? '',",
    to: '',
  },
  {
    guard: 'the advanced routes of a channel',
    file: DESTINATION,
    from: 'routes ?? [],',
    to: '',
  },
  {
    guard: 'header rules that show the key',
    file: DESTINATION,
    from: '|| showsKeyAnew(former, next)',
    to: '',
  },
  {
    guard: 'the proxy that a login was entered for',
    file: `${CHANNEL}/secrets/proxy-mask.ts`,
    from: "hidden(url) === hideProxyLogin(stored) ? stored : rejectUnknownMask('proxy')",
    to: "String(stored).replace(/@.*/, '@') + url.host",
  },
] as const
