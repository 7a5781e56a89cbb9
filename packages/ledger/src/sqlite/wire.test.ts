import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Command, CommandType, Outcome } from '../core/command.ts'
import type { Reply } from '../core/storage.ts'
import { type SentType, decodeCommand, encodeCommand } from './command-wire.ts'
import { decodeReply, encodeReply } from './reply-wire.ts'
import { WireReader, WireTexts, type WireValue, parseWire } from './wire.ts'

const units = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const signed = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const id = fc.nat()
const text = fc.string({ unit: 'grapheme' })
const optional = <T>(value: fc.Arbitrary<T>) => ({ value })

const log = fc.record({
  request_id: fc.option(text),
  user_id: id,
  created_at: id,
  type: fc.integer({ min: 1, max: 8 }),
  content: text,
  username: text,
  token_id: id,
  token_name: text,
  model_name: text,
  quota: units,
  prompt_tokens: id,
  completion_tokens: id,
  use_time: id,
  duration_ms: id,
  first_byte_ms: fc.integer(),
  is_stream: fc.constantFrom(0 as const, 1 as const),
  channel_id: id,
  group_name: text,
  ip: text,
  other: text,
  cost: fc.option(units),
  session: fc.option(text),
  client: fc.option(text),
  client_version: fc.option(text),
  cached_tokens: fc.option(id),
  cache_saved: fc.option(signed),
  upstream_request_id: fc.option(text),
})

const task = fc.record({
  platform: text,
  task_id: text,
  user_id: id,
  token_id: id,
  channel_id: id,
  action: text,
  status: text,
  progress: text,
  fail_reason: text,
  submit_ms: id,
  start_ms: id,
  finish_ms: id,
  deadline_ms: id,
  secret_hash: text,
  detail: text,
  created_ms: id,
  updated_ms: id,
})
const taskEnd = fc.record({
  id,
  version: id,
  status: text,
  progress: text,
  fail_reason: text,
  finish_ms: id,
  detail: text,
  updated_ms: id,
})

const notice = fc.record({ cause: text, kind: text, payload: text, dueMs: id, nowMs: id })

/** Arbitrary records where some keys are missing, but never present as undefined. */
function partly<T extends object, O extends object>(
  required: { [K in keyof T]: fc.Arbitrary<T[K]> },
  optionals: { [K in keyof O]: { value: fc.Arbitrary<O[K]> } },
) {
  const values = Object.fromEntries(
    Object.entries<{ value: fc.Arbitrary<unknown> }>(optionals).map(([k, o]) => [k, o.value]),
  )
  return fc.record({ ...required, ...values }, { requiredKeys: Object.keys(required) })
}

const flags = fc.subarray(['estimated', 'partial', 'client_gone', 'cut', 'late'])
const budget = fc.record({ sinceMs: id, free: units })
const report = partly(
  { account: id, free: units, openHolds: id, exposed: units },
  { budget: optional(budget) },
)

const inputs: Readonly<Record<SentType, fc.Arbitrary<object>>> = {
  reserve: partly(
    { holdId: text, userAccount: id, amount: units, ceiling: units, priceJson: text },
    { tokenAccount: optional(id), furtherPrices: optional(fc.array(text, { maxLength: 7 })) },
  ),
  extend: fc.record({ holdId: text, amount: units }),
  checkpoint: partly({ holdId: text, amount: units }, { channelId: optional(id) }),
  settle: partly(
    { holdId: text, amount: units, flags, usageJson: text },
    {
      channelId: optional(id),
      log: optional(log),
      task: optional(task),
      priceJson: optional(text),
      partPrices: optional(fc.array(text, { maxLength: 7 })),
    },
  ),
  release: partly({ holdId: text }, { log: optional(log) }),
  recover: fc.record({ holdId: text }),
  credit: partly(
    { key: text, account: id, amount: units },
    { note: optional(text), spacing: optional(fc.record({ keys: fc.array(text), spacingMs: fc.nat() })) },
  ),
  adjust: partly(
    { key: text, account: id, delta: signed },
    {
      expected: optional(signed),
      unlimited: optional(fc.boolean()),
      note: optional(text),
      notice: optional(notice),
    },
  ),
  refund: partly(
    { taskId: text, requestId: text, amount: units },
    { end: optional(taskEnd), notice: optional(notice), log: optional(log) },
  ),
  transfer: fc.record({ key: text, from: id, to: id, amount: units }),
  open: partly(
    { key: text, account: id, remaining: signed, used: units },
    { unlimited: optional(fc.boolean()), note: optional(text) },
  ),
  allot: partly(
    {
      userAccount: id,
      amount: units,
      ceiling: units,
      wanted: units,
      parts: id,
      reports: fc.array(report),
      instanceId: text,
    },
    { tokenAccount: optional(id) },
  ),
  giveBack: fc.record({ reports: fc.array(report), instanceId: text }),
  recall: fc.record({ accounts: fc.array(id) }),
}

const settled = fc.record({ charged: units, waived: units, late: fc.boolean() })
const done = fc.constant({ type: 'done' })
const credited = fc.oneof(
  fc.record({ type: fc.constant('credited'), repeated: fc.boolean() }),
  fc.constant({ type: 'conflict' }),
)
const grant = partly(
  {
    account: id,
    amount: units,
    isUnlimited: fc.boolean(),
    exposedElsewhere: units,
    openHoldsElsewhere: id,
    scarceUntilMs: id,
  },
  { budget: optional(fc.record({ sinceMs: id, amount: units })) },
)

const takenQuota = partly(
  { account: id, amount: units },
  { budget: optional(fc.record({ sinceMs: id, amount: units })) },
)
const taken = fc.array(takenQuota)
const someTaken = optional(fc.array(takenQuota, { minLength: 1 }))

const elsewhere = optional(fc.record({ account: id, untilMs: id, mayReturn: fc.boolean() }))
const refusals = [
  partly(
    { type: fc.constant('refused'), by: fc.constantFrom('user', 'token'), remaining: units },
    { elsewhere, taken: someTaken },
  ),
  partly({ type: fc.constant('crowded') }, { elsewhere, taken: someTaken }),
] as const
const scarce = fc.array(fc.record({ account: id, untilMs: id }))

const outcomes: Readonly<Record<SentType, fc.Arbitrary<object>>> = {
  reserve: fc.oneof(fc.constant({ type: 'reserved' }), ...refusals),
  extend: fc.oneof(
    fc.record({ type: fc.constant('extended'), held: units }),
    fc.record({ type: fc.constantFrom('refused', 'ended') }),
  ),
  checkpoint: done,
  settle: settled,
  release: done,
  recover: settled,
  credit: credited,
  adjust: fc.oneof(
    fc.record({ type: fc.constant('adjusted'), before: signed, after: signed, repeated: fc.boolean() }),
    fc.record({ type: fc.constant('changed'), actual: signed }),
    fc.record({ type: fc.constant('refused'), remaining: units }),
    fc.constant({ type: 'conflict' }),
  ),
  refund: fc.oneof(credited, fc.constant({ type: 'changed' })),
  transfer: fc.oneof(
    fc.record({ type: fc.constant('transferred'), repeated: fc.boolean() }),
    fc.record({ type: fc.constant('refused'), remaining: units }),
    fc.constant({ type: 'conflict' }),
  ),
  open: fc.oneof(
    fc.record({ type: fc.constant('opened'), repeated: fc.boolean() }),
    fc.record({ type: fc.constantFrom('conflict', 'occupied') }),
  ),
  allot: fc.oneof(
    fc.record({ type: fc.constant('allotted'), instanceId: text, grants: fc.array(grant), taken }),
    ...refusals,
  ),
  giveBack: fc.record({ type: fc.constant('returned'), scarce, taken }),
  recall: fc.record({ type: fc.constant('recalled'), waiting: fc.array(id) }),
}

const TYPES = [
  'reserve',
  'extend',
  'checkpoint',
  'settle',
  'release',
  'recover',
  'credit',
  'adjust',
  'refund',
  'transfer',
  'open',
  'allot',
  'giveBack',
  'recall',
] as const satisfies readonly SentType[]

/** Safe cast: the tables above generate inputs and outcomes that match their type. */
function asCommand(type: CommandType, input: object): Command {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { type, input } as Command
}

function asOutcome(outcome: object): Outcome {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return outcome as Outcome
}

function overTheWire(value: WireValue): WireValue {
  return parseWire(JSON.stringify([value]))[0] ?? null
}

/** Encodes and decodes several commands as one message, so that they share its text list. */
function sent(commands: readonly Command[]): readonly Command[] {
  const texts = new WireTexts()
  const message = texts.beside([commands.map((command) => encodeCommand(command, texts))])
  return WireReader.parse(message).readers().map(decodeCommand)
}

function received(...values: readonly WireValue[]): Command {
  return decodeCommand(new WireReader(values))
}

describe.each(TYPES)('a %s command', (type) => {
  it('arrives in the writer thread unchanged', () => {
    fc.assert(
      fc.property(fc.array(inputs[type], { minLength: 1 }), (several) => {
        const commands = several.map((input) => asCommand(type, input))
        expect(sent(commands)).toEqual(commands)
      }),
    )
  })

  it('gets its decision back unchanged', () => {
    const alarm = fc.option(fc.record({ type: fc.constant('key_conflict' as const), detail: text }))
    fc.assert(
      fc.property(outcomes[type], alarm, (outcome, raised) => {
        const decision = { outcome: asOutcome(outcome), ...(raised ? { alarm: raised } : {}) }
        const reply: Reply = { type: 'decided', decision }
        expect(decodeReply(type, overTheWire(encodeReply(type, reply)))).toEqual(reply)
      }),
    )
  })

  it('gets the reason back when it broke a rule', () => {
    const reply: Reply = { type: 'failed', detail: 'a rule' }
    expect(decodeReply(type, overTheWire(encodeReply(type, reply)))).toEqual(reply)
  })
})

it('decoding rejects anything that is not a command', () => {
  expect(() => received('plunder', 'everything')).toThrow('no command')
  expect(() => received('extend', 'call', 'many')).toThrow()
  expect(() => received('extend', 7, 7)).toThrow('text was sent')
  expect(() => received('reserve', 'call', 4, null, 1, 1, 9)).toThrow('the text was sent beside')
})

it('a text shared by several commands is sent once', () => {
  const texts = new WireTexts()
  const message = texts.beside([texts.shared('a'), texts.own('b'), texts.shared('a'), texts.own('b')])
  expect(message).toEqual(['[1,2,1,3]', 'a', 'b', 'b'])
})
