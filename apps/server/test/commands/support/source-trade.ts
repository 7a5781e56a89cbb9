import { type Row, USERS, word } from './source-rows.ts'

/** Redemption codes, orders, tasks and hourly sums of the made-up installation. */

export const CODES = 400
export const ORDERS = 250
export const TASKS = 120
export const DRAWINGS = 80
export const HOURS = 1_200
export const CODE_QUOTA = 500_000

const UNUSED = 1
const USED = 3
const MADE = 1_718_000_000

export function codeKey(id: number): string {
  return word(`code ${id}`, id % 50 === 0 ? 12 : 32)
}

export function isGift(id: number): boolean {
  return id % 5 === 0
}

export function code(id: number): Row {
  const status = 1 + (id % 3)
  const isUsed = status === USED && !isGift(id)
  return {
    id,
    user_id: 1,
    key: codeKey(id),
    status,
    name: `批次 ${id % 7}`,
    quota: CODE_QUOTA,
    created_time: MADE + id,
    redeemed_time: isUsed ? MADE + 2 * id : 0,
    valid_from: 0,
    valid_until: id % 4 === 0 ? 2_000_000_000 : 0,
    used_user_id: isUsed ? 1 + (id % USERS) : 0,
    is_gift: isGift(id),
    max_uses: isGift(id) ? 3 : -1,
    used_count: isGift(id) ? usesOf(id) : 0,
    deleted_at: id % 90 === 0 ? '2024-05-01 12:34:56+00:00' : null,
  }
}

function usesOf(id: number): number {
  return id % 3
}

/** The last row repeats a redemption: one user redeemed one gift code twice. */
export function giftUses(): Row[] {
  const gifts = Array.from({ length: CODES }, (_, index) => index + 1).filter(isGift)
  const uses = gifts.flatMap((id) =>
    Array.from({ length: usesOf(id) }, (_, use) => ({ redemption_id: id, user_id: 10 + use })),
  )
  const twice = { redemption_id: 5, user_id: 10 }
  return [...uses, twice].map((use, index) => ({ id: index + 1, ...use, used_time: MADE + index }))
}

export const ODD_CODES = { withoutKey: 901, takes: 902, strangeStatus: 903, overused: 904 } as const

function plainCode(id: number): Row {
  return { ...code(id), status: UNUSED, deleted_at: null }
}

export function oddCodes(): Row[] {
  const odd = ODD_CODES
  return [
    { ...plainCode(odd.withoutKey), key: null },
    { ...plainCode(odd.takes), quota: -50 },
    { ...plainCode(odd.strangeStatus), status: 7 },
    { ...plainCode(odd.overused), is_gift: true, max_uses: 2, used_count: 4, status: USED },
  ]
}

export function order(id: number): Row {
  return {
    id,
    user_id: 1 + (id % USERS),
    amount: 10,
    money: 73.00000000000001,
    trade_no: `USR${id}NO${word(`order ${id}`, 6)}${MADE + id}`,
    create_time: MADE + id,
    status: id % 4 === 0 ? 'pending' : 'success',
  }
}

export const ODD_ORDERS = { withoutNumber: 801, repeated: 802, takes: 803, strangeStatus: 804 } as const

export function oddOrders(): Row[] {
  const odd = ODD_ORDERS
  return [
    { ...order(odd.withoutNumber), trade_no: null },
    { ...order(odd.repeated), trade_no: order(1)['trade_no'] ?? null },
    { ...order(odd.takes), amount: -10 },
    { ...order(odd.strangeStatus), status: 'disputed' },
  ]
}

/** Every tenth task has its start in milliseconds, as its upstream sent it; the first has no properties. */
export function task(id: number): Row {
  const start = (MADE + id) * (id % 10 === 0 ? 1000 : 1)
  return {
    id,
    created_at: MADE + id,
    updated_at: MADE + id + 90,
    task_id: `f2c1-${id}`,
    platform: 'suno',
    user_id: 1 + (id % USERS),
    channel_id: 4,
    quota: 50_000,
    action: '',
    status: id % 6 === 0 ? 'IN_PROGRESS' : 'SUCCESS',
    fail_reason: '',
    submit_time: MADE + id,
    start_time: start,
    finish_time: id % 6 === 0 ? 0 : start + 60,
    progress: id % 6 === 0 ? '40%' : '100%',
    properties: id === 1 ? null : '{"input":"a song"}',
    data: '[{"title":"夜"}]',
  }
}

/** Drawings 1 and 2 share an upstream id, as when one task was submitted twice. */
export function drawing(id: number): Row {
  const submit = (MADE + id) * 1000
  return {
    id,
    code: 1,
    user_id: 1 + (id % USERS),
    action: 'IMAGINE',
    mj_id: String(1_718_000_000_123_456 + (id === 2 ? 1 : id)),
    prompt: '一只猫',
    prompt_en: 'a cat',
    description: 'Submit success',
    state: '',
    submit_time: submit,
    start_time: submit + 2_000,
    finish_time: submit + 60_000,
    image_url: 'https://cdn.example/cat.png',
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    channel_id: 3,
    quota: 50_000,
    buttons: '[{"label":"U1"}]',
    properties: '{"finalPrompt":"a cat"}',
  }
}

/** Three rows for each hour of a user and a model. */
export function usageHour(id: number): Row {
  const hour = Math.ceil(id / 3)
  const user = 1 + (hour % 90)
  return {
    id,
    user_id: user,
    username: `user${user}`,
    model_name: 'gpt-4o',
    created_at: 3_600 * hour,
    token_used: 100 + id,
    count: 2,
    quota: 9,
  }
}
