import { type Row, channel, token, user } from './source-rows.ts'

/** One row for each irregularity found in real databases. */

/** Ids of the irregular users, by their irregularity. */
export const ODD_USERS = {
  owes: 5_001,
  owesMoreThanUsed: 5_002,
  large: 5_003,
  nulls: 5_004,
  sameEmail: 5_005,
  sameEmailLater: 5_006,
  deletedWithEmail: 5_007,
  usedBelowZero: 5_008,
  strangeRole: 5_009,
  brokenSetting: 5_010,
  withoutPassword: 5_011,
  groupWithoutRatio: 5_012,
  namedLikeAnAddress: 5_013,
} as const

export function oddUsers(password: string): Row[] {
  const plain = (id: number): Row => ({
    ...user(id, password),
    email: '',
    github_id: '',
    telegram_id: '',
    access_token: null,
    aff_quota: 0,
    aff_history: 0,
    deleted_at: null,
    group: 'default',
  })
  const odd = ODD_USERS
  return rowsOf(
    { ...plain(odd.owes), quota: -700, used_quota: 5_000 },
    { ...plain(odd.owesMoreThanUsed), quota: -9_000, used_quota: 100 },
    { ...plain(odd.large), quota: 9_007_199_254_740_000n, used_quota: 4_294_967_296n },
    {
      id: odd.nulls,
      username: `user${odd.nulls}`,
      password: '',
      quota: null,
      used_quota: null,
      request_count: null,
      group: null,
      aff_code: `aff${odd.nulls}`,
      setting: null,
      email: null,
    },
    { ...plain(odd.deletedWithEmail), email: 'shared@example.com', deleted_at: '2024-05-01 12:34:56+00:00' },
    { ...plain(odd.sameEmail), email: 'Shared@example.com' },
    { ...plain(odd.sameEmailLater), email: 'shared@example.com ' },
    { ...plain(odd.usedBelowZero), quota: 50, used_quota: -20 },
    { ...plain(odd.strangeRole), role: 7, status: 9 },
    { ...plain(odd.brokenSetting), setting: '{not json' },
    { ...plain(odd.withoutPassword), password: '', github_id: 'octocat' },
    { ...plain(odd.groupWithoutRatio), group: 'gold' },
    { ...plain(odd.namedLikeAnAddress), username: 'someone@old.example', status: 1 },
  ).sort((left, right) => Number(left['id']) - Number(right['id']))
}

/** Gives each row the type `Row` by itself; a list literal would add each other's missing members. */
function rowsOf(...rows: Row[]): Row[] {
  return rows
}

/** Two names that differ only in letter case; not every source engine can hold both. */
export function caseTwins(password: string): Row[] {
  return [
    {
      ...user(6_001, password),
      username: 'Twin',
      email: '',
      github_id: '',
      telegram_id: '',
      access_token: null,
    },
    {
      ...user(6_002, password),
      username: 'tWIN',
      email: '',
      github_id: '',
      telegram_id: '',
      access_token: null,
    },
  ]
}

export const ODD_TOKENS = {
  unlimitedBelow: 7_001,
  owes: 7_002,
  noKey: 7_003,
  noOwner: 7_004,
  short: 7_005,
  badIps: 7_006,
} as const

function plainToken(id: number): Row {
  return {
    ...token(id),
    user_id: 2,
    deleted_at: null,
    unlimited_quota: false,
    expired_time: -1,
  }
}

export function oddTokens(): Row[] {
  const odd = ODD_TOKENS
  return [
    { ...plainToken(odd.unlimitedBelow), unlimited_quota: true, remain_quota: -123_456_789 },
    { ...plainToken(odd.owes), remain_quota: -40, used_quota: 1_040 },
    { ...plainToken(odd.noKey), key: null },
    { ...plainToken(odd.noOwner), user_id: 999_999 },
    { ...plainToken(odd.short), key: 'customKey', status: 9 },
    { ...plainToken(odd.badIps), allow_ips: '10.0.0.0/8\nnot an address' },
  ]
}

export const ODD_CHANNELS = { vertex: 301, unknownType: 302, noKey: 303, strangeStatus: 304 } as const
export const VERTEX_KEY = '{\n  "type": "service_account",\n  "project_id": "p,q"\n}'

export function oddChannels(): Row[] {
  const odd = ODD_CHANNELS
  return [
    { ...channel(odd.vertex), type: 41, key: VERTEX_KEY, other: 'us-central1', status: 1 },
    { ...channel(odd.unknownType), type: 999, status: 1 },
    { ...channel(odd.noKey), key: '', status: 1 },
    { ...channel(odd.strangeStatus), status: 0 },
  ]
}
