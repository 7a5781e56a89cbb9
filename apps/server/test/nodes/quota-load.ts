import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import { PASSWORD, Visitor } from '../harness.ts'
import { type ScriptedUpstream, openScriptedUpstream, sendJson } from '../relay/upstream.ts'
import { type Operator, addChannel, operate, relayCall } from './operator.ts'
import type { StalledPlace } from './stalled-place.ts'

export const MODEL = 'gpt-4o-mini'
/** A call of this model costs one unit. */
export const UNIT_MODEL = 'one-unit'
/** Tokens of a call that the caller asks for, and tokens that the upstream reports beyond what was counted. */
const OUTPUT_TOKENS = 8
const MORE_TOKENS = 150
const QUOTA = 20_000_000_000
const ADJUST_MS = 20
const ADJUSTMENTS_MAX = 8

export interface LimitedToken {
  readonly id: number
  readonly key: string
}

export interface Customer {
  readonly id: number
  readonly visitor: Visitor
  readonly limited: LimitedToken[]
  readonly unlimitedKey: string
}

export interface LoadCounts {
  calls: number
  aboveHold: number
  refused: number
  adjusted: number
  /** Adjustments that recall what processes have of the account. */
  recalled: number
}

/** Customers who call, and an operator who adjusts their balances meanwhile. */
export class QuotaLoad {
  readonly #place: StalledPlace
  readonly #operator: Operator
  readonly #upstream: ScriptedUpstream
  readonly customers: Customer[] = []
  readonly counts: LoadCounts = { calls: 0, aboveHold: 0, refused: 0, adjusted: 0, recalled: 0 }
  readonly #callers: Promise<void>[] = []
  #isOver = false
  #pause: Promise<void> | undefined
  #adjusting = 0
  #keys = 0
  #turns = 0

  private constructor(place: StalledPlace, operator: Operator, upstream: ScriptedUpstream) {
    this.#place = place
    this.#operator = operator
    this.#upstream = upstream
  }

  static async open(place: StalledPlace): Promise<QuotaLoad> {
    const upstream = await openScriptedUpstream((response, { body }) => {
      const more = Number(Object(body['metadata'])['more'] ?? 0)
      const usage = { prompt_tokens: 10 + more, completion_tokens: OUTPUT_TOKENS }
      const message = { role: 'assistant', content: 'hello there' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      sendJson(response, 200, { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage })
    })
    const operator = await operate(firstOf(place), upstream)
    await addChannel(operator.root, upstream.url, UNIT_MODEL)
    // A thousand times the usual price, and 1 unit of 500,000 to the dollar.
    for (const [key, value] of [
      ['ModelRatio', { [MODEL]: 75 }],
      ['ModelPrice', { [UNIT_MODEL]: 0.000002 }],
    ] as const)
      await operator.root.call(routes.option.update, { body: { key, value: JSON.stringify(value) } })
    return new QuotaLoad(place, operator, upstream)
  }

  async addCustomers(count: number): Promise<void> {
    for (let index = 1; index <= count; index++) {
      const username = `customer${index}`
      const body = { username, password: PASSWORD }
      const visitor = new Visitor(firstOf(this.#place))
      await this.#operator.root.call(routes.adminUser.create, { body })
      const { id } = await visitor.signIn(body)
      const unlimited = { name: 'unlimited', unlimited_quota: true }
      const { key } = await visitor.call(routes.token.create, { body: unlimited })
      const customer = { id, visitor, limited: [], unlimitedKey: withPrefix(key) }
      this.customers.push(customer)
      await this.addToken(customer, QUOTA)
      await this.change(customer, QUOTA)
    }
  }

  async addToken({ visitor, limited }: Customer, quota: number): Promise<LimitedToken> {
    const body = { name: `limited ${limited.length}`, remain_quota: quota }
    const { id, key } = await visitor.call(routes.token.create, { body })
    const token = { id, key: withPrefix(key) }
    limited.push(token)
    return token
  }

  async change({ id }: Customer, delta: number): Promise<void> {
    const body = { delta, operation_key: `quota-load-${++this.#keys}` }
    await this.#operator.root.call(routes.adminUser.changeQuota, { params: { id }, body })
  }

  /** Three callers of each customer, two of them with a limited token. */
  start(): void {
    for (const customer of this.customers)
      for (const key of [customer.limited[0]?.key, customer.limited[0]?.key, customer.unlimitedKey])
        this.#callers.push(this.#callOn(key ?? ''))
    this.#callers.push(this.#adjustOn())
  }

  /** Runs the work while no caller begins a call, and after a moment in which those under way end and are folded. */
  async pause<T>(work: () => Promise<T>): Promise<T> {
    const over = Promise.withResolvers<void>()
    this.#pause = over.promise
    await sleep(600)
    try {
      return await work()
    } finally {
      this.#pause = undefined
      over.resolve()
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
    while (this.#adjusting > 0) await sleep(20)
  }

  /** Makes calls of one unit at all nodes in turn, until one is refused; returns how many were served. */
  async spend(key: string): Promise<number> {
    for (let served = 0; ; served++) {
      const { status, text } = await this.#call(key, { model: UNIT_MODEL })
      if (status === 200) continue
      if (status === 403 || text.includes('token_exhausted')) return served
      throw new Error(`a call of one unit ended with ${status}: ${text}`)
    }
  }

  /** Calls with this token once, at the first node whose turn it is. */
  async callOnce(key: string): Promise<number> {
    return (await this.#call(key, { model: UNIT_MODEL })).status
  }

  close(): Promise<void> {
    return this.#upstream.close()
  }

  /** Charged and not yet given back, in units; by account. */
  async restOf(kind: 'user' | 'token', id: number): Promise<number> {
    const [row] = await this.#place.query(
      `select granted - used as rest from account where id = ${accountId(kind, id)}`,
    )
    return Number(row?.['rest'])
  }

  async #callOn(key: string): Promise<void> {
    while (!this.#isOver) {
      await this.#pause
      const isAbove = ++this.#turns % 5 < 2
      const { status } = await this.#call(key, {
        model: MODEL,
        max_tokens: OUTPUT_TOKENS,
        metadata: { more: isAbove ? MORE_TOKENS : 0 },
      })
      if (status === 200) this.counts.calls++
      else this.counts.refused++
      if (status === 200 && isAbove) this.counts.aboveHold++
      if (status !== 200) await sleep(100)
    }
  }

  async #adjustOn(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      await sleep(ADJUST_MS)
      await this.#pause
      const customer = this.customers[turn % this.customers.length]
      if (customer !== undefined && this.#adjusting < ADJUSTMENTS_MAX) void this.#adjust(customer, turn)
    }
  }

  async #adjust(customer: Customer, turn: number): Promise<void> {
    const isLess = turn % 2 === 0
    this.#adjusting++
    try {
      await this.change(customer, isLess ? -500 : 700)
      this.counts.adjusted++
      if (isLess) this.counts.recalled++
    } catch {
      // While the database stands still an adjustment fails; whether it was made is in the books.
    } finally {
      this.#adjusting--
    }
  }

  #call(key: string, body: Record<string, unknown>) {
    const { addresses } = this.#place
    const address = addresses[this.#turns++ % addresses.length] ?? ''
    return relayCall({ address, key, body }).catch((error: unknown) => ({ status: 0, text: String(error) }))
  }
}

function firstOf({ addresses: [first = ''] }: StalledPlace): string {
  return first
}

function withPrefix(key: string): string {
  return key.startsWith('sk-') ? key : `sk-${key}`
}
